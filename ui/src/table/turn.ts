// Whose turn it is to throw the house's dice, and why not now.

import type { SeatView, TableView } from "$wire";
import { whyClosed } from "../lib/closed.ts";
import type { Line } from "../lib/live.svelte.ts";
import { nameOf } from "../lib/table.ts";

export type Turn =
  /** You throw, perhaps for somebody who has gone; not yet where there is a reason. */
  | { yours: true; for: string | null; off: string | null }
  /** Whoever has the dice has gone and cannot throw them: they can be passed on. */
  | { yours: false; who: string; passes: true }
  /** Somebody else does, or the dealer. */
  | { yours: false; who: string };

export function turn(table: TableView, mine: SeatView[], line: Line, away = false): Turn {
  const { hand, config } = table;
  if (config.dice !== "house") return { yours: false, who: "The dealer throws the dice" };
  const { shooter } = hand;
  if (shooter === null) return { yours: false, who: "Nobody has the dice" };
  const own = mine.some(({ seat }) => seat === shooter);
  if (!own && (!away || mine.length === 0))
    return { yours: false, who: `${nameOf(table, shooter)} has the dice` };
  const absent = own ? null : nameOf(table, shooter);
  if (absent !== null && hand.dice_wait === "line-bet")
    return { yours: false, who: `${absent} has gone with the dice`, passes: true };
  return { yours: true, for: absent, off: whyWait(table, line) };
}

function whyWait(table: TableView, line: Line): string | null {
  const { hand } = table;
  if (line !== "open") return "There is no connection.";
  const paying = hand.phase === "paying" || hand.fill_needed != null;
  const waits = hand.status !== "running" || (!hand.betting && (paying || hand.claims.length > 0));
  if (waits) return whyClosed(table);
  if (hand.dice_wait === "line-bet") return "The shooter needs a bet on the line.";
  if (hand.dice_wait === "window") return "The dice go out when betting closes.";
  return null;
}
