// A console nobody touches covers itself. Whether it is covered is remembered in the browser,
// so that loading the page again does not uncover it.

/** How long nobody may touch the console. */
export const IDLE_SECONDS = 300;
const LEAST = 2;

/** The idle time an address asks for. */
export function idleSeconds(search: string): number {
  const asked = Number(new URLSearchParams(search).get("idle") ?? Number.NaN);
  if (!Number.isFinite(asked)) return IDLE_SECONDS;
  return Math.max(LEAST, Math.min(asked, IDLE_SECONDS));
}

const KEPT = "boxman.console.locked";
const INPUT = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

export class Idle {
  locked = $state(false);

  #person: string;
  #milliseconds: number;
  #last = Date.now();
  #timer: ReturnType<typeof setInterval>;

  constructor(person: string, seconds: number) {
    this.#person = person;
    this.#milliseconds = seconds * 1_000;
    this.locked = localStorage.getItem(KEPT) === person;
    // By the clock and not by one long timer, which a sleeping machine would hold back.
    this.#timer = setInterval(() => this.#look(), 500);
    for (const input of INPUT) addEventListener(input, this.#touched, { passive: true });
  }

  close(): void {
    clearInterval(this.#timer);
    for (const input of INPUT) removeEventListener(input, this.#touched);
  }

  lock(): void {
    this.locked = true;
    localStorage.setItem(KEPT, this.#person);
  }

  unlock(): void {
    this.locked = false;
    this.#last = Date.now();
    localStorage.removeItem(KEPT);
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
