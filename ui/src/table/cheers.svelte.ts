// What players call across the table: the latest call of each seat, for a moment. Muted with one
// click, and remembered.

import type { Cheer } from "$wire";
import type { Live } from "../lib/live.svelte.ts";
import { settings } from "./settings.svelte.ts";

/** What there is to call, in words. */
export const CHEERS: Record<Cheer, string> = {
  "good-luck": "Good luck!",
  "come-on-dice": "Come on, dice!",
  "nice-roll": "Nice roll!",
  "hot-hand": "Hot hand!",
  yo: "Yo-leven!",
  "hard-way": "The hard way!",
  "press-it": "Press it!",
  ouch: "Ouch!",
  "well-played": "Well played!",
  "thank-you": "Thank you!",
};

/** How long a call is shown, in milliseconds. */
const SHOWN = 4_000;
/** The server hears one call of a player in this time. */
const PACE = 1_500;

export class Cheers {
  /** What was called lately, by seat. */
  heard = $state.raw<ReadonlyMap<number, Cheer>>(new Map());
  /** Whether one may call again. */
  ready = $state(true);
  readonly #live: Live;
  /** Until when each is shown, by seat. */
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(live: Live) {
    this.#live = live;
    live.onCheer((seat, cheer) => this.#hear(seat, cheer));
  }

  call(cheer: Cheer): void {
    if (!this.ready) return;
    this.ready = false;
    setTimeout(() => (this.ready = true), PACE);
    this.#live.cheer(cheer);
  }

  mute(muted: boolean): void {
    settings.set("muted", muted);
    if (muted) this.heard = new Map();
  }

  #hear(seat: number, cheer: Cheer): void {
    if (settings.muted) return;
    this.heard = new Map(this.heard).set(seat, cheer);
    // Another call of theirs has a time of its own.
    clearTimeout(this.#timers.get(seat));
    this.#timers.set(
      seat,
      setTimeout(() => this.#forget(seat), SHOWN),
    );
  }

  #forget(seat: number): void {
    const left = new Map(this.heard);
    left.delete(seat);
    this.heard = left;
  }
}
