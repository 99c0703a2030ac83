// Why no bets are taken, for the whole felt to say.

import type { TableView } from "$wire";
import { withDollars } from "../lib/money.ts";
import { nameOf } from "../lib/table.ts";

export interface Closed {
  title: string;
  why: string;
}

/** Nothing while bets are taken. */
export function closed(table: TableView): Closed | null {
  const { status, betting, claims, proposals } = table.hand;
  const waits = proposals[0];
  const second = waits ? `Waits for a second person: ${withDollars(waits.what)}.` : null;
  if (status === "closed")
    return { title: "The table is closed", why: "No more hands are played here." };
  if (status === "paused")
    return { title: "The table waits", why: second ?? "Your chips stay where they are." };
  if (betting) return null;
  const claim = claims[0];
  if (claim) {
    const by = claim.seats.map((seat) => nameOf(table, seat)).join(", ");
    const won = claim.paytable === null ? "An award" : "A jackpot";
    return {
      title: `${won} is being confirmed`,
      why: `${by ? `Won by ${by}. ` : ""}Betting goes on after that.`,
    };
  }
  if (second) return { title: "No more bets", why: second };
  return { title: "No more bets", why: "The dice are out." };
}
