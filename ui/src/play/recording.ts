// Keeps the session of whoever sits at a table: listens to the table, reads what was missed in
// its history, checks the house's dice (well under a millisecond a roll) and saves now and then.

import type { History, RolledView, TableView, Update } from "$wire";
import { steps } from "../history/steps.ts";
import { get } from "../lib/api.ts";
import type { Live } from "../lib/live.svelte.ts";
import { session as browser } from "../lib/session.svelte.ts";
import { rolled, seatOf } from "../lib/table.ts";
import type { Edges } from "../table/edges.svelte.ts";
import { begin, checked, record, rejoin } from "./recorder.ts";
import { rollsOf, type Session } from "./session.ts";
import { OpenSession, shelf, storeOf, type Store } from "./store.ts";

/** How often a session is saved, in milliseconds. */
const SAVES = 10_000;
/** So many records are fetched at once, and so many pages before a gap is left a gap. */
const PAGE = 500;
const PAGES = 10;
/** A history that is busy is asked again, so often and after so long. */
const TRIES = 3;
const AGAIN = 2_000;
/** More records than this are read from the history rather than kept waiting. */
const WAITING = 2_000;

/** Made by the page of a table, and closed with it. */
export class Recording {
  #live: Live;
  #edges: Pick<Edges, "bySpot" | "known">;
  #session: Session | null = null;
  /** Where it is kept: with whoever played it, whoever is at the browser by then. */
  #store: Store | null = null;
  /** What is to be looked at, in order, once the player is known. */
  #waiting: (() => Promise<void> | void)[] = [];
  #busy = false;
  #dirty = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(live: Live, edges: Pick<Edges, "bySpot" | "known">) {
    this.#live = live;
    this.#edges = edges;
    live.onFresh(() => {
      const { table } = live;
      if (table) this.#next(() => this.#found(table));
    });
    live.onUpdate((update, before, late) => {
      const after = live.table;
      if (!after) return;
      if (this.#waiting.length >= WAITING) this.#waiting = [() => this.#found(after)];
      else this.#next(() => this.#heard(update, before, after, late));
    });
    addEventListener("pagehide", this.#leaving);
    document.addEventListener("visibilitychange", this.#leaving);
  }

  close(): void {
    removeEventListener("pagehide", this.#leaving);
    document.removeEventListener("visibilitychange", this.#leaving);
    clearTimeout(this.#timer);
    void this.#save(true);
  }

  #leaving = (event: Event): void => {
    if (event.type === "pagehide" || document.hidden) void this.#save(true);
  };

  #next(look: () => Promise<void> | void): void {
    this.#waiting.push(look);
    void this.#go();
  }

  async #go(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await browser.settled();
      for (let look = this.#waiting.shift(); look; look = this.#waiting.shift()) await look();
    } finally {
      this.#busy = false;
    }
  }

  /** The table was sent whole: goes on with the session of the seat, or begins one. */
  async #found(table: TableView): Promise<void> {
    const person = browser.me?.person;
    if (person === undefined) {
      await this.#save();
      this.#session = null;
      return;
    }
    this.#store = storeOf(browser.me);
    const seat = seatOf(table, person);
    const here = (one: Session | null | undefined) =>
      one?.table === table.id && one.person === person && one.ended === null ? one : null;
    let open = here(this.#session) ?? here(new OpenSession(shelf(), person, table.id).read());
    if (!open && seat) {
      const kept = await this.#store.all().catch(() => []);
      open = kept.find(here) ?? null;
    }
    if (open && open.last < table.seq) await this.#catchUp(open, table, person);
    else this.#session = open;
    if (seat && (this.#session === null || this.#session.ended !== null))
      await this.#keep(begin(table, seat, this.#live.now()));
  }

  /** Reads what happened since; where that cannot be had, only the chips are compared. */
  async #catchUp(open: Session, table: TableView, person: string): Promise<void> {
    this.#session = open;
    await this.#edges.known;
    let after = open.last;
    for (let page = 0; page < PAGES && after < table.seq; page += 1) {
      const next = await this.#history(table.id, after);
      if (!next || next.updates.length === 0) break;
      for (const { update, before, after: then } of steps([next], table.seq)) {
        const step = { update, before, after: then, person, edges: this.#edges.bySpot };
        await this.#keep(record(this.#session, step));
        after = update.seq;
      }
    }
    if (after < table.seq && this.#session?.ended === null)
      await this.#keep(rejoin(this.#session, table, this.#live.now()));
  }

  async #history(table: string, after: number): Promise<History | null> {
    const path = `/api/tables/${encodeURIComponent(table)}/history?after=${after}&limit=${PAGE}`;
    for (let tries = 1; ; tries += 1) {
      try {
        return await get<History>(path);
      } catch {
        if (tries === TRIES) return null;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
  }

  async #heard(update: Update, before: TableView, after: TableView, late: boolean): Promise<void> {
    const person = browser.me?.person;
    if (person === undefined) return;
    const roll = rolled(update);
    // A decision is worth nothing without its edge.
    if (roll && this.#session) await this.#edges.known;
    // A commitment heard of too late proves nothing.
    const sound = late ? null : await isSound(after.id, roll, before.hand.commitment);
    let next = record(this.#session, {
      update,
      before,
      after,
      person,
      edges: this.#edges.bySpot,
    });
    if (sound !== null && next && next !== this.#session) next = checked(next, update.seq, sound);
    await this.#keep(next);
  }

  /** The session as it is now; one that has ended is saved before the next begins. */
  async #keep(session: Session | null): Promise<void> {
    if (session === null || session === this.#session) return;
    const isNew = this.#session?.id !== session.id;
    if (isNew) await this.#save();
    this.#session = session;
    this.#dirty = true;
    // A beginning is written down at once: whatever follows can be read again from there.
    if (isNew || session.ended !== null) await this.#save();
    else this.#timer ??= setTimeout(() => void this.#save(), SAVES);
  }

  async #save(leaving = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const session = this.#session;
    if (!session || !this.#dirty) return;
    this.#dirty = false;
    new OpenSession(shelf(), session.person, session.table).write(session);
    // Who has seen no roll has not played.
    if (rollsOf(session) === 0) return;
    try {
      await this.#store?.save(session, leaving);
    } catch {
      this.#dirty = true;
      if (!leaving) this.#timer ??= setTimeout(() => void this.#save(), SAVES);
    }
  }
}

/** Whether the house threw what it had committed to; nothing where there is nothing to check. */
async function isSound(
  table: string,
  roll: RolledView | null,
  commitment: string | null,
): Promise<boolean | null> {
  if (!roll?.thrown || commitment === null) return null;
  const { number, dice } = roll;
  const { secret, shooter_bytes: shooterBytes } = roll.thrown;
  try {
    const { checkRoll } = await import("../lib/dice.ts");
    const { committed, followed } = checkRoll({
      table,
      number,
      commitment,
      secret,
      shooterBytes,
      dice,
    });
    return committed && followed;
  } catch {
    // What cannot be thrown again does not follow.
    return false;
  }
}
