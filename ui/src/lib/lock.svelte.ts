// A lock on this browser: a person who left the dealer's console alone has to give their password
// before anything that is theirs opens again. It covers every tab, and one password opens them
// all. It keeps passers-by out; the login behind it stays good.

/** After how many seconds without a touch a console locks the browser. */
export const IDLE_SECONDS = 300;

const KEPT = "boxman.locked";

class Lock {
  /** Whose login is locked. */
  holder = $state(read());

  constructor() {
    globalThis.addEventListener?.("storage", () => (this.holder = read()));
  }

  lock(person: string): void {
    this.holder = person;
    localStorage.setItem(KEPT, person);
  }

  unlock(): void {
    this.holder = null;
    localStorage.removeItem(KEPT);
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export const lock = new Lock();
