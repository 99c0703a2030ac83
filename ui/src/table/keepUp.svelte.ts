// Whether winning line bets shall stay up: asked when one wins, until there was an answer.

import { wonLines, type Wish } from "../lib/betting.ts";
import { rolled } from "../lib/table.ts";
import type { Play } from "./play.svelte.ts";
import { settings } from "./settings.svelte.ts";

export class KeepUp {
  readonly #play: Play;
  /** What the last roll took down though it won. */
  #won = $state.raw<{ roll: number; seat: number; wishes: Wish[] } | null>(null);

  /** Not before the dice lie, not beyond the next roll, and of no other seat. */
  asks = $derived.by(() => {
    const { table, seat } = this.#play;
    const won = this.#won;
    const now = won !== null && won.roll === table?.hand.rolls && won.seat === seat?.seat;
    return now && !settings.isChosen("stayUp");
  });

  constructor(play: Play) {
    this.#play = play;
    const won = () => this.#won;
    play.live.onUpdate((update, _, late) => {
      const roll = rolled(update);
      // Whoever bets on has other things in mind.
      const bets = update.events.some(
        (event) => event.event === "put" && event.seat === won()?.seat,
      );
      if (bets) this.#won = null;
      if (!roll) return;
      const { seat } = play;
      const wishes = seat && !late ? wonLines(roll, seat.seat) : [];
      const some = seat && wishes.length > 0;
      this.#won = some ? { roll: roll.number, seat: seat.seat, wishes } : null;
    });
  }

  /** Whoever says yes means the bet that has just won as well. */
  async answer(stay: boolean): Promise<void> {
    const won = this.asks ? this.#won : null;
    settings.set("stayUp", stay);
    if (stay && won) await this.#play.putUp(won.wishes);
  }
}
