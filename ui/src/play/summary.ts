// Several sessions in one: what the page shows of all of them, or of one.

import { ZERO, add, parse, type Fraction } from "./fraction.ts";
import { sum } from "./recorder.ts";
import { otherOf, rollsOf, type Session, type Wager } from "./session.ts";

export interface Summary {
  sessions: number;
  rolls: number;
  result: number;
  /** What the decided bets should have brought, and had on them. */
  expected: Fraction;
  staked: number;
  unpriced: number;
  counts: number[];
  shooting: {
    hands: number;
    rolls: number;
    sevens: number;
    points: number;
    longest: { rolls: number; seq: number; table: string } | null;
  };
  wagers: Wager[];
  other: number;
  jackpots: { hit: number; paid: number };
  dice: { thrown: number; checked: number; sound: number; unsound: [string, number][] };
}

/** What sessions add up to. */
export function summary(sessions: readonly Session[]): Summary {
  const all = (of: (session: Session) => number) =>
    sessions.reduce((so_far, session) => so_far + of(session), 0);
  const wagers = Object.values(
    sessions.reduce<Record<string, Wager>>((so_far, one) => sum(so_far, one.wagers), {}),
  );
  const longest = sessions
    .flatMap(({ table, shooting }) => (shooting.longest ? [{ ...shooting.longest, table }] : []))
    .sort((one, other) => other.rolls - one.rolls)[0];
  return {
    sessions: sessions.length,
    rolls: all(rollsOf),
    result: all(({ result }) => result),
    expected: wagers.reduce((so_far, one) => add(so_far, parse(one.expected) ?? ZERO), ZERO),
    staked: wagers.reduce((so_far, one) => so_far + one.staked, 0),
    unpriced: wagers.reduce((so_far, one) => so_far + one.unpriced, 0),
    counts: Array.from({ length: 11 }, (_, place) => all(({ rolls }) => rolls[place] ?? 0)),
    shooting: {
      hands: all(({ shooting }) => shooting.hands),
      rolls: all(({ shooting }) => shooting.rolls),
      sevens: all(({ shooting }) => shooting.sevens),
      points: all(({ shooting }) => shooting.points),
      longest: longest ?? null,
    },
    // Most money first.
    wagers: wagers.sort((one, other) => other.staked - one.staked),
    other: all(otherOf),
    jackpots: {
      hit: all(({ jackpots }) => jackpots.hit),
      paid: all(({ jackpots }) => jackpots.paid),
    },
    dice: {
      thrown: all(({ dice }) => dice.thrown),
      checked: all(({ dice }) => dice.checked),
      sound: all(({ dice }) => dice.sound),
      unsound: sessions.flatMap(({ table, dice }) =>
        dice.unsound.map((seq): [string, number] => [table, seq]),
      ),
    },
  };
}

/** A point of a chart: what lies across, what lies up, and what it is called. */
export interface Point {
  x: number;
  y: number;
  name: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** The result after each session, the oldest first, from nothing on. Days lie across, but what is
 * close together is drawn apart: a few sessions of one evening, months after another. */
export function bySession(
  newestFirst: readonly Session[],
  name: (one: Session) => string,
): Point[] {
  const sessions = newestFirst.toReversed();
  const days = sessions.map(({ started }) => started / DAY);
  const whole = (days.at(-1) ?? 0) - (days[0] ?? 0);
  const least = whole / (2 * sessions.length) || 1;
  let [x, y] = [0, 0];
  const points = sessions.map((session, place) => {
    x += Math.max(days[place]! - days[Math.max(place - 1, 0)]!, least);
    y += session.result;
    return { x, y, name: name(session) };
  });
  return [{ x: 0, y: 0, name: "Before" }, ...points];
}

/** The days of the first session and the last, or their times where that is one day; nothing where
 * there are not two. */
export function daysOf(newestFirst: readonly Session[]): [string, string] | null {
  const [last, first] = [newestFirst[0], newestFirst.at(-1)];
  if (!last || !first || last === first) return null;
  const day = ({ started }: Session) =>
    new Date(started).toLocaleDateString("en-GB", {
      day: "numeric",
      month: "short",
      year: "numeric",
    });
  const time = ({ started }: Session) =>
    new Date(started).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const named = day(first) === day(last) ? time : day;
  return [named(first), named(last)];
}

/** Whole dollars, in cents, from below the least to above the most, about so many; zero is one. */
export function ticks(least: number, most: number, about = 4): number[] {
  const low = Math.min(0, least);
  const high = Math.max(0, most, low + 100);
  const rough = Math.max((high - low) / about, 100);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((many) => many * size).find((fits) => fits >= rough) ?? 10 * size;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step || 0);
}
