import type { Happened, TableView } from "$wire";
import { expect, test } from "vitest";
import { tidings } from "./tidings.ts";

const TABLE = {
  seats: [
    { seat: 0, name: "Ann" },
    { seat: 3, name: "Sam" },
  ],
  wagers: [
    { wager: "make-em-all", title: "Make 'Em All", spots: ["make-em-all"] },
    { wager: "buy", title: "Buy", spots: ["buy 4"] },
    { wager: "odds dont-pass", title: "Odds behind Don't Pass", spots: ["odds dont-pass"] },
  ],
} as unknown as TableView;

const BUY = { wager: "buy 4", stake: 2_000, vig: 100, call: "house", working: true };
const award = { claim: 1, wager: "make-em-all", amount: 600_000 };

test.each<[Happened, string]>([
  [{ event: "held", seat: 3, ...award }, "Sam's $6,000 on Make 'Em All waits to be confirmed."],
  [{ event: "held", seat: 0, ...award }, "Your $6,000 on Make 'Em All waits to be confirmed."],
  [{ event: "released", seat: 0, ...award }, "Your $6,000 on Make 'Em All is confirmed."],
  [
    { event: "claim-denied", ...award, shares: [[0, 600_000]], reason: "no bet" },
    "What Make 'Em All won is not paid: no bet.",
  ],
  [
    { event: "returned", seat: 3, wager: "odds dont-pass", amount: 500, reason: "late" },
    "$5 on Odds behind Don't Pass goes back to Sam: late.",
  ],
  [{ event: "given-up", seat: 3, reason: "asleep" }, "Sam's seat is given up: asleep."],
  [{ event: "change-queued" }, "New rules wait for the next come-out with no bets up."],
  [{ event: "dice-passed", to: 3 }, "Sam has the dice."],
  [{ event: "dice-passed", to: 0 }, "You have the dice."],
  [
    {
      event: "claim-paid",
      claim: 1,
      amount: 300,
      shares: [
        [0, 200],
        [3, 100],
      ],
    },
    "Jackpot: you win $2 and Sam wins $1.",
  ],
  [{ event: "claim-paid", claim: 1, amount: 300, shares: [] }, "Jackpot: $3."],
  [{ event: "left", seat: 0, amount: 500, kind: "walk" }, "You have left your seat with $5."],
  [{ event: "left", seat: 3, amount: 500, kind: "walk" }, ""],
  [{ event: "betting-opened" }, "Bets are open."],
  [
    {
      event: "voided",
      dice: "3-4",
      reason: "cocked",
      undone: [
        { seat: 0, wager: "buy 4", amount: 500 },
        { seat: 3, wager: "buy 4", amount: 700 },
      ],
    },
    "The last roll is void: every chip is back where it was. Your $5 on Buy 4 is back in your rack.",
  ],
  [{ event: "put", seat: 0, wager: "pass", amount: 500 }, ""],
])("%o", (event, told) => {
  expect(tidings(event, TABLE, [0])).toBe(told);
});

test("commission that goes back with a bet is told apart from it", () => {
  const up = { ...TABLE, seats: [{ seat: 0, name: "Ann", bets: [BUY] }] } as unknown as TableView;
  const down = { ...TABLE, seats: [{ seat: 0, name: "Ann", bets: [] }] } as unknown as TableView;
  const event = { event: "returned", seat: 0, wager: "buy 4", amount: 2_100 } as const;
  expect(tidings({ ...event, reason: "late" }, up, [0], down)).toBe(
    "$20 on Buy 4 and $1 commission go back to you: late.",
  );
});

test("the dice are told to be where the table shows them", () => {
  const now = (shooter: number | null) => ({ ...TABLE, hand: { ...TABLE.hand, shooter } });
  const passed = { event: "dice-passed", to: 3 } as const;
  expect(tidings(passed, TABLE, [0], now(0))).toBe("You have the dice.");
  expect(tidings(passed, TABLE, [0], now(null))).toBe("Sam has the dice.");
});
