import { expect, test } from "vitest";
import type { HandView, TableView } from "$wire";
import { closed, whyClosed } from "./closed.ts";

const table = (hand: Partial<HandView>) =>
  ({
    seats: [{ seat: 0, name: "Ann" }],
    hand: { status: "running", betting: false, claims: [], proposals: [], ...hand },
  }) as unknown as TableView;
const claim = { claim: 1, paytable: "PT-1", wager: null, amount: null, seats: [0] };
const proposals = [{ what: "void" }] as HandView["proposals"];

test.each([
  [{ betting: true }, null, null],
  [{ betting: true, proposals }, null, null],
  [{}, "No more bets: The dice are out.", "Betting is closed: the dice are out."],
  [
    { proposals },
    "No more bets: Waits for a second person: void.",
    "Betting is closed: the dice are out.",
  ],
  [
    { status: "closed" },
    "The table is closed: No more hands are played here.",
    "The table is closed.",
  ],
  [
    { status: "paused", betting: true },
    "The table waits: Your chips stay where they are.",
    "The table is paused.",
  ],
  [
    { status: "paused", proposals },
    "The table waits: Waits for a second person: void.",
    "The table is paused.",
  ],
  [
    { claims: [claim] },
    "A jackpot is being confirmed: Won by Ann. Betting goes on after that.",
    "Betting waits until what was won is confirmed.",
  ],
  [
    { claims: [{ ...claim, paytable: null, seats: [] }] },
    "An award is being confirmed: Betting goes on after that.",
    "Betting waits until what was won is confirmed.",
  ],
  [
    { phase: "paying" },
    "The last roll is being paid: Bets open in a moment.",
    "The last roll is being paid, bets open in a moment.",
  ],
  [
    { phase: "paying", fill_needed: 50_000 },
    "Bets wait for chips: The tray is short. Bets open when chips have been brought.",
    "Bets wait until chips are brought to the table.",
  ],
] as [Partial<HandView>, string | null, string | null][])("%o", (hand, words, sentence) => {
  const is = closed(table(hand));
  expect(is && `${is.title}: ${is.why}`).toBe(words);
  expect(whyClosed(table(hand))).toBe(sentence);
});
