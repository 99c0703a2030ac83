import { beforeEach, expect, test, vi } from "vitest";
import type { Me, Problem, RulebookView, TableLine } from "$wire";
import { session } from "../lib/session.svelte.ts";
import { install } from "../testing/fakeSocket.ts";
import { STAKE, inTurn, playNow } from "./playNow.ts";

const me: Me = { person: "guest-1", name: "Lucky Otter 42", login: null, roles: ["guest"] };
const line = (id: string, more: Partial<TableLine> = {}): TableLine => ({
  id,
  name: id,
  rules: [],
  practice: true,
  status: "running",
  players: 0,
  looking_on: 0,
  seats: 16,
  puck: null,
  points: [4, 5, 6, 8, 9, 10],
  minimum: null,
  maximum: null,
  betting: true,
  recent: [],
  hand_rolls: 0,
  shooter: null,
  sides: [],
  meters: [],
  warnings: [],
  problem: null,
  ...more,
});
const base = { name: "base", base: true, paytables: [], default_paytables: [], options: [] };
const rulebooks = () => Promise.resolve([base] as unknown as RulebookView[]);

/** What was posted, in order, and who sits where. */
let posted: [string, Body][];
let seats: Record<string, { seat: number; person: string; rack: number }[]>;
let full: string[];
let dice: Record<string, string>;
type Body = Record<string, unknown>;

beforeEach(() => {
  install();
  session.me = null;
  [posted, seats, full, dice] = [[], {}, [], {}];
  vi.stubGlobal("fetch", (path: string, init: { body?: string }) =>
    Promise.resolve(answer(path, init.body ? (JSON.parse(init.body) as Body) : null)),
  );
});

function answer(path: string, body: Body | null): Response {
  const [, table = ""] = /^\/api\/tables\/(\w+)/.exec(path) ?? [];
  if (body) posted.push([path, (body.command as Body) ?? body]);
  if (path === "/api/guest") return Response.json(me);
  if (path === "/api/tables") return Response.json({ id: "new" });
  if (!body)
    return Response.json({
      id: table,
      seats: seats[table] ?? [],
      config: { dice: dice[table] ?? "house" },
    });
  const { command } = body.command as { command: string };
  if (command === "sit" && full.includes(table)) {
    const problem: Problem = { type: "", status: 409, code: "table-full", detail: "full" };
    return Response.json(problem, { status: 409 });
  }
  if (command === "sit") seats[table] = [{ seat: 3, person: me.person, rack: 0 }];
  return Response.json({ seq: 1 });
}

const commands = () => posted.filter(([path]) => path.endsWith("/commands"));

test("the busiest practice table with a free seat comes first", () => {
  const lines = [
    line("empty"),
    line("full", { players: 16 }),
    line("real", { players: 9, practice: false }),
    line("paused", { players: 9, status: "paused" }),
    line("running", { players: 5, puck: 6 }),
    line("busy", { players: 5 }),
  ];
  expect(inTurn(lines).map(({ id }) => id)).toEqual(["busy", "running", "empty"]);
});

test("a guest gets a name, a seat and chips", async () => {
  expect(await playNow([line("a"), line("b", { players: 2 })], rulebooks)).toBe("b");
  const [path, body] = posted[0]!;
  expect(path).toBe("/api/guest");
  expect(body.name).toMatch(/^\w+ \w+ \d\d$/);
  expect(commands()).toEqual([
    ["/api/tables/b/commands", { command: "sit" }],
    ["/api/tables/b/commands", { command: "buy-in", seat: 3, amount: STAKE }],
  ]);
});

test("a table that fills up meanwhile, or whose dealer throws, is passed by", async () => {
  full = ["b"];
  dice = { c: "dealer" };
  const lines = [line("a"), line("b", { players: 2 }), line("c", { players: 3 })];
  expect(await playNow(lines, rulebooks)).toBe("a");
});

test("where there is none a practice table is opened", async () => {
  expect(await playNow([], rulebooks)).toBe("new");
  expect(posted.map(([path]) => path)).toEqual([
    "/api/guest",
    "/api/tables",
    "/api/tables/new/commands",
    "/api/tables/new/commands",
  ]);
});

test("whoever has a seat goes back to it", async () => {
  session.me = me;
  seats = { b: [{ seat: 1, person: me.person, rack: 700 }] };
  expect(await playNow([line("a", { players: 5 }), line("b", { players: 1 })], rulebooks)).toBe(
    "b",
  );
  expect(posted).toEqual([]);
});
