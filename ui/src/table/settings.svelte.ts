// What a player likes, kept in this browser.

class Settings {
  sound = $state(read("sound", false));
  tumble = $state(read("tumble", true));

  set(name: "sound" | "tumble", value: boolean): void {
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
