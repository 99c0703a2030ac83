import { expect, test } from "vitest";
import type { IfRolledView } from "$wire";
import { called, marks, putAgain, ways } from "./ifItRolls.ts";
import { signed } from "./money.ts";

const view = (total: number, hard: boolean, dice: string[], more: Partial<IfRolledView> = {}) => ({
  dice,
  total,
  hard,
  call: "",
  won: 0,
  lost: 0,
  keeps: 0,
  jackpots: 0,
  lines: [],
  ...more,
});

const easy = view(6, false, ["1-5", "2-4"], { won: 700, keeps: 1_200 });
const hard = view(6, true, ["3-3"], { won: 6_200, keeps: 1_200 });
const seven = view(7, false, ["1-6", "2-5", "3-4"], { lost: 3_000 });
const snake = view(2, true, ["1-1"]);

test("totals are called by their way only where there are two", () => {
  const all = [snake, easy, hard, seven];
  expect(all.map((one) => called(one, all))).toEqual(["2", "6 easy", "6 hard", "7"]);
});

test("dice are named where a total does different things", () => {
  const [one, other] = [view(8, false, ["2-6"]), view(8, false, ["3-5"], { won: 100 })];
  expect(called(one, [one, other])).toBe("8 easy (2-6)");
  const [low, high] = [view(5, false, ["1-4"]), view(5, false, ["2-3"], { won: 100 })];
  expect(called(high, [low, high])).toBe("5 (2-3)");
});

test("a pair comes one way and two faces two", () => {
  expect([snake, easy, hard, seven].map(ways)).toEqual([1, 4, 1, 6]);
});

test("boxes are marked where something would move, the hard way apart", () => {
  expect(marks([snake, easy, hard, seven])).toEqual([
    { total: 6, hard: false, text: signed(700), net: 700 },
    { total: 6, hard: true, text: signed(6_200), net: 6_200 },
    { total: 7, hard: false, text: signed(-3_000), net: -3_000 },
  ]);
});

test("what is put up again after the roll is said, and only that", () => {
  expect(putAgain({ stayUp: false, sameBets: false })).toBe("");
  expect(putAgain({ stayUp: true, sameBets: false })).toBe(
    "Auto then puts winning line bets up again: not counted here.",
  );
  expect(putAgain({ stayUp: true, sameBets: true })).toContain(
    "winning line bets and the bets your hand began with up again",
  );
});
