// How the crew names what lies on the layout, counts and tells the time.

import type { WagerView } from "$wire";

/** The wager a spot belongs to. */
export function wagerOf(wagers: WagerView[], spot: string): WagerView | null {
  return wagers.find((wager) => wager.spots.includes(spot)) ?? null;
}

/** What a spot is called at this table: `odds come 5` is "Odds behind Come 5". */
export function title(wagers: WagerView[], spot: string): string {
  const wager = wagerOf(wagers, spot);
  if (!wager) return spot;
  return spot === wager.wager ? wager.title : wager.title + spot.slice(wager.wager.length);
}

/** The number a spot stands on: `place 6`. */
export function numberOf(spot: string): number | null {
  const number = /(\d+)$/.exec(spot)?.[1];
  return number === undefined ? null : Number(number);
}

/** `1 bet`, `2 bets`. */
export function count(many: number, one: string, more = `${one}s`): string {
  return `${many.toLocaleString("en-US")} ${many === 1 ? one : more}`;
}

/** `4:59` until a moment; nothing before zero. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
