// How a chip in the hand becomes an amount on a spot, and what rebet, press and across put down.
// Whether a bet may be made is the server's to say; here amounts are only rounded to what it
// will take.

import type {
  BetView,
  Command,
  OfferView,
  RolledView,
  SeatView,
  TableView,
  WagerView,
} from "$wire";
import { wagerOf } from "./words.ts";

const ceil = (amount: number, step: number) => Math.ceil(amount / step) * step;
const floor = (amount: number, step: number) => Math.floor(amount / step) * step;

/** What a chip adds to `stake` on a spot: rounded so that the whole bet wins whole dollars. */
export function amountFor(chip: number, stake: number, offer: OfferView): number | null {
  const { least, most, step, even } = offer;
  if (least === null || most === null || step === null) return null;
  const grain = even % step === 0 ? even : step;
  const wished = ceil(stake + chip, grain) - stake;
  if (wished > most) {
    const fitting = floor(stake + most, grain) - stake;
    return fitting >= least ? fitting : most;
  }
  return Math.max(ceil(wished, step), least);
}

/** What a chip takes off a bet, so that the rest wins whole dollars; all of it is nothing named. */
export function takeFor(
  chip: number,
  bet: BetView,
  wager: WagerView,
  even = wager.unit,
): number | undefined {
  const left = floor(bet.stake - chip, even % wager.unit === 0 ? even : wager.unit);
  return left >= wager.min && left < bet.stake ? bet.stake - left : undefined;
}

export interface Wish {
  wager: string;
  amount: number;
}

/** A chip on each of these numbers; the point is left out where a pass line bet stands on it. */
export function placing(
  numbers: number[],
  chip: number,
  seat: SeatView,
  point: number | null,
): Wish[] {
  const covered = seat.bets.some((bet) => bet.wager === "pass") ? point : null;
  return numbers
    .filter((number) => number !== covered)
    .map((number) => ({ wager: `place ${number}`, amount: chip }));
}

export const INSIDE = [5, 6, 8, 9];
export const ACROSS = [4, 5, 6, 8, 9, 10];

/** The bets of a seat that a roll decided and took down: what rebet puts down again. */
export function cameDown(roll: RolledView, seat: number): Wish[] {
  return roll.lines
    .filter((line) => line.seat === seat && line.left === null)
    .filter((line) => line.fate === "win" || line.fate === "lose")
    .map((line) => ({ wager: line.wager, amount: line.stake }));
}

/** What the player did since the last roll, so that it can be undone. */
export type Done = Extract<Command, { command: "put" | "take" }> & { amount: number };

/** The opposite of what was done. */
export function undo({ command, seat, wager, amount }: Done): Command {
  return { command: command === "put" ? "take" : "put", seat, wager, amount };
}

/** Chips that the player is waiting to see on the felt, by spot. */
export function onTheWay(commands: Iterable<Command>, seat: number): Map<string, number> {
  const spots = new Map<string, number>();
  for (const command of commands)
    if (command.command === "put" && command.seat === seat)
      spots.set(command.wager, (spots.get(command.wager) ?? 0) + command.amount);
  return spots;
}

/** What somebody new to the game could do now, in the words of the table's own rules. */
export function hint(table: TableView, seat: SeatView | null): string {
  const { hand } = table;
  if (hand.status === "paused") return "The table waits. Your chips stay where they are.";
  if (hand.status === "closed") return "The table is closed.";
  if (!seat) return "You are watching. Take a seat to play.";
  if (!hand.betting) return "No more bets: the dice are out.";
  if (seat.rack === 0 && seat.bets.length === 0)
    return `You have no chips. ${table.config.practice ? "Buy in to play" : "Ask the dealer for some"}.`;
  const up = (spot: string) => seat.bets.some((bet) => bet.wager === spot);
  const lines = ["pass", "dont-pass"]
    .map((spot) => wagerOf(table.wagers, spot))
    .filter((line) => line !== null);
  const mine = lines.find((line) => up(line.wager));
  const line = mine ?? lines[0];
  if (!line) return hand.puck === null ? "Come-out roll." : `The point is ${hand.puck}.`;
  const rule = `${line.title} wins on ${line.wins}.`;
  if (hand.puck === null)
    return mine
      ? `Come-out roll. ${rule}`
      : `Come-out roll. Put a chip on ${line.title} to shoot. ${rule}`;
  const point = `The point is ${hand.puck}.`;
  if (!mine)
    return `${point} Come bets start with the next roll; place bets stand on a number of their own.`;
  const odds = wagerOf(table.wagers, `odds ${mine.wager}`);
  return odds && !up(odds.wager)
    ? `${point} ${rule} You can back it with odds.`
    : `${point} ${rule}`;
}
