// A stretch of a table's log as steps: each record with the table before and after it. Pure; the
// live table is made by the same `apply`.

import type { History, MendedRollView, RolledView, TableView, Update } from "$wire";
import { apply, rolled } from "../lib/table.ts";

/** One record. */
export interface Step {
  update: Update;
  before: TableView;
  after: TableView;
  /** The roll in it. */
  roll: RolledView | null;
}

/** The records of some pages, one after the other, up to the last one wanted. */
export function steps(pages: History[], to: number): Step[] {
  const all: Step[] = [];
  for (const page of pages) {
    // A page begins with the table as the server knows it: other rules show there.
    let before = page.table;
    for (const update of page.updates) {
      if (update.seq > to) return all;
      const after = apply(before, update);
      all.push({ update, before, after, roll: rolled(update) });
      before = after;
    }
  }
  return all;
}

/** The places of the rolls among the steps, counted as the slider does: 0 is before the first. */
export function rollPlaces(all: Step[]): number[] {
  return all.flatMap((step, index) => (step.roll ? [index + 1] : []));
}

/** The places of the rolls that were taken back later, voided or corrected. */
export function takenBack(all: Step[]): Set<number> {
  const gone = new Set<number>();
  let last: number | null = null;
  all.forEach(({ update }, index) => {
    for (const { event } of update.events) {
      if (last !== null && (event === "voided" || event === "corrected")) gone.add(last);
      if (event === "rolled" || event === "corrected") last = index + 1;
    }
  });
  return gone;
}

/** What is to be said of a roll that was mended: `keyed 4-2, mended: showed 5-1`. */
export function markOf(step: Step | undefined, mended: readonly MendedRollView[]): string | null {
  const marks = mended.filter(({ of }) => of === step?.update.seq);
  const [first] = marks;
  if (!first) return null;
  return `keyed ${first.keyed}, mended: ${marks.map(({ what }) => what).join(", then ")}`;
}

/** The next roll from a place, or the last; the one before, or the beginning. */
export function nextRoll(all: Step[], place: number, way: 1 | -1): number {
  const places = rollPlaces(all);
  if (way === 1) return places.find((other) => other > place) ?? all.length;
  return places.findLast((other) => other < place) ?? 0;
}

/** How long a record is looked at while playing, in milliseconds. */
export function pause(step: Step | undefined, speed: number): number {
  const calm = step?.roll ? 1_800 : step && isQuiet(step.update) ? 120 : 600;
  return calm / speed;
}

/** Whether a record is only the house's bookkeeping. */
export function isQuiet(update: Update): boolean {
  return update.events.every((event) => event.event === "committed");
}
