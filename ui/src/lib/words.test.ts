import type { WagerView } from "$wire";
import { expect, test } from "vitest";
import { count, numberOf, timeLeft, title } from "./words.ts";

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

test("a spot's number", () => {
  expect(numberOf("odds come 10")).toBe(10);
  expect(numberOf("field")).toBeNull();
});

test("counting", () => {
  expect(count(1, "bet")).toBe("1 bet");
  expect(count(0, "bet")).toBe("0 bets");
});

test("time left is rounded up and never negative", () => {
  expect(timeLeft(600_000, 0)).toBe("10:00");
  expect(timeLeft(59_001, 0)).toBe("1:00");
  expect(timeLeft(500, 0)).toBe("0:01");
  expect(timeLeft(0, 9_000)).toBe("0:00");
});
