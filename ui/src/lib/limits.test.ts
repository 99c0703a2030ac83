import { expect, test } from "vitest";
import { inSteps, limits } from "./limits.ts";

test.each([
  [{ min: 100, max: 500_000, unit: 400 }, "$4 to $5,000 in fours"],
  [{ min: 100, max: 500_000, unit: 500 }, "$5 to $5,000 in fives"],
  [{ min: 1_500, max: 499_900, unit: 400 }, "$16 to $4,996 in fours"],
  [{ min: 500, max: 500_000, unit: 100 }, "$5 to $5,000"],
  [{ min: 100, max: null, unit: 100 }, "$1 and up"],
  [{ min: 100, max: 100, unit: 100 }, "exactly $1"],
  [{ min: 100, max: 600, unit: 500 }, "exactly $5"],
  [{ min: 2_000, max: 10_000, unit: 2_500 }, "$25 to $100 in steps of $25"],
])("%o is %s", (wager, words) => expect(limits(wager)).toBe(words));

test("nobody counts in halves", () => expect(inSteps(50)).toBe("steps of $0.50"));
