// Seating a player: a name, a seat, and perhaps a first buy-in. What is refused is not lost.

import type { BuyInKind } from "$wire";
import type { Live } from "../lib/live.svelte.ts";
import { cents, notAnAmount } from "../lib/money.ts";
import { Attempt } from "./attempt.svelte.ts";

/** A buy-in that was refused after the player sat down. */
export interface RefusedBuyIn {
  seat: number;
  /** As it was typed. */
  amount: string;
  kind: BuyInKind;
}

export class Seating {
  readonly attempt: Attempt;
  name = $state("");
  buyIn = $state("");
  buysWith = $state<BuyInKind>("cash");
  /** The seat that was chosen; nothing for the first that is free. */
  wanted = $state<number | null>(null);
  /** The last buy-in that was refused: it can be asked for again at its seat. */
  refused = $state.raw<RefusedBuyIn | null>(null);

  constructor(live: Live) {
    this.attempt = new Attempt(live);
  }

  /** Seats whoever was typed. */
  async sit(seat: number): Promise<void> {
    const { attempt, name, buyIn, buysWith, wanted } = this;
    const who = name.trim();
    if (!who) return void attempt.refuse("Say who sits down.");
    const amount = buyIn.trim() === "" ? 0 : cents(buyIn);
    if (amount === null) return void attempt.refuse(notAnAmount(buyIn));
    const kind = buysWith === "cash" ? {} : { kind: buysWith };
    // The fields are free for the next player at once: nothing typed meanwhile is lost.
    [this.name, this.buyIn, this.buysWith, this.wanted] = ["", "", "cash", null];
    if (!(await attempt.ask({ command: "sit", seat, name: who }))) {
      // What was typed stands there again, unless something else does.
      if (this.name !== "" || this.buyIn !== "") return;
      [this.name, this.buyIn, this.buysWith, this.wanted] = [name, buyIn, buysWith, wanted];
      return;
    }
    if (amount === 0) return;
    if (!(await attempt.ask({ command: "buy-in", seat, amount, ...kind })))
      this.refused = { seat, amount: buyIn, kind: buysWith };
  }
}
