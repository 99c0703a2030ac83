import { expect, test } from "vitest";
import { DIGIT, MARK, claimed, digits, ems, shown } from "./shown.ts";

const STEPS = Array.from({ length: 101 }, (_, step) => step / 100);
const CASES: [previous: number, amount: number][] = [
  [0, 1],
  [1_000_000, 1_000_015],
  [1_000_000, 1_000_001],
  [0, 123_456_789],
  [500_058, 500_002],
  [7, 7],
  [99, 100.9],
  [9_007_199_254_740_000, 9_007_199_254_740_991],
];

test.each(CASES)("from %d to %d the sign never shows more than is payable", (previous, amount) => {
  for (const t of [...STEPS, -1, 2, Number.NaN]) {
    expect(shown(previous, amount, t)).toBeLessThanOrEqual(amount);
    expect(Number.isInteger(shown(previous, amount, t))).toBe(true);
  }
});

test.each(CASES)("from %d to %d it climbs without a step back, and arrives", (previous, amount) => {
  let last = Math.min(previous, Math.floor(amount));
  for (const t of STEPS) {
    const now = shown(previous, amount, t);
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
  expect(shown(previous, amount, 1)).toBe(Math.floor(amount));
});

test("a fall is shown at once", () => {
  expect(shown(500_058, 500_002, 0)).toBe(500_002);
});

test("it starts where it was", () => {
  expect(shown(100, 200, 0)).toBe(100);
});

test("cents are floored and always shown", () => {
  expect(digits(1_000_000)).toBe("$10,000.00");
  expect(digits(500_058.9)).toBe("$5,000.58");
  expect(digits(7)).toBe("$0.07");
  expect(ems("$5,000.58")).toBeCloseTo(7 * DIGIT + 2 * MARK);
});

test("a claim is told as a claim", () => {
  expect(claimed([500_075])).toBe("Jackpot claimed, being verified: $5,000.75");
  expect(claimed([500_075, 250_000])).toBe(
    "Jackpot claimed, being verified: $5,000.75 and $2,500.00",
  );
  // The meter has not answered.
  expect(claimed([])).toBe("Jackpot claimed, being verified");
});
