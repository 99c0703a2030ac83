// What a dealer's hands do after a roll: take every losing bet first, then go round the table
// and pay, seat by seat, starting beside the shooter. Pure: the money is the server's, only the
// order and the words are made here.

import type { SettledView, RolledView, TableView } from "$wire";
import { title, wagerOf } from "../lib/words.ts";

/** What is done about one bet. */
export type Deed =
  /** A losing bet goes to the bank. */
  | "take"
  /** A come bet wins where an equal one travels to: only the winnings move. */
  | "off-and-on"
  /** It wins. */
  | "pay"
  /** It goes back to the player undecided. */
  | "return"
  /** A jackpot, paid once it is confirmed; the wager itself goes to the bank. */
  | "jackpot"
  /** It travels to its number. */
  | "move"
  /** It neither won nor lost. */
  | "stand";

/** One bet and what is done about it. */
export interface Work {
  deed: Deed;
  wager: string;
  title: string;
  stake: number;
  /** Winnings before commission. */
  won: number;
  commission: number;
  /** Chips out of the bank: winnings less commission. */
  pay: number;
  /** Chips off the layout that go back to the player. */
  down: number;
  /** Both together. */
  toRack: number;
  /** Where it stands afterwards, by its title; nothing where it comes down. */
  left: string | null;
  /** Off and on: what the equal bet was before it took the spot. */
  successor: string | null;
}

/** A bet that stays on the layout. */
export interface Standing {
  wager: string;
  title: string;
  stake: number;
}

/** Everything to be done at one seat. */
export interface SeatWork {
  seat: number;
  name: string;
  work: Work[];
  taken: number;
  pay: number;
  down: number;
  toRack: number;
  /** What is up after it all. */
  stays: Standing[];
}

export interface TakeAndPay {
  rolled: RolledView;
  /** Seats with losing bets, and only those bets. */
  take: SeatWork[];
  /** Seats with anything else, and all of that. */
  pay: SeatWork[];
  /** For the whole table. */
  taken: number;
  paid: number;
  down: number;
  commission: number;
  /** What the bank gains by the roll, envy and jackpots aside. */
  bank: number;
}

/** What is needed of the table as it was when the dice were thrown. */
export type Before = Pick<TableView, "wagers" | "seats"> & { config: { seats: number } };

/** In the order of a dealer's hands at one seat. */
const ORDER: Deed[] = ["take", "off-and-on", "pay", "return", "jackpot", "move", "stand"];

/** The work of a roll, in the order it is done. */
export function takeAndPay(rolled: RolledView, before: Before): TakeAndPay {
  const seats = [...new Set(rolled.lines.map((line) => line.seat))].sort(
    (one, other) => steps(one, rolled.shooter, before) - steps(other, rolled.shooter, before),
  );
  const all = seats.map((seat) => atSeat(rolled, before, seat));
  const part = (wanted: (work: Work) => boolean) =>
    all
      .map((seat) => summed({ ...seat, work: seat.work.filter(wanted) }))
      .filter((seat) => seat.work.length > 0);
  const work = all.flatMap((seat) => seat.work);
  const taken = sum(all.map((seat) => seat.taken));
  const paid = sum(work.map((one) => one.pay));
  return {
    rolled,
    take: part((one) => one.deed === "take"),
    pay: part((one) => one.deed !== "take"),
    taken,
    paid,
    down: sum(work.map((one) => one.down)),
    commission: sum(work.map((one) => one.commission)),
    bank: taken - paid,
  };
}

/** How many seats clockwise of the shooter, who comes last. */
function steps(seat: number, shooter: number, before: Before): number {
  const seats = Math.max(before.config.seats, seat + 1, shooter + 1);
  return (seat - shooter - 1 + seats) % seats;
}

function atSeat(rolled: RolledView, before: Before, seat: number): SeatWork {
  const lines = rolled.lines.filter((line) => line.seat === seat);
  const merged = new Set<SettledView>();
  const work: Work[] = [];
  for (const line of lines) {
    const successor = offAndOn(line, lines);
    if (successor) merged.add(successor);
    const deed = successor ? "off-and-on" : deedOf(line, rolled, before);
    work.push(workOf(line, deed, before, successor));
  }
  const kept = work.filter((_, index) => !merged.has(lines[index] as SettledView));
  kept.sort((one, other) => ORDER.indexOf(one.deed) - ORDER.indexOf(other.deed));
  const who = before.seats.find((other) => other.seat === seat);
  const name = who?.name ?? `Seat ${seat + 1}`;
  const stays = standing(lines, who?.bets ?? [], before);
  return summed({ seat, name, work: kept, taken: 0, pay: 0, down: 0, toRack: 0, stays });
}

/** The equal bet that travels to the number this one wins on. */
function offAndOn(line: SettledView, lines: SettledView[]): SettledView | undefined {
  if (line.fate !== "win" || line.left !== null) return undefined;
  return lines.find(
    (other) => other.fate === "travel" && other.left === line.wager && other.stake === line.stake,
  );
}

function deedOf(line: SettledView, rolled: RolledView, before: Before): Deed {
  switch (line.fate) {
    case "lose":
      return "take";
    case "travel":
      return "move";
    case "push":
      return "stand";
    case "return":
      return "return";
    default:
      return wonJackpot(line, rolled, before) ? "jackpot" : "pay";
  }
}

function wonJackpot(line: SettledView, rolled: RolledView, before: Before): boolean {
  const paytable = wagerOf(before.wagers, line.wager)?.paytable;
  return (
    line.to_rack === 0 &&
    rolled.claims.some(([, claimed, seats]) => claimed === paytable && seats.includes(line.seat))
  );
}

function workOf(line: SettledView, deed: Deed, before: Before, successor?: SettledView): Work {
  const { wager, stake, commission } = line;
  const named = (spot: string) => title(before.wagers, spot);
  // The jackpot's own chip stays with the house: what it brings is paid with the claim.
  const won = deed === "jackpot" ? 0 : line.won;
  const pay = deed === "jackpot" ? 0 : line.won - commission;
  const left = successor ? successor.left : line.left;
  return {
    deed,
    wager,
    title: named(wager),
    stake,
    won,
    commission,
    pay,
    down: line.to_rack - pay,
    toRack: line.to_rack,
    left: left === null ? null : named(left),
    successor: successor ? named(successor.wager) : null,
  };
}

/** What is up afterwards: bets that no line speaks of, and what lines leave behind. */
function standing(lines: SettledView[], bets: { wager: string; stake: number }[], before: Before) {
  const touched = new Set(lines.map((line) => line.wager));
  const left = lines.flatMap(({ left, stake }) => (left === null ? [] : [{ wager: left, stake }]));
  const all = [...bets.filter((bet) => !touched.has(bet.wager)), ...left];
  const order = before.wagers.flatMap((wager) => wager.spots);
  return all
    .map(({ wager, stake }) => ({ wager, stake, title: title(before.wagers, wager) }))
    .sort((one, other) => order.indexOf(one.wager) - order.indexOf(other.wager));
}

function summed(seat: SeatWork): SeatWork {
  const kept = (one: Work) => one.deed === "take" || one.deed === "jackpot";
  return {
    ...seat,
    taken: sum(seat.work.filter(kept).map((one) => one.stake)),
    pay: sum(seat.work.map((one) => one.pay)),
    down: sum(seat.work.map((one) => one.down)),
    toRack: sum(seat.work.map((one) => one.toRack)),
  };
}

/** How one seat is put back as it was before a roll that does not count. */
export interface Undo {
  seat: number;
  name: string;
  /** What comes back from the rack. */
  back: number;
  /** What goes up again. */
  up: Pick<Work, "title" | "stake">[];
  /** What moves back. */
  move: { from: string; to: string; stake: number }[];
}

/** How the work of a roll is taken back, seat by seat. */
export function undo(list: TakeAndPay): Undo[] {
  const seats = new Map<number, Undo>();
  for (const { seat, name, work, toRack } of [...list.pay, ...list.take]) {
    const undone = seats.get(seat) ?? { seat, name, back: 0, up: [], move: [] };
    undone.back += toRack;
    for (const { deed, title, stake, left, successor } of work) {
      if (deed === "move" && left !== null) undone.move.push({ from: left, to: title, stake });
      // The winner still stands as its successor: only that one is missing.
      else if (successor !== null) undone.up.push({ title: successor, stake });
      else if (left === null) undone.up.push({ title, stake });
    }
    seats.set(seat, undone);
  }
  return [...seats.values()];
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
