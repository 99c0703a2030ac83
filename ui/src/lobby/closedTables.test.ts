import type { TableLine } from "$wire";
import { beforeEach, expect, test, vi } from "vitest";
import { ClosedTables, PAGE, closedBy, path, report } from "./closedTables.svelte.ts";

const line = (id: string, more: object = {}): TableLine =>
  ({
    id,
    name: id,
    practice: false,
    closed: {
      opened: Date.UTC(2026, 10, 3, 12),
      at: Date.UTC(2026, 10, 5, 22),
      seq: 90,
      by: "p-1",
      name: "Mx. sue",
      asked_by: null,
      ...more,
    },
  }) as TableLine;
const asked = vi.fn<(path: string) => void>();
let answers: ((lines: TableLine[]) => void)[];

beforeEach(() => {
  asked.mockClear();
  answers = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked(path);
    return new Promise((answer) => answers.push((lines) => answer(Response.json(lines))));
  });
});

const pageOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => line(`t${from + place}`));

test("a page is asked for by name, chips and the last table seen", () => {
  expect(path("", false, null)).toBe(`/api/tables?closed=true&limit=${PAGE}&practice=false`);
  expect(path(" pit 4 ", true, "t9")).toBe(
    `/api/tables?closed=true&limit=${PAGE}&name=pit+4&after=t9`,
  );
});

test("pages follow one another until one is not full", async () => {
  const list = new ClosedTables();
  const first = list.look("", false);
  expect([list.busy, list.lines]).toEqual([true, null]);
  answers[0]!(pageOf(PAGE));
  await first;
  expect([list.busy, list.lines?.length, list.more]).toEqual([false, PAGE, true]);
  const second = list.next();
  expect(asked).toHaveBeenLastCalledWith(path("", false, `t${PAGE - 1}`));
  answers[1]!(pageOf(3, PAGE));
  await second;
  expect([list.lines?.length, list.more]).toEqual([PAGE + 3, false]);
});

test("the answer to an earlier search is not shown", async () => {
  const list = new ClosedTables();
  const [early, late] = [list.look("p", false), list.look("pit", false)];
  answers[1]!([line("pit")]);
  await late;
  answers[0]!([line("p")]);
  await early;
  expect(list.lines?.map(({ id }) => id)).toEqual(["pit"]);
});

test("a refusal is told", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ detail: "that is not for you to do" }, { status: 403 })),
  );
  const list = new ClosedTables();
  await list.look("", false);
  expect([list.problem, list.busy]).toEqual(["That is not for you to do.", false]);
});

test("it is told when it was closed and by whom, and has a report of its days", () => {
  expect(closedBy(line("t"))).toMatch(/^Closed Nov \d, 2026, .* by Mx\. sue$/);
  expect(closedBy(line("t", { name: null }))).toMatch(/ by p-1$/);
  expect(closedBy(line("t", { name: null, by: "boxman" }))).toMatch(/ by the house$/);
  expect(report(line("t"))).toBe("/api/reports?table=t&format=csv&from=2026-11-03&to=2026-11-05");
});
