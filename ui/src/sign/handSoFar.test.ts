import { expect, test } from "vitest";
import { hottest, madeSince, pointsMade, rollsOf } from "./handSoFar.ts";

const USUAL = [4, 5, 6, 8, 9, 10];
const CRAPLESS = [2, 3, ...USUAL, 11, 12];

test("the rolls of a hand are the last of the recent ones", () => {
  expect(rollsOf(["1-1", "2-2", "3-3"], 2)).toEqual(["2-2", "3-3"]);
  expect(rollsOf(["1-1"], 0)).toEqual([]);
});

test("a point is made when its number comes again", () => {
  expect(pointsMade([], USUAL)).toBe(0);
  expect(pointsMade(["4-4"], USUAL)).toBe(0);
  expect(pointsMade(["4-4", "3-2", "4-4"], USUAL)).toBe(1);
  // Seven and eleven come out without a point; craps as well.
  expect(pointsMade(["3-4", "5-6", "1-1", "2-2", "1-3", "3-3", "3-3", "4-5"], USUAL)).toBe(2);
});

test("of a hand whose first rolls are not known no more points are told than are sure", () => {
  const rolls = ["3-3", "4-5", "3-3", "4-4", "5-5"];
  // With the eight up, the first six was a point and the second made it.
  expect(madeSince(rolls, 8, USUAL)).toBe(1);
  // With the ten up it was the eight that was made, and nobody knows what before.
  expect(madeSince(rolls, 10, USUAL)).toBe(1);
  // A five that was up all along: none.
  expect(madeSince(rolls, 5, USUAL)).toBe(0);
});

test("hot numbers, the hottest first and the later one of two alike", () => {
  expect(hottest(["1-1", "3-3", "2-4", "5-5", "1-1", "4-5"], 3)).toEqual([
    { total: 2, times: 2 },
    { total: 6, times: 2 },
    { total: 9, times: 1 },
  ]);
  expect(hottest([], 3)).toEqual([]);
});

test("where there is no craps a two and an eleven are points", () => {
  expect(pointsMade(["1-1", "5-6", "1-1", "5-6", "3-4"], CRAPLESS)).toBe(1);
  expect(pointsMade(["1-1", "5-6", "1-1", "5-6", "3-4"], USUAL)).toBe(0);
  expect(madeSince(["1-2", "6-6", "1-2"], null, CRAPLESS)).toBe(1);
});
