import { beforeEach, expect, test, vi } from "vitest";
import type { History, TableView, Update, WagerEdge } from "$wire";
import { Live } from "../lib/live.svelte.ts";
import { session } from "../lib/session.svelte.ts";
import { FakeSocket, ann, hand, install, roll, table, update, NOW } from "../testing/fakeSocket.ts";
import { Recording } from "./recording.ts";
import { rollsOf } from "./session.ts";
import { storeOf } from "./store.ts";

const NAMED = { id: "t", config: { name: "Downtown" } } as Partial<TableView>;
const at = (seq: number, more: Partial<TableView> = {}) => table({ ...NAMED, seq, ...more });
const EDGES = {
  known: Promise.resolve(),
  bySpot: new Map([["pass", { edge: "7/495" } as WagerEdge]]),
};

/** The browser's storage, as long as a test is. */
const kept = new Map<string, string>();
const storage = {
  get length() {
    return kept.size;
  },
  key: (place: number) => [...kept.keys()][place] ?? null,
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
const asked = vi.fn<(path: string) => void>();
let history: () => History;

beforeEach(() => {
  install();
  kept.clear();
  asked.mockClear();
  vi.restoreAllMocks();
  vi.stubGlobal("localStorage", storage);
  session.me = { person: "ann", name: "Ann", login: null, roles: ["guest"] };
  vi.stubGlobal("fetch", (path: string) => {
    asked(path);
    return Promise.resolve().then(() => Response.json(history()));
  });
});

const pass = () => vi.advanceTimersByTimeAsync(0);
/** A table is opened, as it is by then. */
async function open(now: TableView, edges = EDGES): Promise<Recording> {
  const recording = new Recording(new Live("t"), edges);
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: now });
  await pass();
  return recording;
}
async function say(...updates: ReturnType<typeof update>[]): Promise<void> {
  for (const one of updates) FakeSocket.last.say(one);
  await pass();
}
/** What the store has, newest first, as rolls and result. */
const saved = async () =>
  (await storeOf(session.me).all()).map((one) => [rollsOf(one), one.result, one.ended !== null]);
/** The page goes, and the browser says so. */
function leave(): void {
  const [, hears] = vi.mocked(addEventListener).mock.calls.findLast(([on]) => on === "pagehide")!;
  (hears as (event: object) => void)({ type: "pagehide" });
}

const lose = { seat: 0, wager: "pass", stake: 1_000, fate: "lose", vig: 0, left: null, to_rack: 0 };
const poorer = [{ ...ann, rack: 49_000 }];
const gone = update(52, {
  events: [{ event: "left", seat: 0, amount: 49_000, kind: "walk" }],
  seats: [{ ...ann, name: null, person: null, rack: 0 }],
});

test("what somebody plays is saved now and then, and once they have seen a roll", async () => {
  await open(at(50));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await saved()).toEqual([]);
  await say({ ...roll(51, 4, [lose]), seats: poorer });
  expect(await saved()).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await saved()).toEqual([[1, -1_000, false]]);
});

test("at once where they leave the page, or their seat", async () => {
  const recording = await open(at(50));
  await say({ ...roll(51, 4, [lose]), seats: poorer });
  leave();
  expect(await saved()).toEqual([[1, -1_000, false]]);
  await say(gone);
  expect(await saved()).toEqual([[1, -1_000, true]]);
  recording.close();
});

test("whoever watches leaves nothing behind", async () => {
  session.me = { ...session.me!, person: "bob" };
  const recording = await open(at(50));
  await say(roll(51, 4));
  recording.close();
  await pass();
  expect([await saved(), kept.size]).toEqual([[], 0]);
});

test("it waits until it is known who plays, and what bets cost", async () => {
  let tell = () => {};
  let price = () => {};
  vi.spyOn(session, "settled").mockReturnValue(new Promise((resolve) => (tell = resolve)));
  const known = new Promise<void>((resolve) => (price = resolve));
  await open(at(50), { ...EDGES, known });
  await say({ ...roll(51, 4, [lose]), seats: poorer }, gone);
  expect(kept.size).toBe(0);
  tell();
  await pass();
  expect(await saved()).toEqual([]);
  price();
  await pass();
  expect(await saved()).toEqual([[1, -1_000, true]]);
  const [one] = await storeOf(session.me).all();
  expect(one!.wagers.pass?.expected).toBe("-1400/99");
});

test("a reload goes on where the session was, with what was missed", async () => {
  const recording = await open(at(50));
  await say({ ...roll(51, 4, [lose]), seats: poorer });
  recording.close();
  const missed: Update = { ...roll(52, 5, [lose]), seats: [{ ...ann, rack: 48_000 }] };
  history = () => ({ table: at(51, { seats: poorer }), updates: [missed], head: 52 });
  await open(at(52, { seats: [{ ...ann, rack: 48_000 }], hand: hand({ rolls: 5 }) }));
  expect(asked.mock.calls).toEqual([["/api/tables/t/history?after=51&limit=500"]]);
  leave();
  expect(await saved()).toEqual([[2, -2_000, false]]);
});

test("also of one that has not seen a roll yet", async () => {
  const recording = await open(at(50));
  recording.close();
  history = () => ({ table: at(50), updates: [update(51)], head: 51 });
  await open(at(51));
  await say(roll(52, 4));
  leave();
  expect(await storeOf(session.me).all()).toMatchObject([{ first: 50, last: 52 }]);
});

test("where the history cannot be had the chips are compared", async () => {
  const recording = await open(at(50));
  await say({ ...roll(51, 4, [lose]), seats: poorer });
  recording.close();
  history = () => {
    throw new TypeError("no network");
  };
  await open(at(52, { seats: [{ ...ann, rack: 60_000 }] }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledTimes(3);
  leave();
  expect(await saved()).toEqual([[1, 10_000, false]]);
});

test("the house's dice are checked, but not by a commitment heard of too late", async () => {
  const thrown = { secret: "00", shooter_bytes: "" };
  const unsound = (seq: number, number: number) => {
    const one = roll(seq, number);
    Object.assign(one.events[0]!, { thrown });
    return one;
  };
  await open(at(50));
  await say(unsound(51, 4));
  await vi.dynamicImportSettled();
  FakeSocket.last.drop();
  await vi.advanceTimersByTimeAsync(1_000);
  FakeSocket.last.say({ type: "resumed", at: 0, now: NOW, seq: 52 });
  await say(unsound(52, 5));
  leave();
  const [one] = await storeOf(session.me).all();
  expect(one!.dice).toEqual({ thrown: 2, checked: 1, sound: 0, unsound: [51] });
});
