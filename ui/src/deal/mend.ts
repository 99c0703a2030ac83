// Mending an earlier roll: the rolls of the day, the lines that the server suggests, and what the
// crew makes of them. What is due is the server's; only the words and the changes are made here.

import type { MendLine, MendPart, RolledView, Update, WagerView } from "$wire";
import { cents, dollars } from "../lib/money.ts";
import { title } from "../lib/words.ts";

/** A roll of the day. */
export interface PastRoll {
  /** The number of its record, which names it. */
  record: number;
  /** Which roll of the table it was. */
  number: number;
  dice: string;
  at: number;
  /** What an earlier mend found, if there was one. */
  mended: string | null;
}

/** The rolls that count in these updates, oldest first, after those known already. */
export function rollsOf(updates: readonly Update[], known: readonly PastRoll[] = []): PastRoll[] {
  const rolls = [...known];
  const add = ({ seq, at }: Update, { number, dice }: RolledView) =>
    rolls.push({ record: seq, number, dice, at, mended: null });
  for (const update of updates) {
    for (const event of update.events) {
      if (event.event === "rolled") add(update, event);
      if (event.event === "voided") rolls.pop();
      if (event.event === "corrected") {
        rolls.pop();
        add(update, event.rolled);
      }
      if (event.event === "mended") {
        const roll = rolls.find(({ record }) => record === event.of);
        if (roll) roll.mended = event.what;
      }
    }
  }
  return rolls;
}

/** The rolls in these updates, of the present day (UTC) only: others cannot be mended. */
export function rollsOfDay(updates: readonly Update[], now: number): PastRoll[] {
  const today = day(now);
  return rollsOf(updates).filter(({ at }) => day(at) === today);
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10);

/** One suggested line as the crew changes it. */
export interface Draft {
  line: MendLine;
  /** The amount as it is typed, without a sign. */
  typed: string;
  /** Whether it is done at all. */
  on: boolean;
}

export const drafts = (lines: readonly MendLine[]): Draft[] =>
  lines.map((line) => ({
    line,
    typed: written(line.amount),
    on: line.amount !== 0 || line.part === "jackpot",
  }));

const written = (amount: number) => {
  const size = Math.abs(amount);
  return size % 100 === 0 ? String(size / 100) : (size / 100).toFixed(2);
};

/** Whether the money of a line comes back to the house. */
export const isTaken = ({ due, amount }: MendLine) => (amount === 0 ? due : amount) < 0;

/** Whether a line is about a bet on the felt: that comes down whole or stays. */
export const isWhole = ({ part }: MendLine) => part === "bet-lost" || part === "bet-back";

/** The line as it is decided; nothing where no amount is typed. */
export function decided({ line, typed, on }: Draft): MendLine | null {
  if (!on) return { ...line, amount: 0 };
  if (isWhole(line)) return { ...line, amount: line.due };
  const amount = cents(typed);
  if (amount === null) return null;
  return { ...line, amount: isTaken(line) && amount > 0 ? -amount : amount };
}

const PARTS: Record<MendPart, string> = {
  winnings: "winnings",
  stake: "stake",
  jackpot: "jackpot, as the meter showed it",
  "bet-lost": "the bet lost",
  "bet-back": "the bet goes back to the player",
  envy: "envy",
  chips: "chips already paid, only booked",
};

/** What a line is about: `Ann, seat 1: Hard 6, winnings`. */
export function about({ part, seat, name, wager }: MendLine, wagers: WagerView[]): string {
  const who = seat === null || seat === undefined ? "Dealers" : `${name}, seat ${seat + 1}`;
  const bet = wager ? `${title(wagers, wager)}, ` : "";
  return `${who}: ${bet}${PARTS[part]}`;
}

/** What is done with the money of a line. */
export function deed(line: MendLine): string {
  switch (line.place) {
    case "cage":
      return line.due < 0 ? "the player has left: nothing to collect" : "pay at the cage";
    case "walked":
      return isTaken(line) ? "walked away with less" : "walked away with more";
    case "felt":
      return `take down ${dollars(line.due)}`;
    default:
      if (line.part === "chips") return isTaken(line) ? "book out of the rack" : "book to the rack";
      return isTaken(line) ? "take back" : "pay";
  }
}

/** What the lines come to for the house: more than zero is what it gets. */
export const forTheHouse = (lines: readonly MendLine[]): number =>
  lines.reduce((sum, { part, amount }) => {
    if (part === "bet-back") return sum;
    return part === "bet-lost" ? sum + amount : sum - amount;
  }, 0);
