// The keyboard shortcuts of the table page: what each key does, and the list that the help shows.

import type { Play } from "./play.svelte.ts";

/** Every key of the page and of its felt (`felt/keys`), as the help lists them. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Tab, then arrows", "go to the felt and move between bets"],
  ["Enter or Space", "add the amount in your hand"],
  ["Backspace or Delete", "take it back"],
  ["O", "call a bet on or off"],
  ["0 … 9", "type an amount: 2 5 puts $25 in your hand; Backspace mends it, Esc drops it"],
  ["R", "roll the dice, also for a shooter who has gone"],
  ["U · C · B", "undo · clear · rebet"],
  ["P · H", "press in full · press by half"],
  ["A · I · E", "place across · inside · 6 and 8"],
  ["W", "what each roll would bring you"],
  ["Esc, or any key", "skip the tumbling dice"],
  ["?", "this help"],
];

/** What a letter does; `spot` is the one under the keyboard, or chosen last. */
const LETTERS = new Map<string, (play: Play, spot: string | null) => unknown>([
  ["r", (play) => play.roll()],
  ["u", (play) => play.undo()],
  ["c", (play) => play.clear()],
  ["b", (play) => play.rebet()],
  ["p", (play, spot) => play.press(spot, "full")],
  ["h", (play, spot) => play.press(spot, "half")],
  ["i", (play) => play.inside()],
  ["a", (play) => play.across()],
  ["e", (play) => play.even()],
  ["w", (play) => play.wonder()],
]);

/** Whether a key is meant for the page: pressed once, alone, and not into a field. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false;
  const target = event.target as HTMLElement;
  return !target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

/** Does what a key stands for, for somebody who has a seat. */
export function pressKey(key: string, play: Play, spot: string | null): void {
  if (key === "Escape" && play.wondering) play.wonder(false);
  LETTERS.get(key.toLowerCase())?.(play, spot);
}

/** Dollars and cents, as they are typed: no more than a rack could hold. Commas stay as they are,
 * so that `12,50` does not become 1250. */
export function figures(text: string): string {
  const plain = text.replace(/[^\d.,]/g, "").replace(/^0+(?=\d)/, "");
  const [, dollars = "", cents = ""] = /^((?:,?\d){0,7},?)[\d,]*(\.\d{0,2})?/.exec(plain) ?? [];
  if (dollars === "0" && cents === "") return "";
  return (/^[.,]/.test(dollars + cents) ? "0" : "") + dollars + cents;
}

/** What is typed after one more key; nothing where the key is no typing. What has been used is
 * not typed on: a figure starts anew, and Backspace is the felt's. */
export function typedAfter(key: string, typed: string, used: boolean): string | null {
  if (/^\d$/.test(key) || (/^[.,]$/.test(key) && typed !== "" && !used))
    return figures((used ? "" : typed) + key);
  if (typed === "") return null;
  if (key === "Escape") return "";
  return key === "Backspace" && !used ? typed.slice(0, -1) : null;
}
