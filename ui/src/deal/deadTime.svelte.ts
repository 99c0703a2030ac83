// Buttons that another person's act has changed under the finger do nothing for a moment: a press
// that was meant for what stood there before is lost instead of being taken for another.

import type { HandView, Update } from "$wire";
import type { Live } from "../lib/live.svelte.ts";

/** How long, in milliseconds. */
export const DEAD_TIME = 700;

export class DeadTime {
  on = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stops: (() => void)[];

  /** `isOwn` says whether an update is what this console has just asked for, `depends` what the
   * buttons depend on. */
  constructor(
    live: Live,
    isOwn: (update: Update) => boolean = () => false,
    depends: (hand: HandView) => string = moment,
  ) {
    this.#stops = [
      live.onUpdate((update, { hand }) => {
        const now = live.table?.hand;
        if (now && depends(now) !== depends(hand) && !isOwn(update)) this.#begin();
      }),
      live.onFresh(() => this.#begin()),
    ];
  }

  #begin(): void {
    this.on = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.on = false), DEAD_TIME);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }
}

/** What decides which buttons there are, and where they lie. */
const moment = ({ status, phase, betting, round, claims, proposals }: HandView) =>
  [
    status,
    phase,
    betting,
    round,
    claims.map(({ claim }) => claim),
    proposals.map(({ proposal }) => proposal),
  ].join("; ");
