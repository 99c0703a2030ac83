// How a chip in the hand becomes an amount on a spot, what rebet, press and across put down, and
// what could be done now, in words. Whether a bet may be made is the server's to say; here amounts
// are only rounded to what it will take.

import type {
  BetView,
  Command,
  OfferView,
  RolledView,
  SeatView,
  TableView,
  WagerView,
} from "$wire";
import { sentence } from "./api.ts";
import { whyClosed } from "./closed.ts";
import { dollars, withDollars } from "./money.ts";
import { firstRoll, inWords } from "./rule.ts";
import { nameOf } from "./table.ts";
import { isMany, listed, named, wagerOf } from "./words.ts";

const ceil = (amount: number, step: number) => Math.ceil(amount / step) * step;
const floor = (amount: number, step: number) => Math.floor(amount / step) * step;

/** The steps in which a whole bet wins whole dollars, or at least is taken. */
export function grainOf({ step, even }: OfferView): number {
  return step !== null && even % step !== 0 ? step : even;
}

/** What a chip adds to `stake` on a spot: rounded down so that the whole bet wins whole dollars,
 * and up only where less would add nothing. */
export function amountFor(chip: number, stake: number, offer: OfferView): number | null {
  const { least, most, step } = offer;
  if (least === null || most === null || step === null) return null;
  const down = floor(stake + Math.min(chip, most), grainOf(offer)) - stake;
  return down > 0 && down >= least ? down : amountUpFor(chip, stake, offer);
}

/** The same rounded up, as the numbers are bet across: $5 each is $6 on the 6 and the 8. */
export function amountUpFor(chip: number, stake: number, offer: OfferView): number | null {
  const { least, most, step } = offer;
  if (least === null || most === null || step === null) return null;
  const grain = grainOf(offer);
  const up = ceil(ceil(stake + Math.max(chip, least), grain) - stake, step);
  if (up <= most) return up;
  const fitting = floor(stake + most, grain) - stake;
  return fitting >= least ? fitting : most;
}

/** Why the house would not take this amount on a spot, as a sentence; nothing where it would. */
export function misfit(amount: number, offer: OfferView, name: string): string | null {
  const { least, most, step } = offer;
  if (least === null || most === null || step === null || most <= 0)
    return `No more fits on ${name}.`;
  const [take, go] = isMany(name) ? ["take", "go"] : ["takes", "goes"];
  if (amount > most) return `${name} ${take} no more than ${dollars(most)} now.`;
  if (amount < least) return `${name} ${take} at least ${dollars(least)}.`;
  return amount % step === 0 ? null : `${name} ${go} in steps of ${dollars(step)}.`;
}

/** What a press adds: the same again, or half of it rounded so that the bet wins whole dollars. */
export function pressing(stake: number, part: Part, offer: OfferView): number | null {
  const whole = part === "full" && offer.most !== null && stake <= offer.most;
  return whole ? stake : amountFor(part === "full" ? stake : stake / 2, stake, offer);
}

export type Part = "half" | "full";

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

export const EVEN = [6, 8];
export const INSIDE = [5, 6, 8, 9];

/** Whether chips come to a spot only from another: nobody puts them there. */
const isTravelled = (spot: string) => /^(odds )?(dont-)?come \d+$/.test(spot);
const isLine = (spot: string) => LINES.includes(spot);
const LINES = ["pass", "dont-pass"];

/** The bets of a seat that a roll decided and took down: what rebet puts down again. */
export function cameDown(roll: RolledView, seat: number): Wish[] {
  return roll.lines
    .filter((line) => line.seat === seat && line.left === null && !isTravelled(line.wager))
    .filter((line) => line.fate === "win" || line.fate === "lose")
    .map((line) => ({ wager: line.wager, amount: line.stake }));
}

/** The line bets of a seat that a roll took down because they won. */
export function wonLines(roll: RolledView, seat: number): Wish[] {
  const won = roll.lines.filter(({ fate, wager }) => fate === "win" && isLine(wager));
  return cameDown({ ...roll, lines: won }, seat);
}

/** The bets of a seat as they could be put again. */
export function asWishes(bets: BetView[]): Wish[] {
  return bets
    .filter(({ wager }) => !isTravelled(wager))
    .map(({ wager, stake }) => ({ wager, amount: stake }));
}

/** What these lack of standing as wished; the larger where a spot is wished for twice. */
export function missing(wishes: Wish[], stake: (spot: string) => number): Wish[] {
  const spots = new Map<string, number>();
  for (const { wager, amount } of wishes) spots.set(wager, Math.max(spots.get(wager) ?? 0, amount));
  return [...spots]
    .map(([wager, amount]) => ({ wager, amount: amount - stake(wager) }))
    .filter(({ amount }) => amount > 0);
}

/** What the player did since the last roll, so that it can be undone. */
export type Done = Extract<Command, { command: "put" | "take" }> & {
  amount: number;
  /** How a bet was called that was taken down whole. */
  call?: BetView["call"];
};

/** The opposite of what was done. A bet that went down and comes up again is called as it was. */
export function undo({ command, seat, wager, amount, call }: Done): Command[] {
  if (command === "put") return [{ command: "take", seat, wager, amount }];
  const called = call === undefined || call === "house" ? [] : [{ seat, wager, call }];
  return [
    { command: "put", seat, wager, amount },
    ...called.map((how) => ({ command: "call" as const, ...how })),
  ];
}

/** Chips that the player is waiting to see on the felt, by spot. */
export function onTheWay(commands: Iterable<Command>, seat: number): Map<string, number> {
  const spots = new Map<string, number>();
  for (const command of commands)
    if (command.command === "put" && command.seat === seat)
      spots.set(command.wager, (spots.get(command.wager) ?? 0) + command.amount);
  return spots;
}

/** Why a spot takes no chips now, in the house's words and people's names. */
export function whyNot(table: TableView, offer: OfferView | undefined): string | null {
  const why = offer?.why_not;
  return why ? sentence(new Error(named(table.wagers, offer.wager, why.detail))) : null;
}

/** The moment the table is in and what could be done now; `mine` are all the seats of the player,
 * `away` whether the shooter has gone. */
export function hint(
  table: TableView,
  seat: SeatView | null,
  mine: SeatView[] = seat ? [seat] : [],
  away = false,
): string {
  const { hand } = table;
  const asked = hand.proposals.find(({ what }) =>
    mine.some(({ seat }) => what.endsWith(` seat ${seat + 1}`)),
  );
  if (asked) return `A second person has to agree first: ${withDollars(asked.what)}.`;
  const closed = whyClosed(table);
  if (closed && hand.status === "paused" && seat)
    return `${closed} Your chips stay where they are.`;
  if (closed && (hand.status !== "running" || hand.claims.length > 0)) return closed;
  const moment = hand.puck === null ? "Come-out roll." : `The point is ${hand.puck}.`;
  if (!seat) return `${moment} You are watching: take a seat to play.`;
  const dice = diceWait(table, mine, away);
  const paying = hand.phase === "paying" || hand.fill_needed != null;
  if (!hand.betting && paying && closed) return closed;
  if (!hand.betting) return `No more bets${dice ? `. ${dice}` : ": the dice are out."}`;
  if (seat.rack === 0 && seat.bets.length === 0)
    return `You have no chips. ${table.config.practice ? "Buy in to play" : "Ask the dealer for some"}.`;
  const advice = hand.puck === null ? onComeOut(table, seat) : onPoint(table, seat, hand.puck);
  return [moment, advice, dice].filter(Boolean).join(" ");
}

/** Whom the dice wait for. */
function diceWait(table: TableView, mine: SeatView[], away: boolean): string {
  const { hand } = table;
  if (hand.shooter === null) return "";
  const house = table.config.dice === "house";
  const yours = mine.some(({ seat }) => seat === hand.shooter);
  const name = nameOf(table, hand.shooter);
  const gone = away && !yours && house;
  if (hand.dice_wait === "line-bet") {
    if (yours) return "";
    return gone
      ? `${name} is away: you can pass the dice.`
      : `The dice wait for ${name} to bet on the line.`;
  }
  if (hand.dice_wait === "window") return "The dice go out when betting closes.";
  if (!house) return hand.betting ? (yours ? "You shoot." : `${name} shoots.`) : "";
  if (gone) return `${name} is away: you can roll for them.`;
  return yours ? "Roll when you are ready." : `The dice wait for ${name}.`;
}

/** The line wagers of this table, and whether the seat has them up. */
function lines(table: TableView, seat: SeatView): { wager: WagerView; up: boolean }[] {
  return LINES.map((spot) => wagerOf(table.wagers, spot))
    .filter((wager) => wager !== null)
    .map((wager) => ({ wager, up: has(seat, wager.wager) }));
}

const has = (seat: SeatView, spot: string) => seat.bets.some(({ wager }) => wager === spot);

function onComeOut(table: TableView, seat: SeatView): string {
  const all = lines(table, seat);
  const up = all.filter(({ up }) => up).map(({ wager }) => wager);
  if (up.length > 0)
    return `${up.map((wager) => `Your ${comeOut(wager)}`).join(" ")} Any other number is the point.`;
  const [line] = all;
  if (!line) return "";
  const rule = comeOut(line.wager);
  return table.hand.shooter === seat.seat
    ? `The dice are offered to you: put a chip on ${listed(
        all.map(({ wager }) => wager.title),
        "or",
      )} to shoot. ${rule}`
    : `Put a chip on ${line.wager.title} to play along. ${rule}`;
}

/** What a first roll decides on a line. */
function comeOut(wager: WagerView): string {
  const rule = firstRoll(wager);
  if (!rule) return `${wager.title} wins on ${inWords(wager.wins)}.`;
  const push = rule.pushes ? `, and ${rule.pushes} pushes` : "";
  return `${wager.title} wins on ${rule.wins} and loses on ${rule.loses}${push}.`;
}

function onPoint(table: TableView, seat: SeatView, point: number): string {
  const up = lines(table, seat).filter(({ up }) => up);
  if (up.length > 0)
    return up
      .map(({ wager }) => {
        const against = wager.wager === "dont-pass";
        const [won, lost] = against ? [7, point] : [point, 7];
        const odds = wagerOf(table.wagers, `odds ${wager.wager}`);
        const more = against ? " You can lay odds behind it." : " You can back it with odds.";
        const rule = `Your ${wager.title} wins on ${won} and loses on ${lost}.`;
        return rule + (odds && !has(seat, odds.wager) ? more : "");
      })
      .join(" ");
  if (seat.bets.length > 0) return "";
  const come = wagerOf(table.wagers, "come") && "Come starts a bet of its own with the next roll.";
  const place = wagerOf(table.wagers, "place 6") && "Place bets stand on one number.";
  return [come, place].filter(Boolean).join(" ");
}
