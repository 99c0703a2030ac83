// What a spot pays, as far as it concerns its number.

import type { PayView, WagerView } from "$wire";
import { numberOf } from "../lib/words.ts";

/** The lines of the paytable that concern the number of a spot, or all of them; in short without
 * what the dealers get. */
export function paysOn(wager: WagerView, spot: string, short = false): string[] {
  const words = ({ pays, envy }: PayView) => (envy && !short ? `${pays}, envy ${envy}` : pays);
  const number = numberOf(spot);
  const own = wager.pays.filter((line) => number !== null && line.numbers.includes(number));
  // A bet that wins on other numbers than its own is paid by all of them: horn high.
  const wins = new Set(wager.wins.match(/\d+/g)?.map(Number));
  const every = wager.pays.every(({ numbers }) => numbers.every((number) => wins.has(number)));
  if (own.length > 0 && !every) return own.map(words);
  return wager.pays.map((line) => (line.on ? `${line.on}: ${words(line)}` : words(line)));
}
