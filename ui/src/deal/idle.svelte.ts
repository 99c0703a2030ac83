// A console nobody touches locks this browser.

import { lock } from "../lib/lock.svelte.ts";

/** How long nobody may touch the console. */
export const IDLE_SECONDS = 300;
const LEAST = 2;

/** The idle time an address asks for. */
export function idleSeconds(search: string): number {
  const asked = Number(new URLSearchParams(search).get("idle") ?? Number.NaN);
  if (!Number.isFinite(asked)) return IDLE_SECONDS;
  return Math.max(LEAST, Math.min(asked, IDLE_SECONDS));
}

const INPUT = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

export class Idle {
  locked = $derived.by(() => lock.holder === this.#person);

  #person: string;
  #milliseconds: number;
  #last = Date.now();
  #timer: ReturnType<typeof setInterval>;

  constructor(person: string, seconds: number) {
    this.#person = person;
    this.#milliseconds = seconds * 1_000;
    // By the clock and not by one long timer, which a sleeping machine would hold back.
    this.#timer = setInterval(() => this.#look(), 500);
    for (const input of INPUT) addEventListener(input, this.#touched, { passive: true });
  }

  close(): void {
    clearInterval(this.#timer);
    for (const input of INPUT) removeEventListener(input, this.#touched);
  }

  lock(): void {
    lock.lock(this.#person);
  }

  unlock(): void {
    this.#last = Date.now();
    lock.unlock();
  }

  #touched = (): void => {
    // The first touch after a sleep must not count before the clock has been read.
    this.#look();
    this.#last = Date.now();
  };

  #look(): void {
    if (!this.locked && Date.now() - this.#last >= this.#milliseconds) this.lock();
  }
}
