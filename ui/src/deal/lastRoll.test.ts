import type { Happened, HandView, RolledView, TableView, Update } from "$wire";
import { beforeEach, expect, test, vi } from "vitest";
import { LastRoll } from "./lastRoll.svelte.ts";

function hand(marks: number[], more: Partial<HandView> = {}): HandView {
  const tracker = { wager: "small", marks, matched: 0, bets: 1, riding: "standing" };
  return { trackers: [tracker], claims: [], rolls: 1, ...more } as unknown as HandView;
}

function table(marks: number[], more: Partial<HandView> = {}): TableView {
  const bet = { wager: "field", stake: 500, vig: 0, call: "house", working: true };
  return {
    wagers: [
      { wager: "field", title: "Field", spots: ["field"], paytable: null, board: null },
      { wager: "small", title: "Small", spots: ["small"], board: { shape: "collect" } },
    ],
    seats: [{ seat: 0, name: "Ann", person: null, rack: 0, bets: [bet] }],
    config: { seats: 8 },
    recent: [],
    hand: hand(marks, more),
  } as unknown as TableView;
}

const LOST = {
  seat: 0,
  wager: "field",
  stake: 500,
  fate: "lose",
  won: 0,
  commission: 0,
  vig: 0,
  to_rack: 0,
  left: null,
};
const WON = { ...LOST, fate: "win", won: 500, to_rack: 1000 };

function roll(dice: string, line: typeof LOST): RolledView {
  const rolled = { dice, number: 1, shooter: 0, lines: [line], envy: 300, claims: [] };
  return rolled as unknown as RolledView;
}

/** The update of the next record. */
function update(hand: HandView, ...events: Happened[]): Update {
  return { seq: (seq += 1), at: 0, by: "dee", events, seats: [], hand };
}

let seq: number;
let last: LastRoll;
beforeEach(() => {
  seq = 1;
  last = new LastRoll();
  last.hear(update(hand([5]), { event: "rolled", ...roll("1-4", LOST) }), table([]));
  last.done.add("board small");
});

test("a roll is lammers to place", () => {
  expect(last.number).toBe(1);
  expect(last.boards).toMatchObject([{ title: "Small", place: [5], clear: [] }]);
});

test("the next roll starts with nothing ticked off", () => {
  last.hear(update(hand([5]), { event: "rolled", ...roll("2-3", WON) }), table([5]));
  expect(last.done.size).toBe(0);
  expect(last.boards).toEqual([]);
});

test("what is no roll changes nothing", () => {
  last.hear(update(hand([5]), { event: "betting-opened" }), table([5]));
  expect(last.done.has("board small")).toBe(true);
  expect(last.boards).toHaveLength(1);
});

test("a void says which lammers to clear", () => {
  const voided: Happened = { event: "voided", dice: "1-4", reason: "cocked", undone: [] };
  last.hear(update(hand([]), voided), table([5]));
  expect(last.number).toBeNull();
  expect(last.boards).toMatchObject([{ place: [], clear: [5] }]);
});

test("a correction clears the wrong lammers and places the right ones", () => {
  const corrected: Happened = {
    event: "corrected",
    was: "1-4",
    reason: "misread",
    undone: [],
    rolled: roll("1-3", WON),
  };
  last.hear(update(hand([4]), corrected), table([5]));
  expect(last.boards).toMatchObject([{ place: [4], clear: [5] }]);
});

/** The log that the browser reads when the table was sent whole. */
function log(...updates: Update[]): TableView {
  const before = table([], { rolls: 0 });
  const past = { table: before, updates };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(past))));
  const hand = updates.at(-1)?.hand ?? before.hand;
  return { ...before, id: "t", seq, hand };
}

const first = () =>
  update(hand([5]), { event: "rolled", ...roll("1-4", LOST) } as unknown as Happened);
const second = () =>
  update(hand([5, 3], { rolls: 2 }), { event: "rolled", ...roll("1-2", LOST), number: 2 } as never);
const taken = () =>
  update(hand([5], { rolls: 1 }), { event: "voided", dice: "1-2", reason: "late", undone: [] });

test("after a void the roll before it is no fresh work, whenever the table is read again", async () => {
  const heard = [first(), second(), taken()] as const;
  const [one, two, gone] = heard;
  last = new LastRoll();
  last.hear(one, table([], { rolls: 0 }));
  last.hear(two, table([5]));
  last.hear(gone, table([5, 3], { rolls: 2 }));
  last.done.add("board small");
  await last.recover(log(...heard));
  expect(last.number).toBeNull();
  expect(last.boards).toMatchObject([{ place: [], clear: [3] }]);
  // What was ticked off stays so.
  expect(last.done.has("board small")).toBe(true);
});

test("a page that is opened after a void shows the lammers to clear", async () => {
  last = new LastRoll();
  await last.recover(log(first(), second(), taken()));
  expect(last.number).toBeNull();
  expect(last.boards).toMatchObject([{ place: [], clear: [3] }]);
});

test("an answer about an earlier roll does not take the place of a later one", async () => {
  const one = first();
  const known = log(one);
  last = new LastRoll();
  const reading = last.recover(known);
  last.hear(second(), table([5]));
  await reading;
  expect(last.boards).toMatchObject([{ place: [3] }]);
});

test("the last roll is found after a change of rules too", async () => {
  const configured = () => update(hand([5]), { event: "configured" } as never);
  const [one, other, two] = [first(), configured(), second()];
  const known = log(one, other, two);
  const pages = [
    { table: table([], { rolls: 0 }), updates: [one, other] },
    { table: table([5]), updates: [two] },
  ];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(pages.shift()))));
  last = new LastRoll();
  await last.recover(known);
  expect(last.number).toBe(2);
  expect(last.boards).toMatchObject([{ place: [3], clear: [] }]);
});
