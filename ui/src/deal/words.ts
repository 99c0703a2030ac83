// How the crew names what lies on the layout and what the dice show.

import type { WagerView } from "$wire";

/** What a spot is called at this table: `odds come 5` is "Odds behind Come 5". */
export function title(wagers: WagerView[], spot: string): string {
  const wager = wagers.find((other) => other.spots.includes(spot));
  if (!wager) return spot;
  return spot === wager.wager ? wager.title : wager.title + spot.slice(wager.wager.length);
}

const NUMBERS = [
  "aces, craps two",
  "ace deuce, craps three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "yo eleven",
  "boxcars, craps twelve",
];
const POINTS = [4, 5, 6, 8, 9, 10];

/** What the stick will call: said before the roll is confirmed, so only what holds at any table. */
export function callToBe(first: number, second: number, puck: number | null): string {
  const total = first + second;
  const plain = NUMBERS[total - 2] ?? String(total);
  if (total === 7) return puck === null ? "seven, front line winner" : "seven out, line away";
  const pair = first === second && total > 2 && total < 12;
  const easy = total % 2 === 0 && total > 2 && total < 12;
  const number = pair ? `${plain}, the hard way` : easy ? `easy ${plain}` : plain;
  if (puck === total) return `${number}, winner`;
  if (puck === null && POINTS.includes(total)) return `${number}, mark the ${total}`;
  return number;
}

/** `1 bet`, `2 bets`. */
export function count(many: number, one: string, more = `${one}s`): string {
  return `${many} ${many === 1 ? one : more}`;
}

/** `4:59` until a moment; nothing before zero. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
