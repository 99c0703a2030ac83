// Where the dice lie on the cloth until they are thrown again: in the come box, on the side where
// nobody's chips stand.

import type { Plan, Point } from "./plan.ts";

/** A die on the cloth: its middle, its size, and how it lies, in degrees. */
export interface Lying extends Point {
  size: number;
  turn: number;
}

/** How the two dice lie. */
export function lying({ kind, come }: Plan): [Lying, Lying] {
  const middle = come.y + come.h / 2;
  if (kind === "wide") {
    const size = come.h * 0.5;
    return [
      { x: come.x + size * 0.95, y: middle + size * 0.12, size, turn: -9 },
      { x: come.x + size * 2.25, y: middle - size * 0.1, size, turn: 13 },
    ];
  }
  // There is little room beside the lettering: one above the other.
  const size = come.h * 0.4;
  return [
    { x: come.x + size * 0.72, y: come.y + size * 0.68, size, turn: -9 },
    { x: come.x + size * 1.1, y: come.y + come.h - size * 0.68, size, turn: 11 },
  ];
}

/** Where a line of words finds room under the lettering of the come box. */
export function beside(plan: Plan): Point & { w: number } {
  const [first, second] = lying(plan);
  const from = Math.max(first.x, second.x) + first.size * 0.85;
  const { come } = plan;
  return { x: from, y: come.y + come.h - 9, w: come.x + come.w - from - 12 };
}
