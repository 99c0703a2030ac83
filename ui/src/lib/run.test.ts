import type { BoardView, TrackerView } from "$wire";
import { expect, test } from "vitest";
import { award, circles, lit, reached } from "./run.ts";

const rung = (number: number, pays: string) => ({
  rung: number,
  on: String(number),
  pays,
  envy: null,
  meter: pays.includes("meter"),
});
const DISTINCT: BoardView = {
  shape: "distinct",
  numbers: [6, 2, 3],
  sequences: [],
  lists: [],
  rungs: [rung(3, "100% of the meter"), rung(2, "$5")],
  on_bonus: false,
};
const SEQUENCE: BoardView = {
  shape: "sequence",
  numbers: [6, 5, 4, 8, 9, 10],
  sequences: [
    [6, 5, 4],
    [8, 9, 10],
  ],
  lists: ["6-5-4", "8-9-10"],
  rungs: [rung(3, "100% of the meter"), rung(2, "$5"), rung(1, "$1")],
  on_bonus: false,
};
const tracker = (marks: number[], matched = 0): TrackerView => ({
  wager: "w",
  marks,
  matched,
  progress: "",
  count: matched || marks.length,
  of: null,
  lammers: [],
  bets: 1,
  riding: "standing",
});

test("the lit rung is the highest reached", () => {
  expect(lit(DISTINCT, tracker([2]))).toBeNull();
  expect(lit(DISTINCT, tracker([2, 6]))?.pays).toBe("$5");
  expect(lit(DISTINCT, tracker([2, 3, 6]))?.rung).toBe(3);
  expect(lit(SEQUENCE, tracker([8], 1))?.pays).toBe("$1");
  expect(lit(DISTINCT, undefined)).toBeNull();
  expect(reached(tracker([8, 9], 2))).toBe(2);
});

test("circles are in order, and those that have come are marked", () => {
  expect(circles(DISTINCT, tracker([6]))).toEqual([
    [
      { on: "2", come: false },
      { on: "3", come: false },
      { on: "6", come: true },
    ],
  ]);
});

test("points made have circles, and what is counted has none", () => {
  const board: BoardView = { ...DISTINCT, shape: "count", numbers: [] };
  const points = [
    { on: "4", count: 1 },
    { on: "6", count: 0 },
  ];
  const come = [
    { on: "4", come: true },
    { on: "6", come: false },
  ];
  expect(circles(board, { ...tracker([]), lammers: points, of: 2 })).toEqual([come]);
  expect(circles(board, { ...tracker([]), lammers: points })).toEqual([[]]);
  const often = [{ on: "4", count: 3 }];
  expect(circles(board, { ...tracker([]), lammers: often, of: 1 })).toEqual([[]]);
  const dice = [{ on: "3-3", count: 1 }];
  expect(circles(board, { ...tracker([]), lammers: dice, of: 1 })).toEqual([[]]);
});

test("a sequence is followed one way or the other", () => {
  const come = (marks: number[], matched: number) =>
    circles(SEQUENCE, tracker(marks, matched)).map((row) => row.filter((one) => one.come).length);
  expect(come([], 0)).toEqual([0, 0]);
  expect(come([6], 1)).toEqual([1, 0]);
  expect(come([8, 9], 2)).toEqual([0, 2]);
  expect(come([4, 5, 6], 3)).toEqual([3, 0]);
});

test("the whole meter is the jackpot", () => {
  expect(award(rung(3, "100% of the meter"))).toBe("Jackpot");
  expect(award(rung(2, "$5"))).toBe("$5");
});
