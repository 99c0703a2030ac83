// What the server said last, while it is being asked again. Sliders move faster than answers, so
// one question is on its way at a time and the newest waits behind it: figures follow the thumb
// as fast as they come, in order, and the last one always holds.

import { get, sentence } from "../lib/api.ts";

/** Changes within this many milliseconds are one question. */
const TOGETHER = 80;
/** Whoever has waited this long is not waited for once there is a newer question. */
const TOO_LONG = 600;

export class Latest<T> {
  /** The last good answer; it stays while the next is on its way. */
  value = $state.raw<T | null>(null);
  busy = $state(false);
  /** Why the last question had no answer. */
  problem = $state<string | null>(null);

  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #under: { abort: AbortController; since: number } | null = null;

  /** Asks, a moment after the first of several changes. */
  ask(path: string): void {
    if (path === this.#wanted) return;
    const first = this.#wanted === "";
    this.#wanted = path;
    this.busy = true;
    if (this.#under && performance.now() - this.#under.since > TOO_LONG) {
      this.#under.abort.abort();
      this.#under = null;
    }
    if (!this.#under) this.#timer ??= setTimeout(() => void this.#go(), first ? 0 : TOGETHER);
  }

  async #go(): Promise<void> {
    this.#timer = undefined;
    const path = this.#wanted;
    const under = { abort: new AbortController(), since: performance.now() };
    this.#under = under;
    let problem: string | null = null;
    try {
      const value = await get<T>(path, under.abort.signal);
      if (this.#under !== under) return;
      this.value = value;
    } catch (error) {
      if (this.#under !== under) return;
      problem = sentence(error);
    }
    this.#under = null;
    if (this.#wanted !== path) {
      this.#timer ??= setTimeout(() => void this.#go(), TOGETHER);
      return;
    }
    this.problem = problem;
    this.busy = false;
  }

  /** Nothing is waited for any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#under?.abort.abort();
    this.#under = null;
    this.#wanted = "";
    this.busy = false;
  }

  /** Forgets everything. */
  clear(): void {
    this.stop();
    this.value = null;
    this.problem = null;
  }
}
