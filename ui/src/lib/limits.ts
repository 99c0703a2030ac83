// How much may be bet, in words that start from what can be bet.

import type { WagerView } from "$wire";
import { dollars } from "./money.ts";

const FIGURES = ["ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"];

/** `fours` for $4, `steps of $25` for what nobody counts in. */
export function inSteps(unit: number): string {
  return (unit % 100 === 0 && FIGURES[unit / 100 - 1]) || `steps of ${dollars(unit)}`;
}

/** `$4 to $5,000 in fours`: the least is the minimum as far up as the unit wants it. */
export function limits({ min, max, unit }: Pick<WagerView, "min" | "max" | "unit">): string {
  const least = Math.ceil(min / unit) * unit;
  const most = max === null ? null : Math.floor(max / unit) * unit;
  if (most !== null && most <= least) return `exactly ${dollars(least)}`;
  const range =
    most === null ? `${dollars(least)} and up` : `${dollars(least)} to ${dollars(most)}`;
  return unit > 100 ? `${range} in ${inSteps(unit)}` : range;
}
