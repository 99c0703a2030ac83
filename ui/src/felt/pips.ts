// Where the pips of a face lie, on a grid of three by three.

const PIPS: Record<number, readonly number[]> = {
  1: [4],
  2: [0, 8],
  3: [0, 4, 8],
  4: [0, 2, 6, 8],
  5: [0, 2, 4, 6, 8],
  6: [0, 2, 3, 5, 6, 8],
};

/** The places of a face's pips, row by row. */
export const pips = (face: number): readonly number[] => PIPS[face] ?? [];
