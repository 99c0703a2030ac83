// The run of a side bet, as the felt and the sign show it: the circles that have come, and the rung they reach.

import type { BoardView, RungView, TrackerView } from "$wire";
import { grouped } from "./money.ts";

/** One circle of a board, and whether its number has come. */
export interface Circle {
  on: string;
  come: boolean;
}

/** How many numbers or rolls there are so far. */
export function reached(tracker: TrackerView | undefined): number {
  return tracker?.count ?? 0;
}

/** The award that would be paid if it ended now. */
export function lit(board: BoardView, tracker: TrackerView | undefined): RungView | null {
  const so_far = reached(tracker);
  // An award that goes by something else than a count has no rung.
  const under = board.rungs.filter((rung) => rung.rung > 0 && rung.rung <= so_far);
  return under.reduce<RungView | null>(
    (best, rung) => (best === null || rung.rung > best.rung ? rung : best),
    null,
  );
}

/** The circles, row by row: one row, or one a sequence. */
export function circles(board: BoardView, tracker: TrackerView | undefined): Circle[][] {
  const marks = tracker?.marks ?? [];
  if (board.shape === "count") return [lammers(tracker)];
  if (board.shape !== "sequence") {
    const numbers = board.numbers.toSorted((one, other) => one - other);
    return [numbers.map((number) => ({ on: String(number), come: marks.includes(number) }))];
  }
  const matched = tracker?.matched ?? 0;
  return board.sequences.map((sequence) => {
    // Where there are two, the first roll has chosen.
    const follows = sequence.slice(0, matched).every((number) => marks.includes(number));
    return sequence.map((number, index) => ({
      on: String(number),
      come: follows && index < matched,
    }));
  });
}

/** What each carries one lammer, such as the points made; none where they are counted, or are no
 * numbers: a pair of dice does not fit into a circle. */
function lammers(tracker: TrackerView | undefined): Circle[] {
  const all = tracker?.lammers ?? [];
  const fits = all.every(({ on, count }) => count <= 1 && on.length <= 2);
  const each = fits && tracker?.of === all.length;
  return each ? all.map(({ on, count }) => ({ on, come: count > 0 })) : [];
}

/** An award in a sign's few words. */
export function award(rung: RungView): string {
  return rung.meter ? "Jackpot" : grouped(rung.pays);
}
