import { expect, test } from "vitest";
import type { PayView, WagerView } from "$wire";
import { paysOn } from "./pays.ts";

const line = (on: string, pays: string, envy: string | null = null): PayView => ({
  on,
  numbers: on ? on.split(" ").map(Number) : [],
  pays,
  envy,
});
const wager = (...pays: PayView[]) => ({ pays, wins: "the number" }) as WagerView;
const place = wager(line("4 10", "9 to 5"), line("6 8", "7 to 6"));
const ladder = wager(line("10", "the meter", "$50"), line("9", "$300"));

const high = { ...wager(line("2 12", "30 to 1"), line("3 11", "15 to 1")), wins: "2, 3, 11, 12" };
const lay = { ...wager(line("4 10", "1 to 2"), line("6 8", "5 to 6")), wins: "7" };

test.each([
  ["horn-high 11", high, false, ["2 12: 30 to 1", "3 11: 15 to 1"]],
  ["lay 4", lay, false, ["1 to 2"]],
  ["place 6", place, false, ["7 to 6"]],
  ["field", place, false, ["4 10: 9 to 5", "6 8: 7 to 6"]],
  ["pass", wager(line("", "1 to 1")), false, ["1 to 1"]],
  ["all", ladder, false, ["10: the meter, envy $50", "9: $300"]],
  ["all", ladder, true, ["10: the meter", "9: $300"]],
])("%s", (spot, wager, short, lines) => expect(paysOn(wager, spot, short)).toEqual(lines));
