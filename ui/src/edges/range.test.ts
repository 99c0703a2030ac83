import { expect, test } from "vitest";
import type { ParSheet } from "$wire";
import { meterRange, round } from "./range.ts";

const sheet = (break_even: number | null, seed: number | null) =>
  ({ break_even, seed }) as unknown as ParSheet;

test("steps are round", () => {
  expect([0.9, 1, 1.1, 34, 68_000].map(round)).toEqual([1, 1, 2, 50, 100_000]);
});

test("a meter reaches past break-even in whole steps", () => {
  const { max, step } = meterRange([sheet(3_779_093, 100_000), sheet(null, null)]);
  expect(step).toBe(500);
  expect(max).toBe(57_000);
  expect(meterRange([])).toEqual({ max: 10, step: 0.05 });
  expect(meterRange([sheet(null, 100_000)]).max).toBe(2_000);
});
