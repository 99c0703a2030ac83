// The lammers of the last roll: which to place and which to clear, and what a dealer has ticked
// off in this browser. The chips are on the server's work lists.

import type { History, TableView, Update } from "$wire";
import { SvelteSet } from "svelte/reactivity";
import { get } from "../lib/api.ts";
import { apply, rolled } from "../lib/table.ts";
import { lammers, type Board } from "./lammers.ts";

/** How far back to look for a roll this browser did not see, in records. */
const LOOK_BACK = 300;

export class LastRoll {
  /** The number of the roll; nothing while none is known, or after a void. */
  number = $state<number | null>(null);
  /** What the stick calls. */
  call = $state("");
  boards = $state.raw<Board[]>([]);
  /** The boards that have been ticked off. */
  readonly done = new SvelteSet<string>();

  /** Takes note of an update. */
  hear(update: Update, before: TableView): void {
    const voided = update.events.some(({ event }) => event === "voided");
    const roll = rolled(update);
    if (!roll && !voided) return;
    this.number = roll?.number ?? null;
    this.call = roll?.call ?? "";
    // A correction moves the lammers from where the wrong roll left them.
    const after = update.hand ?? before.hand;
    this.boards = lammers(before.hand.trackers, after.trackers, before.wagers);
    this.done.clear();
  }

  forget(): void {
    this.number = null;
    this.call = "";
    this.boards = [];
    this.done.clear();
  }

  /** Finds the last roll again after the page was loaded. */
  async recover(table: TableView): Promise<void> {
    const after = Math.max(1, table.seq - LOOK_BACK);
    const address = `/api/tables/${encodeURIComponent(table.id)}/history`;
    const past = await get<History>(`${address}?after=${after}&limit=${LOOK_BACK}`);
    let before = past.table;
    let found: { update: Update; before: TableView } | null = null;
    for (const update of past.updates) {
      if (rolled(update)?.number === table.hand.rolls) found = { update, before };
      before = apply(before, update);
    }
    // Meanwhile the dice may have been thrown again.
    if (!found || (this.number ?? 0) >= table.hand.rolls) return;
    this.hear(found.update, found.before);
  }
}
