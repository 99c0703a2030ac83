// A lock on this browser: whoever left the dealer's console alone has to show who they are
// before anything that is theirs opens again, in every tab. It keeps passers-by out; the login
// behind it stays good.

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
