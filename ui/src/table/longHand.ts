// A shooter who holds the dice for long is noticed, now and then.

import type { TableView } from "$wire";
import { nameOf } from "../lib/table.ts";

const FIRST = 10;
const EVERY = 5;

/** What is said of the hand after its last roll; nothing for most rolls. */
export function longHand(table: TableView): string | null {
  const { shooter, hand_rolls } = table.hand;
  if (shooter === null || hand_rolls < FIRST || hand_rolls % EVERY !== 0) return null;
  const name = nameOf(table, shooter);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} has held the dice for ${hand_rolls} rolls`;
}
