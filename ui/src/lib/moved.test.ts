import { expect, test } from "vitest";
import type { BetView, TableView } from "$wire";
import { movedWords } from "./moved.ts";

const bet = (wager: string, stake: number, vig = 0): BetView => ({
  wager,
  stake,
  vig,
  call: "house",
  working: true,
});
const table = (...bets: BetView[]) =>
  ({
    seats: [{ seat: 2, name: "Ann", person: null, rack: 0, bets }],
    wagers: [
      { wager: "buy", title: "Buy", spots: ["buy 4"] },
      { wager: "pass", title: "Pass Line", spots: ["pass"] },
      { wager: "odds pass", title: "Odds", spots: ["odds pass"] },
    ],
  }) as unknown as TableView;

const bought = { seat: 2, wager: "buy 4", amount: 2_100 };

test.each<[string, TableView, TableView, number, "on" | "from", string]>([
  [
    "a new bet",
    table(),
    table(bet("buy 4", 2_000, 100)),
    2_100,
    "on",
    "$20 on Buy 4 and $1 commission",
  ],
  [
    "a press is the difference of both",
    table(bet("buy 4", 2_000, 100)),
    table(bet("buy 4", 5_000, 250)),
    3_150,
    "on",
    "$30 on Buy 4 and $1.50 commission",
  ],
  [
    "a press that costs no more commission",
    table(bet("buy 4", 2_000, 100)),
    table(bet("buy 4", 2_500, 100)),
    500,
    "on",
    "$5 on Buy 4",
  ],
  [
    "all of it",
    table(bet("buy 4", 2_000, 100)),
    table(),
    2_100,
    "from",
    "$20 from Buy 4 and $1 commission",
  ],
  [
    "a part",
    table(bet("buy 4", 5_000, 250)),
    table(bet("buy 4", 2_000, 100)),
    3_150,
    "from",
    "$30 from Buy 4 and $1.50 commission",
  ],
  [
    "a record that moved it twice says the sum",
    table(),
    table(bet("buy 4", 5_000, 250)),
    2_100,
    "on",
    "$21 on Buy 4",
  ],
])("%s", (_, before, after, amount, where, words) => {
  expect(movedWords({ ...bought, amount }, before, after, where)).toBe(words);
});

test("a flat bet takes its odds along", () => {
  const before = table(bet("pass", 1_000), bet("odds pass", 2_000), bet("buy 4", 2_000, 100));
  const moved = { seat: 2, wager: "pass", amount: 3_000 };
  expect(movedWords(moved, before, table(bet("buy 4", 2_000, 100)), "from")).toBe(
    "$10 from Pass Line and $20 from Odds",
  );
});
