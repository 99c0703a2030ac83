import { expect, test } from "vitest";
import type { PayView, WagerView } from "$wire";
import { paysOn } from "./pays.ts";

const line = (on: string, pays: string, envy: string | null = null): PayView => ({
  on,
  numbers: on && !on.includes("-") ? on.split(" ").map(Number) : [],
  pays,
  envy,
});
const wager = (...pays: PayView[]) => ({ pays, wins: "the number" }) as WagerView;
const place = wager(line("4 10", "9 to 5"), line("6 8", "7 to 6"));
const board = (shape: string, ...pays: PayView[]) =>
  ({ ...wager(...pays), board: { shape } }) as WagerView;
const rungs = [line("5", "100% of the meter", "$1000"), line("4", "$300", "$50 each")];
const row = board("sequence", ...rungs);
const all = board("distinct", ...rungs);

const high = { ...wager(line("2 12", "30 to 1"), line("3 11", "15 to 1")), wins: "2, 3, 11, 12" };
const hop = { ...wager(line("1-1 4-4", "30 to 1"), line("3-5", "15 to 1")), wins: "its faces" };
const repeater = {
  ...board("count", line("2 12", "40 to 1"), line("6 8", "90 to 1")),
  wins: "the number often enough (2: twice, 6: 6 times, 8: 6 times, 12: twice) before 7",
};
const lay = { ...wager(line("4 10", "1 to 2"), line("6 8", "5 to 6")), wins: "7" };

test.each([
  ["horn-high 11", high, false, ["30 to 1 on 2 and 12", "15 to 1 on 3 and 11"]],
  ["hop 3-5", hop, false, ["15 to 1"]],
  ["hop 4-4", hop, false, ["30 to 1"]],
  ["lay 4", lay, false, ["1 to 2"]],
  ["place 6", place, false, ["7 to 6"]],
  ["field", place, false, ["9 to 5 on 4 and 10", "7 to 6 on 6 and 8"]],
  ["pass", wager(line("", "1 to 1")), false, ["1 to 1"]],
  [
    "small",
    wager(line("", "30 to 1", "1x")),
    false,
    ["30 to 1 (the dealers get as much as the bet)"],
  ],
  ["all", wager(line("", "150 to 1", "5x")), false, ["150 to 1 (the dealers get 5 times the bet)"]],
  ["fire", board("count", line("5", "250 for 1")), false, ["250 for 1 for 5 of them"]],
  ["hot", board("count", line("8-15", "1 for 1")), false, ["1 for 1 for 8-15 of them"]],
  ["muggsy", board("sequence", line("1-7", "2 to 1")), false, ["2 to 1 for 1-7 in a row"]],
  ["repeater 6", repeater, false, ["90 to 1"]],
  ["row", row, true, ["the whole meter for 5 in a row", "$300 for 4 in a row"]],
  [
    "all",
    all,
    false,
    [
      "the whole meter for 5 different numbers (the dealers get $1,000)",
      "$300 for 4 different numbers (the dealers get $50 each)",
    ],
  ],
])("%s", (spot, wager, short, lines) => expect(paysOn(wager, spot, short)).toEqual(lines));

test("odds on the line pay by the point", () => {
  expect(paysOn(place, "odds pass", true, 6)).toEqual(["7 to 6"]);
  expect(paysOn(place, "odds pass", true)).toHaveLength(2);
  expect(paysOn(place, "odds come 4", true, 6)).toEqual(["9 to 5"]);
  expect(paysOn(place, "field", true, 6)).toHaveLength(2);
});
