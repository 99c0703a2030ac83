// The keyboard shortcuts of the table page: what each key does, and the list that the help shows.

import { CHOICE, type Play } from "./play.svelte.ts";

/** Every key of the page and of its felt (`felt/keys`), as the help lists them. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Tab, then arrows", "go to the felt and move between bets"],
  ["Enter or Space", "add the chip in your hand"],
  ["Backspace or Delete", "take a chip back"],
  ["O", "call a bet on or off"],
  ["1 … 6", "choose a chip"],
  ["R", "roll the dice"],
  ["U · C · B", "undo · clear · rebet"],
  ["P · I · A", "press · inside · across"],
  ["Esc, or any key", "skip the tumbling dice"],
  ["?", "this help"],
];

/** What a letter does; `spot` is the one under the keyboard, or chosen last. */
const LETTERS = new Map<string, (play: Play, spot: string | null) => Promise<unknown>>([
  ["r", (play) => play.roll()],
  ["u", (play) => play.undo()],
  ["c", (play) => play.clear()],
  ["b", (play) => play.rebet()],
  ["p", (play, spot) => play.press(holds(play, spot) ? spot : null)],
  ["i", (play) => play.inside()],
  ["a", (play) => play.across()],
]);

/** Whether a key is meant for the page: pressed once, alone, and not into a field. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false;
  const target = event.target as HTMLElement;
  return !target.matches("input:not([type=checkbox]), textarea, select");
}

/** Does what a key stands for, for somebody who has a seat. */
export function pressKey(key: string, play: Play, spot: string | null): void {
  const chip = CHOICE[Number(key) - 1];
  if (chip !== undefined) play.chip = chip;
  else void LETTERS.get(key.toLowerCase())?.(play, spot);
}

const holds = (play: Play, spot: string | null) =>
  play.seat?.bets.some((bet) => bet.wager === spot) ?? false;
