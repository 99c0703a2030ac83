// What a spot pays, as far as it concerns its number, in the words of a table.

import type { PayView, WagerView } from "$wire";
import { grouped } from "../lib/money.ts";
import { listed, numberOf } from "../lib/words.ts";

/** The lines of the paytable that concern the number of a spot, or the point where it is odds on
 * the line, or all of them; in short without what the dealers get. */
export function paysOn(
  wager: WagerView,
  spot: string,
  short = false,
  point: number | null = null,
): string[] {
  const words = (line: PayView, where = "") =>
    paid(line) + where + (line.envy && !short ? ` (${envy(line.envy)})` : "");
  const number = numberOf(spot) ?? (spot.startsWith("odds ") ? point : null);
  const own = wager.pays.filter((line) => number !== null && line.numbers.includes(number));
  // A hop is paid by its two faces.
  const faces = / (\d-\d)$/.exec(spot)?.[1];
  const hop = wager.pays.filter((line) => faces && line.on.split(" ").includes(faces));
  if (hop.length > 0) return hop.map((line) => words(line));
  // A bet that wins on other numbers than its own is paid by all of them: horn high.
  const wins = new Set(wager.wins.match(/\d+/g)?.map(Number));
  const every = wager.pays.every(({ numbers }) => numbers.every((number) => wins.has(number)));
  if (own.length > 0 && (wager.board || !every)) return own.map((line) => words(line));
  return wager.pays.map((line) => words(line, line.on && ` ${on(wager, line)}`));
}

const paid = ({ pays }: PayView) => (pays === "100% of the meter" ? "the whole meter" : pays);

/** `on 4 and 10`; of a side bet how much of it has to come. */
function on({ board }: WagerView, { on, numbers }: PayView): string {
  if (board && !/^\d+(-\d+)?\+?$/.test(on)) return `for ${on}`;
  if (board?.shape === "sequence") return `for ${on} in a row`;
  if (board?.shape === "distinct") return `for ${on} different numbers`;
  if (board) return `for ${on} of them`;
  return `on ${numbers.length > 0 ? listed(numbers.map(String)) : on}`;
}

/** `the dealers get $50 each`, `the dealers get 5 times the bet`. */
function envy(written: string): string {
  const times = /^(\d+)x$/.exec(written)?.[1];
  if (times === "1") return "the dealers get as much as the bet";
  if (times) return `the dealers get ${times} times the bet`;
  return `the dealers get ${grouped(written)}`;
}
