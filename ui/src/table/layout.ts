// How the page of a table is laid out, by the room there is.

/**
 * `desk`: the felt, and news beside it. `stack`: the felt, and news below. `side`: a phone on its
 * side, the whole felt with the chips beside it. `tall`: a phone upright, or a page made larger:
 * the tall felt, a part at a time.
 */
export type Layout = "desk" | "stack" | "side" | "tall";

/** A window for these pixels; `touch` where fingers point, so that it is no page made larger. */
export function layout(width: number, height: number, touch: boolean): Layout {
  if (width < (touch ? 700 : 760) && (height > width || !touch)) return "tall";
  if (height <= 500 && width <= 1000) return touch ? "side" : "stack";
  return width > 1000 ? "desk" : "stack";
}
