// What a sign tells of a hand where there is no meter to show: figures of the dice alone.

import { total } from "../lib/table.ts";

/** The rolls of the hand under way: the last so many of the recent ones. */
export function rollsOf(recent: string[], hand_rolls: number): string[] {
  return hand_rolls > 0 ? recent.slice(-hand_rolls) : [];
}

/** How many points a hand has made: a number that came out, and came again. */
export const pointsMade = (rolls: string[], points: number[]): number =>
  follow(null, rolls, points).made;

/** The same of a hand whose first rolls are not known any more: as many as it has made since,
 * whatever the point was before, if it is `puck` now. */
export function madeSince(rolls: string[], puck: number | null, points: number[]): number {
  const ways = [null, ...points].map((before) => follow(before, rolls, points));
  const made = ways.filter(({ point }) => point === puck).map(({ made }) => made);
  return made.length > 0 ? Math.min(...made) : 0;
}

function follow(
  before: number | null,
  rolls: string[],
  points: number[],
): { point: number | null; made: number } {
  let point = before;
  let made = 0;
  for (const roll of rolls.map(total)) {
    if (point === null) point = points.includes(roll) ? roll : null;
    else if (roll === point) {
      made += 1;
      point = null;
    }
  }
  return { point, made };
}

export interface Hot {
  total: number;
  times: number;
}

/** The totals that came most often, the hottest first; of two alike the later one. */
export function hottest(recent: string[], room: number): Hot[] {
  const times = new Map<number, number>();
  for (const roll of recent.map(total)) {
    const before = times.get(roll) ?? 0;
    // Whatever came last stands last among its equals.
    times.delete(roll);
    times.set(roll, before + 1);
  }
  return [...times]
    .map(([total, times]) => ({ total, times }))
    .reverse()
    .sort((one, other) => other.times - one.times)
    .slice(0, room);
}
