// What chips are bought with, and where they go: the words on the console.

import type { BuyInKind, CashOutKind, TableView } from "$wire";

export const BUY_INS: readonly [BuyInKind, string][] = [
  ["cash", "Cash"],
  ["marker", "Marker"],
  ["coupon", "Coupon"],
  ["chips", "Chips brought along"],
];

export const CASH_OUTS: readonly [CashOutKind, string][] = [
  ["walk", "Walks with the chips"],
  ["redeem", "Redeemed at the table"],
  ["toke", "Toke for the dealers"],
  ["jackpot", "Jackpot, paid by the cage"],
  ["left-behind", "Left behind, held"],
];

/** Whether the crew says what chips are bought with, and where they go. */
export const hasKinds = ({ config }: TableView): boolean =>
  !config.practice && (config.procedures ?? 0) >= 1;
