// Whether winning line bets shall stay up: asked when one wins, until there was an answer.

import { wonLines, type Wish } from "../lib/betting.ts";
import { rolled } from "../lib/table.ts";
import type { Play } from "./play.svelte.ts";
import { settings } from "./settings.svelte.ts";

export class KeepUp {
  readonly #play: Play;
  /** What the last roll took down though it won. */
  #won = $state.raw<{ roll: number; seq: number; wishes: Wish[] } | null>(null);

  /** Not before the dice lie, and not beyond the next roll. */
  asks = $derived.by(() => {
    const rolls = this.#play.table?.hand.rolls;
    return this.#won !== null && this.#won.roll === rolls && !settings.isChosen("stayUp");
  });

  constructor(play: Play) {
    this.#play = play;
    play.live.onUpdate((update, _, late) => {
      const roll = rolled(update);
      if (!roll) return;
      const { seat } = play;
      const wishes = seat && !late ? wonLines(roll, seat.seat) : [];
      this.#won = wishes.length > 0 ? { roll: roll.number, seq: update.seq, wishes } : null;
    });
  }

  /** Whoever says yes means the bet that has just won as well. */
  async answer(stay: boolean): Promise<void> {
    const won = this.#won;
    settings.set("stayUp", stay);
    if (stay && won) await this.#play.putUp(won);
  }
}
