// What a player likes, kept in this browser.

class Settings {
  sound = $state(read("sound", false));
  tumble = $state(read("tumble", true));
  /** Winning line bets stay up. */
  stayUp = $state(read("stayUp", false));
  /** The same bets each hand. */
  sameBets = $state(read("sameBets", false));
  /** Calls across the table are not heard. */
  muted = $state(read("muted", false));

  set(name: "sound" | "tumble" | "stayUp" | "sameBets" | "muted", value: boolean): void {
    this[name] = value;
    try {
      localStorage.setItem(`boxman.${name}`, String(value));
    } catch {
      // A browser that keeps nothing forgets this as well.
    }
  }
}

function read(name: string, otherwise: boolean): boolean {
  try {
    const value = localStorage.getItem(`boxman.${name}`);
    return value === null ? otherwise : value === "true";
  } catch {
    return otherwise;
  }
}

export const settings = new Settings();

/** Whether things may move on the page: not where the player or the browser asks for less. */
export function moves(): boolean {
  return settings.tumble && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
