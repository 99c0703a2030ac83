// A table of the lobby's list, and what is told of it in words.

import type { TableLine } from "$wire";
import { dollars } from "../lib/money.ts";
import { count } from "../lib/words.ts";

export const free = (line: TableLine): number => Math.max(0, line.seats - line.players);

/** Whether somebody could sit down and play now. */
export const isOpen = (line: TableLine): boolean =>
  line.problem === null && line.status === "running";

/** `$10 to $5,000`. */
export function limits({ minimum, maximum }: TableLine): string {
  if (minimum === null) return "";
  return `${dollars(minimum)}${maximum === null ? " and up" : ` to ${dollars(maximum)}`}`;
}

/** `3 players, 13 free seats, 2 watch`. */
export function company(line: TableLine): string {
  const seats = free(line);
  const room = seats === 0 ? "no free seat" : count(seats, "free seat");
  const players = line.players === 0 ? "Nobody yet" : count(line.players, "player");
  const watch = line.looking_on === 1 ? "1 watches" : `${line.looking_on} watch`;
  return [players, room, ...(line.looking_on > 0 ? [watch] : [])].join(", ");
}

/** Where the hand is: `Ann shoots, point 6, 4 rolls this hand`. */
export function hand(line: TableLine): string {
  if (line.status !== "running") return `The table is ${line.status}`;
  const who = line.shooter ? [`${line.shooter} shoots`] : [];
  const point = line.puck === null ? "come-out" : `point ${line.puck}`;
  const rolls = line.hand_rolls > 0 ? [`${count(line.hand_rolls, "roll")} this hand`] : [];
  const told = [...who, point, ...rolls, ...(line.betting ? [] : ["dice are out"])].join(", ");
  return told.charAt(0).toUpperCase() + told.slice(1);
}
