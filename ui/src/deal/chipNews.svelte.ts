// The last chips that came to the table or left it, whichever console booked them.

import type { TableView, Update } from "$wire";
import { steps } from "../history/steps.ts";
import { pagesOf } from "../lib/past.ts";
import { chipsMoved, type ChipsMoved } from "./chipsMoved.ts";

/** How many are shown. */
const SHOWN = 6;
/** How far back to look for them after the page was loaded, in records. */
const LOOK_BACK = 100;

export class ChipNews {
  /** The latest first. */
  all = $state.raw<readonly ChipsMoved[]>([]);
  /** The last chips that were heard of, for those who hear the page. */
  spoken = $state("");

  /** Takes note of an update. */
  hear(update: Update, before: TableView): void {
    const known = new Set(this.all.map(({ key }) => key));
    const moved = chipsMoved(update, before).filter(({ key }) => !known.has(key));
    if (moved.length === 0) return;
    this.all = latest([...moved, ...this.all]);
    this.spoken = moved.map(({ what, chips }) => `${what}: ${chips}.`).join(" ");
  }

  /** Finds them again after the table was sent whole. */
  async recover(table: TableView): Promise<void> {
    const after = Math.max(1, table.seq - LOOK_BACK);
    const past = steps(await pagesOf(table.id, after, table.seq), table.seq);
    const found = past.flatMap(({ update, before }) => chipsMoved(update, before));
    // Meanwhile others may have come.
    const heard = this.all.filter(({ key }) => !found.some((other) => other.key === key));
    this.all = latest([...heard, ...found]);
  }
}

/** The latest by their records, whenever this browser heard of them. */
const latest = (all: readonly ChipsMoved[]) =>
  [...all]
    .sort((one, other) => other.record - one.record || other.place - one.place)
    .slice(0, SHOWN);
