// A table of the lobby's list, and what is told of it in words.

import type { TableLine } from "$wire";
import { dollars } from "../lib/money.ts";
import { count } from "../lib/words.ts";

export interface LineMeter {
  paytable: string;
  title: string;
  amount: number;
}

/** What a card shows of a table. */
export interface Line extends Omit<TableLine, "meters"> {
  meters: LineMeter[];
  /** The last rolls, newest last. */
  recent: string[];
  /** How many rolls the hand has. */
  hand_rolls: number;
  /** Who has the dice, at practice tables. */
  shooter: string | null;
  betting: boolean;
  /** The side bets on offer, by title. */
  sides: string[];
}

/** A line as a server sends it: an older one leaves things out, and has meters in pairs. */
export type Sent = Omit<Line, "meters" | Later> &
  Partial<Pick<Line, Later>> & { meters: (LineMeter | [string, number])[] };
type Later = "recent" | "hand_rolls" | "shooter" | "betting" | "sides";

export function lineOf(sent: Sent): Line {
  return {
    recent: [],
    hand_rolls: 0,
    shooter: null,
    betting: true,
    sides: [],
    ...sent,
    meters: sent.meters.map((meter) =>
      Array.isArray(meter) ? { paytable: meter[0], title: meter[0], amount: meter[1] } : meter,
    ),
  };
}

export const free = (line: Line): number => Math.max(0, line.seats - line.players);

/** Whether somebody could sit down and play now. */
export const isOpen = (line: Line): boolean => line.problem === null && line.status === "running";

/** `$10 to $5,000`. */
export function limits({ minimum, maximum }: Line): string {
  if (minimum === null) return "";
  return `${dollars(minimum)}${maximum === null ? " and up" : ` to ${dollars(maximum)}`}`;
}

/** `3 players, 13 free seats`. */
export function company(line: Line): string {
  const seats = free(line);
  const room = seats === 0 ? "no free seat" : count(seats, "free seat");
  return `${line.players === 0 ? "Nobody yet" : count(line.players, "player")}, ${room}`;
}

/** Where the hand is: `Ann shoots, point 6, 4 rolls so far`. */
export function hand(line: Line): string {
  if (line.status !== "running") return `The table is ${line.status}`;
  const who = line.shooter ? [`${line.shooter} shoots`] : [];
  const point = line.puck === null ? "come-out" : `point ${line.puck}`;
  const rolls = line.hand_rolls > 0 ? [`${count(line.hand_rolls, "roll")} this hand`] : [];
  const told = [...who, point, ...rolls, ...(line.betting ? [] : ["dice are out"])].join(", ");
  return told.charAt(0).toUpperCase() + told.slice(1);
}
