import type { WagerView } from "$wire";
import { expect, test } from "vitest";
import { callToBe, timeLeft, title } from "./words.ts";

const wager = (name: string, called: string, spots: string[]) =>
  ({ wager: name, title: called, spots }) as WagerView;
const WAGERS = [
  wager("pass", "Pass Line", ["pass"]),
  wager("come", "Come", ["come", "come 6"]),
  wager("odds come", "Odds behind Come", ["odds come 6"]),
];

test.each([
  ["pass", "Pass Line"],
  ["come", "Come"],
  ["come 6", "Come 6"],
  ["odds come 6", "Odds behind Come 6"],
  ["fire", "fire"],
])("%s is called %s", (spot, called) => expect(title(WAGERS, spot)).toBe(called));

test.each([
  [3, 4, null, "seven, front line winner"],
  [3, 4, 6, "seven out, line away"],
  [1, 1, null, "aces, craps two"],
  [6, 6, 8, "boxcars, craps twelve"],
  [3, 3, null, "six, the hard way, mark the 6"],
  [2, 4, 6, "easy six, winner"],
  [2, 4, 8, "easy six"],
  [1, 4, 5, "five, winner"],
  [5, 6, null, "yo eleven"],
])("%i-%i with the puck on %s: %s", (first, second, puck, call) =>
  expect(callToBe(first, second, puck)).toBe(call),
);

test("time left is rounded up and never negative", () => {
  expect(timeLeft(600_000, 0)).toBe("10:00");
  expect(timeLeft(59_001, 0)).toBe("1:00");
  expect(timeLeft(500, 0)).toBe("0:01");
  expect(timeLeft(0, 9_000)).toBe("0:00");
});
