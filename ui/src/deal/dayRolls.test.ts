// The list of rolls that can be mended, and the lines that are suggested for one of them.

import type { MendQuestion, TableView, Update } from "$wire";
import { beforeEach, expect, test, vi } from "vitest";
import { DayRolls } from "./dayRolls.svelte.ts";
import { Suggestion } from "./suggestion.svelte.ts";

const NOON = Date.UTC(2026, 2, 5, 12);
const update = (seq: number, ...events: unknown[]): Update =>
  ({ seq, at: NOON, events }) as unknown as Update;
const rolled = (number: number, dice: string) => ({ event: "rolled", number, dice });
/** A log of records, each tenth of which is a roll. */
const log = (last: number) =>
  Array.from({ length: last }, (_, before) => {
    const seq = before + 1;
    return update(seq, seq % 10 === 0 ? rolled(seq / 10, "4-2") : { event: "put" });
  });

/** What was asked of the server; each is answered when the test says so. */
let asked: { path: string; answer: (body: unknown, status?: number) => Promise<void> }[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal(
    "fetch",
    (path: string) =>
      new Promise((resolve) => {
        const answer = async (body: unknown, status = 200) => {
          resolve(new Response(JSON.stringify(body), { status }));
          await new Promise((done) => setTimeout(done));
        };
        asked.push({ path, answer });
      }),
  );
});

/** Answers a request for records out of a log. */
async function read(records: Update[], which = asked.length - 1): Promise<void> {
  const { path, answer } = asked[which]!;
  const query = new URL(path, "http://here").searchParams;
  const [after, limit] = [Number(query.get("after")), Number(query.get("limit"))];
  const updates = records.filter(({ seq }) => seq > after).slice(0, limit);
  await answer({ table: { seq: after, seats: [] } as unknown as TableView, updates });
}
const records = (rolls: DayRolls) => rolls.list(NOON).map(({ record }) => record);

test("every roll is listed once, however often the log is read", async () => {
  const all = log(620);
  const rolls = new DayRolls("t");
  void rolls.begin(620);
  void rolls.begin(620);
  expect(asked).toHaveLength(1);
  await read(all);
  void rolls.earlier();
  void rolls.earlier();
  expect(asked).toHaveLength(2);
  await read(all);
  rolls.hear(all[619]!);
  expect(records(rolls)).toEqual(Array.from({ length: 62 }, (_, back) => 620 - 10 * back));
});

test("a roll that another page names is listed once, before and after the log is read", async () => {
  const all = log(100);
  const rolls = new DayRolls("t");
  const picked = rolls.pick(50);
  void rolls.begin(100);
  await read(all, 0);
  expect(await picked).toBe(true);
  expect(records(rolls)).toEqual([50]);
  await read(all, 1);
  expect(records(rolls)).toEqual([100, 90, 80, 70, 60, 50, 40, 30, 20, 10]);
  expect(rolls.roll(NOON)?.number).toBe(5);
});

test("a chosen roll far back stays in the list while new ones come", async () => {
  const all = log(900);
  const rolls = new DayRolls("t");
  void rolls.begin(900);
  await read(all);
  const picked = rolls.pick(20);
  await read(all);
  await picked;
  rolls.hear(update(901, rolled(91, "6-6")));
  expect(records(rolls)[0]).toBe(901);
  expect(records(rolls).at(-1)).toBe(20);
  expect(asked).toHaveLength(2);
  void rolls.again(905);
  await read(log(905));
  expect(rolls.roll(NOON)?.record).toBe(20);
});

test("what was read before the table was sent whole is dropped", async () => {
  const rolls = new DayRolls("t");
  void rolls.begin(30);
  void rolls.again(40);
  await read(log(40), 1);
  await read([update(30, rolled(3, "1-1"))], 0);
  expect(records(rolls)).toEqual([40, 30, 20, 10]);
  expect(rolls.reading).toBe(false);
});

test("a roll that is voided or corrected is no longer chosen", async () => {
  const all = log(30);
  const rolls = new DayRolls("t");
  void rolls.begin(30);
  await read(all);
  const picked = rolls.pick(30);
  await read(all);
  await picked;
  rolls.hear(update(31, { event: "voided", dice: "4-2" }));
  expect([rolls.picked, rolls.then]).toEqual([null, null]);
  expect(records(rolls)).toEqual([20, 10]);
});

test("an answer about one roll is not shown under another", async () => {
  const rolls = new DayRolls("t");
  const first = rolls.pick(10);
  const second = rolls.pick(20);
  await read(log(30), 1);
  await read(log(30), 0);
  expect([await first, await second]).toEqual([false, true]);
  expect(rolls.roll(NOON)?.record).toBe(20);
});

test("a page of the log that ends with a change of rules is read on after", async () => {
  const all = log(80);
  const rolls = new DayRolls("t");
  void rolls.begin(80);
  const { answer } = asked[0]!;
  await answer({ table: {}, updates: all.slice(1, 35), head: 80 });
  expect(asked.map(({ path }) => path.split("?")[1])).toEqual([
    "after=1&limit=79",
    "after=35&limit=45",
  ]);
  await read(all);
  expect(records(rolls)).toEqual([80, 70, 60, 50, 40, 30, 20, 10]);
  expect([rolls.first, rolls.reading]).toEqual([1, false]);
});

const question = (of: number): MendQuestion => ({ of, kind: "no-roll" });
const line = (due: number) => ({ part: "winnings", seat: 0, name: "Ann", due, amount: due });

test("lines of an earlier question are dropped, and so is its refusal", async () => {
  const suggestion = new Suggestion("t");
  const first = suggestion.ask(question(10));
  const second = suggestion.ask(question(20));
  await asked[1]!.answer([line(200)]);
  await asked[0]!.answer([line(100)]);
  await Promise.all([first, second]);
  expect(suggestion.question).toEqual(question(20));
  expect(suggestion.lines?.map(({ line }) => line.due)).toEqual([200]);

  const third = suggestion.ask(question(10));
  expect(suggestion.lines).toBeNull();
  suggestion.clear();
  await asked[2]!.answer({ type: "", status: 409, code: "no-roll", detail: "no" }, 409);
  await third;
  expect(suggestion.lines).toBeNull();
});

test.each(["mended", "voided", "corrected"])("lines go once a roll was %s", async (event) => {
  const suggestion = new Suggestion("t");
  const answered = suggestion.ask(question(10));
  await asked[0]!.answer([line(100)]);
  await answered;
  expect(suggestion.hear(update(31, { event: "put" }))).toBe(false);
  expect(suggestion.lines).toHaveLength(1);
  expect(suggestion.hear(update(32, { event }))).toBe(true);
  expect([suggestion.lines, suggestion.question]).toEqual([null, null]);
  expect(suggestion.hear(update(33, { event }))).toBe(false);
});
