// A console locks this browser when its person has touched none of the browser's tabs for a while.

import { lastTouch, onTouch, read, touch } from "../lib/inUse.ts";
import { IDLE_SECONDS, lock } from "../lib/lock.svelte.ts";

const LEAST = 2;

/** The idle time an address asks for. */
export function idleSeconds(search: string): number {
  const asked = Number(new URLSearchParams(search).get("idle") ?? Number.NaN);
  if (!Number.isFinite(asked)) return IDLE_SECONDS;
  return Math.max(LEAST, Math.min(asked, IDLE_SECONDS));
}

export class Idle {
  locked = $derived.by(() => lock.holder === this.#person);

  #person: string;
  #milliseconds: number;
  #last = Date.now();
  #timer: ReturnType<typeof setInterval>;
  #stop: () => void;

  constructor(person: string, seconds: number) {
    this.#person = person;
    this.#milliseconds = seconds * 1_000;
    // By the clock and not by one long timer, which a sleeping machine would hold back.
    this.#timer = setInterval(() => this.#look(), 500);
    this.#stop = onTouch(() => this.#touched());
    touch(person, this.#milliseconds);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stop();
  }

  lock(): void {
    lock.lock(this.#person);
  }

  unlock(): void {
    this.#last = Date.now();
    lock.unlock();
  }

  #touched(): void {
    // The first touch after a sleep must not count before the clock has been read.
    this.#look();
    if (this.locked) return;
    this.#last = Date.now();
    touch(this.#person, this.#milliseconds);
  }

  #look(): void {
    if (this.locked) return;
    this.#last = lastTouch(this.#last, read(), this.#person, this.#milliseconds);
    if (Date.now() - this.#last >= this.#milliseconds) this.lock();
  }
}
