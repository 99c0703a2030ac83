// What players buy on one day, as the office reads it.

import type { BuyInSums, BuyInsView, PlayerBuyIns } from "$wire";
import { get } from "../lib/api.ts";
import { dollars } from "../lib/money.ts";

/** The gaming day of this moment: it changes at midnight UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The list of a day. */
export function look(day: string, all: boolean): Promise<BuyInsView> {
  const query = new URLSearchParams({ day });
  if (all) query.set("all", "true");
  return get<BuyInsView>(`/api/office/buy-ins?${query.toString()}`);
}

const KINDS: [keyof BuyInSums, string][] = [
  ["cash", "cash"],
  ["markers", "markers"],
  ["coupons", "coupons"],
  ["chips", "chips brought along"],
  ["cashed_out", "cashed out"],
];

/** `$6,000 cash, $200 cashed out`. */
export function sumsInWords(sums: BuyInSums): string {
  const some = KINDS.filter(([kind]) => sums[kind] !== 0);
  if (some.length === 0) return "nothing";
  return some.map(([kind, words]) => `${dollars(sums[kind])} ${words}`).join(", ");
}

/** Which limits a player has crossed, and by how much. */
export function crossed({ over, sums, cash_limit, markers_limit }: PlayerBuyIns): string[] {
  return over.map((kind) =>
    kind === "markers"
      ? `Markers ${dollars(sums.markers)}, limit ${dollars(markers_limit)}`
      : `Cash ${dollars(sums.cash)}, limit ${dollars(cash_limit)}`,
  );
}

/** Who the player is, in a few words. */
export function whoIs({ account, person, sittings }: PlayerBuyIns): string {
  if (person !== null) return `known as ${person}`;
  if (account !== null) return "plays with an account";
  return sittings.length > 1 ? "not linked to a person" : "not linked to a person, counted alone";
}
