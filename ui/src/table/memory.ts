// What a seat's bets were, for rebet and for the same bets each hand: kept in this tab, so that it
// outlives a reload and nothing else.

import type { RolledView, SeatView, TableView } from "$wire";
import { asWishes, cameDown, type Wish } from "../lib/betting.ts";
import { wagerOf } from "../lib/words.ts";

export interface Kept {
  /** Whose: a seat may have another player by and by. */
  person: string | null;
  /** The last roll this is about. */
  rolls: number;
  dice: string | null;
  /** What the last decisions took down. */
  down: readonly Wish[];
  /** What stood at the start of a hand, by how many rolls there had been before it. */
  start: { hand: number; bets: readonly Wish[] } | null;
}

const NOTHING = { rolls: 0, dice: null, down: [], start: null };
const address = (table: string, seat: number) => `boxman.bets.${table}.${seat}`;

/** What is kept of a seat; nothing where it is not this player's or the roll was taken back. */
export function recall(table: TableView, { seat, person }: SeatView): Kept {
  const nothing = { ...NOTHING, person };
  const kept = read(address(table.id, seat));
  if (!kept || kept.person !== person) return nothing;
  const { rolls } = table.hand;
  if (rolls < kept.rolls) return nothing;
  if (rolls === kept.rolls && kept.dice !== (table.recent.at(-1) ?? null)) return nothing;
  const offered = ({ wager }: Wish) => wagerOf(table.wagers, wager) !== null;
  const start = kept.start && { ...kept.start, bets: kept.start.bets.filter(offered) };
  return { ...kept, down: kept.down.filter(offered), start };
}

/** What is kept after a roll that found the table like this. */
export function after(kept: Kept, roll: RolledView, before: TableView, seat: SeatView): Kept {
  const took = cameDown(roll, seat.seat);
  const down = took.length > 0 ? took : kept.down;
  return { ...kept, rolls: roll.number, dice: roll.dice, down, start: started(kept, before, seat) };
}

/** The bets at the first come-out of a hand that found any; one without is a hand without. */
function started({ start }: Kept, { hand }: TableView, { bets }: SeatView): Kept["start"] {
  const began = hand.rolls - hand.hand_rolls;
  const known = start?.hand === began && start.bets.length > 0;
  return known || hand.puck !== null ? start : { hand: began, bets: asWishes(bets) };
}

export function keep(table: string, seat: number, kept: Kept): void {
  try {
    sessionStorage.setItem(address(table, seat), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing forgets this with the page.
  }
}

export function forget(table: string, seat: number): void {
  try {
    sessionStorage.removeItem(address(table, seat));
  } catch {
    // Nothing was kept.
  }
}

function read(address: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(address) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}
