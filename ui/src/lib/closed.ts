// Why no bets are taken: as the felt says it across its whole width, and in one sentence.

import type { TableView } from "$wire";
import { withDollars } from "./money.ts";
import { nameOf } from "./table.ts";

export interface Closed {
  title: string;
  why: string;
  sentence: string;
}

/** Nothing while bets are taken. */
export function closed(table: TableView): Closed | null {
  const { status, betting, claims, proposals } = table.hand;
  const waits = proposals[0];
  const second = waits ? `Waits for a second person: ${withDollars(waits.what)}.` : null;
  if (status === "closed")
    return {
      title: "The table is closed",
      why: "No more hands are played here.",
      sentence: "The table is closed.",
    };
  if (status === "paused")
    return {
      title: "The table waits",
      why: second ?? "Your chips stay where they are.",
      sentence: "The table is paused.",
    };
  if (betting) return null;
  const claim = claims[0];
  if (claim) {
    const by = claim.seats.map((seat) => nameOf(table, seat)).join(", ");
    const won = claim.paytable === null ? "An award" : "A jackpot";
    return {
      title: `${won} is being confirmed`,
      why: `${by ? `Won by ${by}. ` : ""}Betting goes on after that.`,
      sentence: "Betting waits until what was won is confirmed.",
    };
  }
  if (table.hand.fill_needed != null)
    return {
      title: "Bets wait for chips",
      why: "The tray is short. Bets open when chips have been brought.",
      sentence: "Bets wait until chips are brought to the table.",
    };
  if (table.hand.phase === "paying")
    return {
      title: "The last roll is being paid",
      why: second ?? "Bets open in a moment.",
      sentence: "The last roll is being paid, bets open in a moment.",
    };
  return {
    title: "No more bets",
    why: second ?? "The dice are out.",
    sentence: "Betting is closed: the dice are out.",
  };
}

/** Why nothing can be put down at the moment, whatever it is. */
export function whyClosed(table: TableView): string | null {
  return closed(table)?.sentence ?? null;
}
