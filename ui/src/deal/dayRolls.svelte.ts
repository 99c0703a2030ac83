// The rolls of the day that can be mended: what was read of the log, and what has come since.

import type { History, TableView, Update } from "$wire";
import { get } from "../lib/api.ts";
import { pagesOf } from "../lib/past.ts";
import { rollsOf, rollsOfDay, type PastRoll } from "./mend.ts";

/** How many records are read at once. */
const PAGE = 500;

export class DayRolls {
  /** Whether a part of the log is on its way. */
  reading = $state(false);
  /** The number of the roll's record that was chosen. */
  picked = $state<number | null>(null);
  /** The table before that roll. */
  then = $state.raw<TableView | null>(null);
  /** The record before the first that is known; nothing while none is. */
  first = $state<number | null>(null);
  /** The known records, oldest first and without a gap. */
  #updates = $state.raw<readonly Update[]>([]);
  /** The chosen roll as it was found: it may be further back than the known records. */
  #chosen = $state.raw<PastRoll | null>(null);
  /** Whether the log was asked for. */
  #begun = false;
  /** What was read for an earlier turn is dropped. */
  #turn = 0;

  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** The rolls of the day of `now`, the latest first; the chosen one among them. */
  list(now: number): PastRoll[] {
    const known = rollsOfDay(this.#updates, now).toReversed();
    const chosen = this.#chosen;
    if (!chosen || this.#isGone(chosen.record)) return known;
    return known.some(({ record }) => record === chosen.record) ? known : [...known, chosen];
  }

  /** The chosen roll. */
  roll(now: number): PastRoll | null {
    return this.list(now).find(({ record }) => record === this.picked) ?? null;
  }

  /** Reads the last records, once. */
  async begin(seq: number): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    await this.#read(seq);
  }

  /** The table was sent whole: what happened before is read again. */
  async again(seq: number): Promise<void> {
    if (!this.#begun) return;
    this.#turn += 1;
    [this.#updates, this.first] = [[], null];
    await this.#read(seq);
  }

  /** Reads the records before those known. */
  async earlier(): Promise<void> {
    if (this.first !== null && this.first > 1 && !this.reading) await this.#read(this.first);
  }

  /** Takes note of a new record. */
  hear(update: Update): void {
    if (this.#begun) this.#take([update]);
    // A roll that was voided or corrected is no longer there to be chosen.
    if (this.picked !== null && takenBack(update) && this.#isGone(this.picked)) this.leave();
  }

  /** Chooses a roll, wherever in the log it is. False if another was chosen meanwhile, or if the
   * record is no roll. */
  async pick(record: number): Promise<boolean> {
    [this.picked, this.then] = [record, null];
    const path = `/api/tables/${encodeURIComponent(this.#table)}/history`;
    const page = await get<History>(`${path}?after=${record - 1}&limit=1`);
    if (this.picked !== record) return false;
    const [roll] = rollsOf(page.updates);
    this.then = page.table;
    this.#chosen = roll ?? null;
    return roll !== undefined;
  }

  /** Chooses none. */
  leave(): void {
    [this.picked, this.then, this.#chosen] = [null, null, null];
  }

  /** Reads records up to one. */
  async #read(to: number): Promise<void> {
    const turn = this.#turn;
    this.reading = true;
    const after = Math.max(1, to - PAGE);
    try {
      const pages = await pagesOf(this.#table, after, to);
      if (turn !== this.#turn) return;
      this.#take(pages.flatMap(({ updates }) => updates));
      this.first = after;
    } catch (error) {
      if (turn !== this.#turn) return;
      // It is asked for again when the form is opened.
      if (this.first === null) [this.#begun, this.#updates] = [false, []];
      throw error;
    } finally {
      if (turn === this.#turn) this.reading = false;
    }
  }

  /** Every record stands there once. */
  #take(more: readonly Update[]): void {
    const all = new Map([...this.#updates, ...more].map((update) => [update.seq, update]));
    this.#updates = [...all.values()].sort((one, other) => one.seq - other.seq);
  }

  /** Whether a roll was taken back, as far as is known. */
  #isGone(record: number): boolean {
    if (this.first === null || record <= this.first) return false;
    return !rollsOf(this.#updates).some((roll) => roll.record === record);
  }
}

const takenBack = (update: Update) =>
  update.events.some(({ event }) => event === "voided" || event === "corrected");
