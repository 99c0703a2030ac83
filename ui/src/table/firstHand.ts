// The first hand of somebody new, told in three steps as they come up: a line bet, the dice, odds.
// What may be bet and what it pays is the server's to say; here is only what to point at.

import type { OfferView, SeatView, TableView, WagerView } from "$wire";
import { firstRoll, inWords } from "../lib/rule.ts";
import { nameOf } from "../lib/table.ts";
import { wagerOf } from "../lib/words.ts";

const LINE = "pass";
const ODDS = `odds ${LINE}`;

export interface Lesson {
  step: 1 | 2 | 3;
  /** What to point at: a spot by its name, the button that rolls, or nothing. */
  show: "pass" | "roll" | "odds pass" | null;
  text: string;
  /** Whether that was all. */
  last: boolean;
}

type Offers = ReadonlyMap<string, OfferView>;

/** What somebody new could do now; nothing while they can only wait. */
export function lesson(table: TableView, seat: SeatView, offers: Offers): Lesson | null {
  const { hand } = table;
  const line = wagerOf(table.wagers, LINE);
  if (!line || hand.status !== "running" || !hand.betting) return null;
  const up = (spot: string) => seat.bets.some((bet) => bet.wager === spot);
  const open = (spot: string) => offers.get(spot)?.least != null;
  if (up(ODDS))
    return {
      step: 3,
      show: null,
      text: `That is the game: ${hand.puck ?? "your number"} wins both bets, and a 7 loses them. Roll on, and good luck!`,
      last: true,
    };
  if (!up(LINE)) {
    // With a point on it would be a put bet, which is no beginner's.
    if (open(LINE) && hand.puck === null)
      return {
        step: 1,
        show: "pass",
        text: `Put a chip on the ${line.title}. ${comeOut(line)}`,
        last: false,
      };
    const text = `A hand is under way. ${line.title} opens with the next come-out roll; numbers can be bet now.`;
    return hand.puck === null ? null : { step: 1, show: null, text, last: false };
  }
  if (hand.puck !== null && open(ODDS)) {
    const pays = wagerOf(table.wagers, ODDS)?.pays ?? [];
    const rate = pays.find(({ numbers }) => numbers.includes(hand.puck ?? 0))?.pays;
    const paid = rate ? `: they pay ${rate}` : "";
    return {
      step: 3,
      show: "odds pass",
      text: `The point is ${hand.puck}. Back your bet with odds${paid}.`,
      last: false,
    };
  }
  if (table.config.dice === "dealer")
    return { step: 2, show: null, text: "Now the dealer throws the dice.", last: false };
  if (hand.shooter === seat.seat)
    return { step: 2, show: "roll", text: "You have the dice. Roll them!", last: false };
  if (hand.shooter === null) return null;
  const text = `${nameOf(table, hand.shooter)} has the dice. Watch the roll.`;
  return { step: 2, show: null, text, last: false };
}

function comeOut(line: WagerView): string {
  const rule = firstRoll(line);
  if (!rule) return `It wins on ${inWords(line.wins)}.`;
  return `${rule.wins} wins at once, ${rule.loses} loses. Anything else becomes your point.`;
}
