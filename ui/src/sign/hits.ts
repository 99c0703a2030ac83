// Jackpots as a sign hears of them: won on a roll, and paid when they have been confirmed.

import type { Update } from "$wire";
import { rolled } from "../lib/table.ts";

/** A jackpot to be celebrated. */
export interface Hit {
  claim: number;
  paytable: string;
  winners: number;
  /** What was paid; nothing while only the meter knows. */
  paid: number | null;
}

/** What a claim is known by while it waits. */
interface Waiting {
  hand: { claims: { claim: number; paytable: string | null; seats: number[] }[] };
}

/** The jackpots of an update; one that is won and paid at once is told once. */
export function hits(update: Update, before: Waiting): Hit[] {
  const found = new Map<number, Hit>();
  for (const [claim, paytable, seats] of rolled(update)?.claims ?? [])
    found.set(claim, { claim, paytable, winners: seats.length, paid: null });
  for (const event of update.events) {
    if (event.event !== "claim-paid") continue;
    const paid = event.shares.reduce((sum, [, share]) => sum + share, 0);
    const waited = before.hand.claims.find((other) => other.claim === event.claim);
    const paytable = found.get(event.claim)?.paytable ?? waited?.paytable ?? "";
    found.set(event.claim, { claim: event.claim, paytable, winners: event.shares.length, paid });
  }
  return [...found.values()];
}
