// The rolls of a table before this page was opened, from its history: a page that is loaded again
// shows the same receipt as before.

import type { History, TableView } from "$wire";
import { steps, takenBack } from "../history/steps.ts";
import { pagesOf } from "../lib/past.ts";
import { seatsOf } from "../lib/table.ts";
import type { Seen } from "./play.svelte.ts";
import { follow, ownedBy } from "./receipt.ts";

/** So many records are looked at; where nobody has rolled in them, so many more, once. */
const REACH = [60, 500];

/** The rolls in a stretch of a table's log, as somebody who was there saw them. */
export function rollsIn(pages: History[], person: string | undefined): Seen[] {
  const all = steps(pages, Infinity);
  const gone = takenBack(all);
  let seen: Seen[] = [];
  all.forEach(({ update, before, roll }, index) => {
    if (roll) {
      const owned = seatsOf(before, person).map(({ seat }) => seat);
      const one = {
        roll,
        commitment: before.hand.commitment,
        seq: update.seq,
        voided: gone.has(index + 1),
        own: owned[0] ?? null,
      };
      seen = ownedBy([...seen, one], owned);
    }
    seen = follow(seen, update);
  });
  return seen;
}

/** The last rolls of a table; nothing where its last is not among what was looked at. */
export async function lastRolls(table: TableView, person: string | undefined): Promise<Seen[]> {
  for (const reach of REACH) {
    const after = Math.max(table.seq - reach, 0);
    const seen = rollsIn(await pagesOf(table.id, after, table.seq), person);
    const last = seen.findLast(({ voided }) => !voided);
    if (last && last.roll.number >= table.hand.rolls) return seen;
    if (after === 0) break;
  }
  return [];
}
