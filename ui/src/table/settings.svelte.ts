// What a player likes, kept in this browser.

type Name = "sound" | "tumble" | "stayUp" | "sameBets" | "muted";
const NAMES: Name[] = ["sound", "tumble", "stayUp", "sameBets", "muted"];

class Settings {
  sound = $state(read("sound", false));
  tumble = $state(read("tumble", true));
  /** Winning line bets stay up. */
  stayUp = $state(read("stayUp", false));
  /** The same bets each hand. */
  sameBets = $state(read("sameBets", false));
  /** Calls across the table are not heard. */
  muted = $state(read("muted", false));

  /** What the player has said either way. */
  #chosen = $state.raw<ReadonlySet<Name>>(new Set(NAMES.filter((name) => kept(name) !== null)));

  constructor() {
    // What is chosen in one window holds in all of them.
    globalThis.addEventListener?.("storage", ({ key }) => {
      for (const name of NAMES.filter((name) => key === null || key === `boxman.${name}`))
        this.#take(name, read(name, name === "tumble"));
    });
  }

  isChosen(name: Name): boolean {
    return this.#chosen.has(name);
  }

  #take(name: Name, value: boolean): void {
    this[name] = value;
    this.#chosen = new Set(this.#chosen).add(name);
  }

  set(name: Name, value: boolean): void {
    this.#take(name, value);
    try {
      localStorage.setItem(`boxman.${name}`, String(value));
    } catch {
      // A browser that keeps nothing forgets this as well.
    }
  }
}

function kept(name: Name): string | null {
  try {
    return localStorage.getItem(`boxman.${name}`);
  } catch {
    return null;
  }
}

function read(name: Name, otherwise: boolean): boolean {
  const value = kept(name);
  return value === null ? otherwise : value === "true";
}

export const settings = new Settings();

/** Whether things may move on the page: not where the player or the browser asks for less. */
export function moves(): boolean {
  return settings.tumble && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
