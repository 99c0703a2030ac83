import { expect, test } from "vitest";
import { NOTHING, choose, dice, digit } from "./keyed.ts";

test("two digits are two dice, a third begins again", () => {
  const three = digit(NOTHING, 3);
  expect(three).toEqual([3, null]);
  expect(dice(three)).toBeNull();
  const pair = digit(three, 4);
  expect(dice(pair)).toBe("3-4");
  expect(digit(pair, 6)).toEqual([6, null]);
});

test("a die of the pad is changed without the other", () => {
  expect(choose([3, 4], 0, 1)).toEqual([1, 4]);
  expect(choose(NOTHING, 1, 5)).toEqual([null, 5]);
  expect(digit([null, 5], 2)).toEqual([2, 5]);
});
