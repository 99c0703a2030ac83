// What is typed to ask something of a meter. It stays when the form is closed or another is opened,
// until it was asked for. Terms follow the meter until somebody types others.

import type { AdjustKind, MeterView } from "$wire";
import { adjusted, closed, moved, termsOf, termsSet, type Made, type Terms } from "./asks.ts";

export type Ask = "adjust" | "move" | "terms" | "close";

export class MeterForm {
  /** Which form is open. */
  open = $state<Ask | null>(null);
  amount = $state("");
  /** Whether an adjustment adds to the meter. */
  adds = $state(true);
  kind = $state<AdjustKind>("malfunction");
  /** The table that an adjustment is about, and the record there. */
  table = $state("");
  record = $state("");
  /** How much of the players' money moves: empty for all. */
  moves = $state("");
  /** The meter that players' money goes to. */
  to = $state("");
  terms = $state<Terms>(NO_TERMS);
  reason = $state("");
  /** Whether the meter has got other terms since these were typed. */
  outOfDate = $state(false);
  /** The terms of the meter as the form knows them. */
  #known: Terms = NO_TERMS;

  constructor(meter: MeterView) {
    this.restart(meter);
  }

  /** Opens a form, or closes it. */
  toggle(ask: Ask): void {
    this.open = this.open === ask ? null : ask;
  }

  /** The meter as it is now. */
  follow(meter: MeterView): void {
    const now = termsOf(meter);
    if (same(now, this.#known)) return;
    if (same(this.terms, this.#known)) this.restart(meter);
    else this.outOfDate = !same(this.terms, now);
    this.#known = now;
  }

  /** Takes the terms of the meter as they are. */
  restart(meter: MeterView): void {
    this.#known = termsOf(meter);
    this.terms = { ...this.#known };
    this.outOfDate = false;
  }

  /** The command, or why what was typed makes none; `other` if the money goes to a meter that
   * serves another paytable. */
  made(other: boolean): Made | null {
    const { amount, adds, kind, table, record, reason } = this;
    switch (this.open) {
      case "adjust":
        return adjusted({ amount, adds, kind, table, record, reason });
      case "move":
        return moved(this.to, this.moves, other, reason);
      case "terms":
        return termsSet({ ...this.terms, reason });
      case "close":
        return closed(this.to, other, reason);
      case null:
        return null;
    }
  }

  /** It was asked for: the next begins empty. */
  done(meter: MeterView): void {
    this.open = null;
    [this.amount, this.table, this.record, this.moves] = ["", "", "", ""];
    [this.to, this.reason, this.adds, this.kind] = ["", "", true, "malfunction"];
    this.restart(meter);
  }
}

const NO_TERMS: Terms = { seed: "", increment: "", reserve: "", ceiling: "", reason: "" };

const same = (one: Terms, other: Terms) =>
  one.seed === other.seed &&
  one.increment === other.increment &&
  one.reserve === other.reserve &&
  one.ceiling === other.ceiling;
