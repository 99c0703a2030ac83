// How far the meter's slider goes: past break-even, and the same while it is dragged.

import type { ParSheet } from "$wire";

export interface Range {
  /** Dollars. */
  max: number;
  step: number;
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`. */
export function round(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((step) => step * power >= least * 0.999999) ?? 10) * power;
}

/** From nothing to half as much again as the highest break-even. */
export function meterRange(sheets: readonly ParSheet[]): Range {
  const reach = sheets.flatMap(({ break_even, seed }) => [
    (break_even ?? 0) * 1.5,
    (seed ?? 0) * 2,
  ]);
  const dollars = Math.max(1_000, ...reach) / 100;
  const step = round(dollars / 250);
  return { max: Math.ceil(dollars / step) * step, step };
}
