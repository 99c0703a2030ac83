// The chips that a bet moved, in words: stakes and commission apart. A record says only how many
// chips moved; the table before and after it says which were commission.

import type { BetView, TableView } from "$wire";
import { dollars } from "./money.ts";
import { listed, title } from "./words.ts";

/** The bet that moved, and its chips with commission. */
export interface Moved {
  seat: number;
  wager: string;
  amount: number;
}

/** `$20 on Buy 4 and $1 commission`. A flat bet that comes down takes its odds along. */
export function inChips(
  moved: Moved,
  before: TableView,
  after: TableView,
  where: "on" | "from",
): string[] {
  const spot = (wager: string) => title(before.wagers, wager);
  const all = changes(before, after, moved.seat);
  const own = all.filter(({ wager }) => wager === moved.wager);
  const found = [all, own].find((some) => sum(some) === moved.amount);
  // If one record moved a bet more than once, only the sum of it is known.
  if (!found) return [`${dollars(moved.amount)} ${where} ${spot(moved.wager)}`];
  const stakes = found.filter(({ stake }) => stake > 0);
  const commission = found.reduce((all, { vig }) => all + vig, 0);
  return withCommission(
    stakes.map(({ wager, stake }) => ({ stake, title: spot(wager) })),
    commission,
    where,
  );
}

/** Stakes and the commission that moved with them: `$20 on Buy 4`, `$1 commission`. */
export function withCommission(
  stakes: readonly { stake: number; title: string }[],
  commission: number,
  where: "on" | "from",
): string[] {
  const chips = stakes.map(({ stake, title }) => `${dollars(stake)} ${where} ${title}`);
  return commission > 0 ? [...chips, `${dollars(commission)} commission`] : chips;
}

/** The same in a sentence. */
export function movedWords(
  moved: Moved,
  before: TableView,
  after: TableView,
  where: "on" | "from",
): string {
  return listed(inChips(moved, before, after, where));
}

type Change = Pick<BetView, "wager" | "stake" | "vig">;

/** By how much the bets of a seat became larger or smaller. */
function changes(before: TableView, after: TableView, seat: number): Change[] {
  const [was, is] = [betsOf(before, seat), betsOf(after, seat)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((wager) => {
      const [one, other] = [was.get(wager), is.get(wager)];
      return {
        wager,
        stake: Math.abs((other?.stake ?? 0) - (one?.stake ?? 0)),
        vig: Math.abs((other?.vig ?? 0) - (one?.vig ?? 0)),
      };
    })
    .filter(({ stake, vig }) => stake + vig > 0);
}

function betsOf(table: TableView, seat: number): Map<string, BetView> {
  const bets = table.seats.find((other) => other.seat === seat)?.bets ?? [];
  return new Map(bets.map((bet) => [bet.wager, bet]));
}

const sum = (all: Change[]) => all.reduce((all, { stake, vig }) => all + stake + vig, 0);
