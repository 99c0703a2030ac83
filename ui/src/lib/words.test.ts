import type { WagerView } from "$wire";
import { expect, test } from "vitest";
import { count, listed, named, numberOf, timeLeft, title } from "./words.ts";

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
  ["fire-bet 6", "Fire bet 6"],
])("%s is called %s", (spot, called) => expect(title(WAGERS, spot)).toBe(called));

test.each([
  ["pass", "pass is bet before a come-out", "Pass Line is bet before a come-out"],
  ["odds come 6", "odds come 6 needs a flat bet", "Odds behind Come 6 needs a flat bet"],
  ["come", "bets ride on come, wait", "bets ride on Come, wait"],
  ["come", "wait for a come-out", "wait for a come-out"],
  ["pass", "needs a Pass or Don't Pass bet", "needs a Pass or Don't Pass bet"],
])("of %s: %s", (spot, said, shown) => expect(named(WAGERS, spot, said)).toBe(shown));

test("things in a row", () => {
  expect(listed([])).toBe("");
  expect(listed(["Field"])).toBe("Field");
  expect(listed(["7", "11"], "or")).toBe("7 or 11");
  expect(listed(["Field", "Come", "Place 6"])).toBe("Field, Come and Place 6");
});

test("a spot's number", () => {
  expect(numberOf("odds come 10")).toBe(10);
  expect(numberOf("field")).toBeNull();
  expect(numberOf("hop 3-5")).toBeNull();
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
