// The work list that was marked done last, as this page last showed it: the server keeps no list
// that is done.

import type { WorkListView } from "$wire";
import type { Live } from "../lib/live.svelte.ts";

export class LastList {
  /** Nothing while none was marked done here, or once its roll was taken back. */
  list = $state.raw<WorkListView | null>(null);
  /** What was left, when the lists were seen last. */
  #left: readonly WorkListView[] = [];
  #stops: (() => void)[];

  constructor(live: Live) {
    this.#stops = [
      live.onUpdate(({ events }) => {
        // Lists that a void or a correction takes away were not done.
        if (events.some(({ event }) => event === "voided" || event === "corrected")) this.#forget();
      }),
      live.onFresh(() => this.#forget()),
    ];
  }

  #forget(): void {
    [this.list, this.#left] = [null, []];
  }

  /** Takes note of the lists as they are now. */
  see(lists: readonly WorkListView[]): void {
    const left = lists.filter(({ done }) => !done);
    const isLeft = ({ list }: WorkListView) => left.some((other) => other.list === list);
    const ended = this.#left.findLast((list) => !isLeft(list));
    if (ended) this.list = ended;
    this.#left = left;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}
