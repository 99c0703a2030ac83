// The last roll as the dealer still has it in hand: what is to be taken, paid and marked, what
// has been ticked off, and which jackpots have been paid. Ticks stay in this browser.

import type { HandView, History, RolledView, TableView, Update } from "$wire";
import { SvelteSet } from "svelte/reactivity";
import { get } from "../lib/api.ts";
import { dollars } from "../lib/money.ts";
import { apply, rolled } from "../lib/table.ts";
import { lammers, type Board } from "./lammers.ts";
import { takeAndPay, undo, type Before, type TakeAndPay, type Undo } from "./takeAndPay.ts";

/** How far back to look for a roll this browser did not see, in records. */
const LOOK_BACK = 300;

/** A jackpot that has been paid. */
export interface Paid {
  claim: number;
  paytable: string;
  shares: [seat: number, amount: number][];
}

export class LastRoll {
  list = $state.raw<TakeAndPay | null>(null);
  boards = $state.raw<Board[]>([]);
  paid = $state.raw<Paid[]>([]);
  /** Whether the bets that stood before the roll are known. */
  whole = $state(false);
  /** What was taken back, and has to be undone on the layout before anything else. */
  undo = $state.raw<{ words: string; seats: Undo[] } | null>(null);
  /** Whatever has been ticked off. */
  readonly done = new SvelteSet<string>();

  #before: TableView | null = null;

  /** Takes note of an update. */
  hear(update: Update, before: TableView): void {
    for (const event of update.events) {
      switch (event.event) {
        case "rolled":
          this.#before = before;
          this.#show(event, before, before.hand, update.hand ?? before.hand);
          this.whole = true;
          break;
        case "corrected": {
          // It is paid as of the table before the roll that was wrong; the boards are as that
          // roll left them.
          const then = this.#before ?? without(before);
          const words = [
            `Keyed as ${event.was}, but they showed ${event.rolled.dice}.`,
            `Put everything back${this.#envy()}, then work the list below.`,
            `Reason: ${event.reason}`,
          ].join(" ");
          const seats = this.list ? undo(this.list) : [];
          this.#show(event.rolled, then, before.hand, update.hand ?? before.hand);
          this.whole = this.#before !== null;
          this.undo = { words, seats };
          break;
        }
        case "voided": {
          const words = [
            `The roll ${event.dice} does not count: put everything back${this.#envy()}.`,
            `Reason: ${event.reason}`,
          ].join(" ");
          const seats = this.list ? undo(this.list) : [];
          this.forget();
          this.boards = lammers(
            before.hand.trackers,
            (update.hand ?? before.hand).trackers,
            before.wagers,
          );
          this.undo = { words, seats };
          break;
        }
        case "claim-paid": {
          const claim = before.hand.claims.find((other) => other.claim === event.claim);
          const won = rolled(update)?.claims.find(([number]) => number === event.claim);
          const paytable = claim?.paytable ?? won?.[1] ?? "";
          this.paid = [{ claim: event.claim, paytable, shares: event.shares }, ...this.paid];
          break;
        }
        default:
      }
    }
  }

  forget(): void {
    this.list = null;
    this.boards = [];
    this.undo = null;
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
    if (!found || (this.list?.rolled.number ?? 0) >= table.hand.rolls) return;
    this.hear(found.update, found.before);
  }

  #envy(): string {
    const envy = this.list?.rolled.envy ?? 0;
    return envy > 0 ? `, and ${dollars(envy)} of envy` : "";
  }

  #show(roll: RolledView, before: Before, was: HandView, is: HandView): void {
    this.list = takeAndPay(roll, before);
    this.boards = lammers(was.trackers, is.trackers, before.wagers);
    this.whole = false;
    this.undo = null;
    this.done.clear();
  }
}

/** The table with nobody's bets: what stood when the dice were thrown is not known any more. */
function without(table: TableView): TableView {
  return { ...table, seats: table.seats.map((seat) => ({ ...seat, bets: [] })) };
}
