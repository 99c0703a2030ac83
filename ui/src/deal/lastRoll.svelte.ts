// The lammers of the last roll: which to place and which to clear, and what a dealer has ticked
// off in this browser. The chips are on the server's work lists.

import type { TableView, Update } from "$wire";
import { SvelteSet } from "svelte/reactivity";
import { steps } from "../history/steps.ts";
import { pagesOf } from "../lib/past.ts";
import { rolled } from "../lib/table.ts";
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
  /** The record of the roll, the correction or the void that the boards follow. */
  #record = 0;
  /** How many rolls counted after that record: one fewer after a void. */
  #rolls = 0;

  /** Takes note of an update. */
  hear(update: Update, before: TableView): void {
    if (!concerns(update) || update.seq <= this.#record) return;
    const roll = rolled(update);
    this.number = roll?.number ?? null;
    this.call = roll?.call ?? "";
    // A correction moves the lammers from where the wrong roll left them.
    const after = update.hand ?? before.hand;
    [this.#record, this.#rolls] = [update.seq, after.rolls];
    this.boards = lammers(before.hand.trackers, after.trackers, before.wagers);
    this.done.clear();
  }

  #forget(rolls: number): void {
    this.number = null;
    this.call = "";
    this.boards = [];
    this.done.clear();
    this.#rolls = rolls;
  }

  /** Finds the last roll again after the table was sent whole, or the void that took it back. */
  async recover(table: TableView): Promise<void> {
    const after = Math.max(1, table.seq - LOOK_BACK);
    const past = steps(await pagesOf(table.id, after, table.seq), table.seq);
    const found = past.findLast(({ update }) => concerns(update));
    // What is known already stays as it is ticked; meanwhile the dice may have been thrown again.
    if (found) this.hear(found.update, found.before);
    else if (this.#record <= table.seq && this.#rolls !== table.hand.rolls)
      this.#forget(table.hand.rolls);
  }
}

/** Whether lammers follow from an update: it has a roll, or takes one back. */
const concerns = (update: Update) =>
  rolled(update) !== null || update.events.some(({ event }) => event === "voided");
