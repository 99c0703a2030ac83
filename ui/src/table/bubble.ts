// Where words stand that tell of something on the page: beside it, in sight, and not over what
// else has to be seen.

/** A box on the screen, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

/** The words stay this far from the edge of the window, and from what they must not cover. */
const [EDGE, CLEAR] = [8, 6];

const meet = (one: Box, other: Box) =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

/** The middle of the words and their top: above what they tell of, or else below it, or as near as
 * `clear` lets them. */
export function beside(
  target: Box,
  words: Size,
  room: Size,
  off: number,
  clear: readonly Box[],
): { left: number; top: number } {
  const half = words.width / 2 + EDGE;
  const middle = (target.left + target.right) / 2;
  const left = Math.max(Math.min(middle, room.width - half), half);
  const above = target.top - off - words.height;
  const lowest = room.height - words.height - EDGE;
  const tops = [
    above,
    target.bottom + off,
    ...clear.map(({ top }) => top - CLEAR - words.height),
    ...clear.map(({ bottom }) => bottom + CLEAR),
  ].filter((top) => top >= EDGE && top <= lowest);
  const at = (top: number): Box => ({
    left: left - words.width / 2,
    right: left + words.width / 2,
    top,
    bottom: top + words.height,
  });
  const free = tops.find((top) => ![target, ...clear].some((box) => meet(at(top), box)));
  // All of it is in sight, whatever it has to cover.
  return { left, top: free ?? Math.max(Math.min(tops[0] ?? above, lowest), EDGE) };
}
