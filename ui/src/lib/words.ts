// How the crew names what lies on the layout, counts and tells the time.

import type { WagerView } from "$wire";

/** The wager a spot belongs to. */
export function wagerOf(wagers: WagerView[], spot: string): WagerView | null {
  return wagers.find((wager) => wager.spots.includes(spot)) ?? null;
}

/** What a spot is called at this table: `odds come 5` is "Odds behind Come 5". */
export function title(wagers: WagerView[], spot: string): string {
  const wager = wagerOf(wagers, spot);
  if (!wager) return spot.charAt(0).toUpperCase() + spot.slice(1).replaceAll("-", " ");
  if (spot === wager.wager) return wager.title;
  // Nobody says "hardway 8".
  const name = wager.title === "Hardway" ? "Hard" : wager.title;
  return name + spot.slice(wager.wager.length);
}

/** Whether a title is plural: `Odds behind Pass Line take`. */
export const isMany = (title: string) => title.startsWith("Odds");

/** What the house says about a spot, with the spot called as people call it. */
export function named(wagers: WagerView[], spot: string, said: string): string {
  const written = new RegExp(`(?<![\\w-])${spot}(?![\\w-])`);
  return said.replace(written, title(wagers, spot));
}

/** With a capital letter. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `Field`, `Field and Come`, `Field, Come and Place 6`. */
export function listed(things: string[], and = "and"): string {
  const last = things.at(-1) ?? "";
  return things.length < 2 ? last : `${things.slice(0, -1).join(", ")} ${and} ${last}`;
}

/** The number a spot stands on: `place 6`. A hop stands on two faces, which is no number. */
export function numberOf(spot: string): number | null {
  const number = /(?<![-\d])(\d+)$/.exec(spot)?.[1];
  return number === undefined ? null : Number(number);
}

/** The numbers that the puck can lie on; the usual ones where no line bet says which. */
export function points(wagers: WagerView[]): number[] {
  return wagers.find(({ kind }) => kind === "line")?.numbers ?? [4, 5, 6, 8, 9, 10];
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

/** What is said while other rules wait to be applied. */
export const NEW_RULES_WAIT = "New rules wait for the next come-out with no bets up.";
