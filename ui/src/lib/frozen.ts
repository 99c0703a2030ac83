// What waits to be confirmed, in money.

import type { ClaimView, TableView } from "$wire";

/** What a claim is worth: what is held, or what the meter froze where that can be told from what
 * the table sees. */
export function frozen(table: TableView, claim: ClaimView): number | null {
  if (claim.amount !== null) return claim.amount;
  const meter = table.meters.find((other) => other.paytable === claim.paytable);
  if (!meter) return null;
  const claims = table.hand.claims.filter((other) => other.paytable === claim.paytable);
  // Hits of another table on a shared meter lie among ours, and nothing tells them apart.
  if (claims.length !== meter.hits.length) return null;
  return meter.hits[claims.findIndex((other) => other.claim === claim.claim)] ?? null;
}
