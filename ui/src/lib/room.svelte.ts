// A light room or a dark one: as the browser likes it, until somebody chooses.

export type Light = "light" | "dark";

const KEY = "boxman.room";
const LIGHT = "(prefers-color-scheme: light)";

class Room {
  #chosen = $state<Light | null>(kept());
  #liked = $state<Light>("dark");
  now = $derived(this.#chosen ?? this.#liked);

  constructor() {
    const likes = matchMedia(LIGHT);
    const look = () => (this.#liked = likes.matches ? "light" : "dark");
    look();
    likes.addEventListener("change", look);
    this.#show();
  }

  /** The other one from now on, in this browser. */
  turn(): void {
    this.#chosen = this.now === "light" ? "dark" : "light";
    this.#show();
    try {
      localStorage.setItem(KEY, this.#chosen);
    } catch {
      // A browser that keeps nothing forgets this as well.
    }
  }

  #show(): void {
    if (this.#chosen) document.documentElement.dataset.room = this.#chosen;
  }
}

function kept(): Light | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

export const room = new Room();
