// The keys of the felt: what each does to the spot it is pressed on.

import type { Way } from "./plan.ts";

export type SpotKey = "put" | "take" | "call" | "nothing" | { go: Way };

const KEYS = new Map<string, SpotKey>([
  ["Enter", "put"],
  [" ", "put"],
  ["Backspace", "take"],
  ["Delete", "take"],
  ["o", "call"],
  ["O", "call"],
  ["ArrowLeft", { go: "left" }],
  ["ArrowRight", { go: "right" }],
  ["ArrowUp", { go: "up" }],
  ["ArrowDown", { go: "down" }],
]);

/** What a key does, where it means the felt. While it is held down it only moves about. */
export function spotKey(event: KeyboardEvent): SpotKey | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = KEYS.get(event.key) ?? null;
  return event.repeat && typeof key !== "object" ? "nothing" : key;
}
