// Jackpots as a sign hears of them: won on a roll, and paid when they have been confirmed.

import type { Update } from "$wire";
import { rolled } from "../lib/table.ts";

/** A jackpot to be celebrated. */
export interface Hit {
  claim: number;
  paytable: string;
  /** How many won; nothing where that is not for everybody to know. */
  winners: number | null;
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
    found.set(claim, { claim, paytable, winners: seats.length || null, paid: null });
  for (const event of update.events) {
    if (event.event !== "claim-paid") continue;
    const waited = before.hand.claims.find((other) => other.claim === event.claim);
    const paytable = found.get(event.claim)?.paytable ?? waited?.paytable ?? "";
    const { claim, amount, shares } = event;
    found.set(claim, { claim, paytable, winners: shares.length || null, paid: amount });
  }
  return [...found.values()];
}

/** The jackpots to celebrate, one after the other, with one more: one that is among them and paid
 * meanwhile goes on with what was paid. */
export function queued(queue: Hit[], hit: Hit): Hit[] {
  const others = queue.map((other) => (other.claim === hit.claim ? hit : other));
  return others.includes(hit) ? others : [...others, hit];
}

/** Those that are left when a roll is taken back: a jackpot of a roll that does not count is none. */
export function stillWon(queue: Hit[]): Hit[] {
  return queue.filter(({ paid }) => paid !== null);
}
