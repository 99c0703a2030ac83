// Panels for wagers that no layout has a box for: hops, propositions, numbers, lines of a house's
// own, and side bets with a spot for each number. Which panel a wager goes to is told by how it is
// decided, never by its name.

import type { PayView, WagerView } from "$wire";
import { numberOf, title } from "../lib/words.ts";
import type { Box } from "./plan.ts";

export type PanelKind = "hops" | "one-roll" | "numbers" | "line" | "side";

/** One spot of a panel, with what is printed in it. */
export interface Cell {
  spot: string;
  wager: WagerView;
  box: Box;
  title: string;
  /** What it pays, or where several things are paid, what wins. */
  pays: string;
  /** The number it stands on, where it has one. */
  number: number | null;
  /** The faces it wins on, for a hop. */
  faces: [number, number] | null;
}

export interface Panel {
  kind: PanelKind;
  title: string;
  box: Box;
  cells: Cell[];
}

/** How far down a panel's title reaches. */
export const HEAD = 34;
/** What lies between panels. */
const GAP = 14;

/** Sizes that a finger hits: 44 pixels of a felt 780 wide at a desk, and on a phone of 390. */
const SIZES = {
  wide: { h: 92, least: { hops: 138, "one-roll": 250, numbers: 180, line: 250, side: 150 } },
  tall: { h: 94, least: { hops: 150, "one-roll": 250, numbers: 190, line: 250, side: 150 } },
} as const;

const TITLES: Record<PanelKind, string> = {
  hops: "Hops",
  "one-roll": "One roll",
  numbers: "Numbers",
  line: "Line bets",
  side: "Side bets",
};
const ORDER: PanelKind[] = ["one-roll", "hops", "numbers", "line", "side"];

/** The faces that a spot itself stands on, as in `hop 3-5`. */
function facesOf(spot: string): [number, number] | null {
  const named = / ([1-6])-([1-6])$/.exec(spot);
  return named ? [Number(named[1]), Number(named[2])] : null;
}

/** What wins on several pairs of faces is called by its name, and lies with the propositions. */
function kindOf({ kind, faces, spots }: WagerView): PanelKind {
  const isHop = faces.length === 1 || spots.every((spot) => facesOf(spot) !== null);
  if (kind === "one-roll") return isHop ? "hops" : "one-roll";
  if (kind === "race") return "numbers";
  return kind === "tracked" ? "side" : "line";
}

/** What is paid on a spot in a few words. */
function paidOn(wager: WagerView, number: number | null): string {
  const own = (line: PayView) => number !== null && line.numbers.includes(number);
  const line = wager.pays.length === 1 ? wager.pays[0] : wager.pays.find(own);
  if (line) return line.pays;
  if (wager.faces.length > 0) return wager.pays.map(({ pays }) => pays).join(" · ");
  return `on ${wager.wins}`;
}

type Unplaced = Omit<Cell, "box">;

function cellOf(wagers: WagerView[], wager: WagerView, spot: string): Unplaced {
  const number = spot === wager.wager || facesOf(spot) ? null : numberOf(spot);
  const faces = facesOf(spot) ?? ((wager.faces.length === 1 && wager.faces[0]) || null);
  return { spot, wager, title: title(wagers, spot), pays: paidOn(wager, number), number, faces };
}

const sum = ([one, other]: [number, number]) => one + other;
const dice = ({ faces }: Unplaced): [number, number] => faces ?? [0, 0];

/** Hops lie by their totals, the hard way last. */
function byDice(one: Unplaced, other: Unplaced): number {
  const [a, b] = [dice(one), dice(other)];
  return sum(a) - sum(b) || a[0] - b[0];
}

interface Group {
  kind: PanelKind;
  title: string;
  cells: Unplaced[];
  /** How broad a cell of it is at least. */
  least: number;
}

/** How broad a letter of a name is. */
const NAME = 17;

function groups(
  wagers: WagerView[],
  without: ReadonlySet<string>,
  least: Record<PanelKind, number>,
  most: number,
): Group[] {
  const all = new Map<string, Group>();
  for (const wager of wagers) {
    const spots = wager.spots.filter((spot) => without.has(spot));
    if (spots.length === 0) continue;
    const kind = kindOf(wager);
    // A side bet with a spot for each number is a panel by itself.
    const own = kind === "side" && spots.length > 1;
    const key = own ? wager.wager : kind;
    const title = own ? wager.title : TITLES[kind];
    const group = all.get(key) ?? { kind, title, cells: [], least: least[kind] };
    group.cells.push(...spots.map((spot) => cellOf(wagers, wager, spot)));
    all.set(key, group);
  }
  const sorted = [...all.values()];
  for (const group of sorted) {
    if (group.kind === "hops") group.cells.sort(byDice);
    // Beside its name a cell has room for chips; where it has a number or dice, there is enough.
    const named = group.kind !== "hops" && !(group.kind === "side" && group.cells.length > 1);
    const longest = Math.max(...group.cells.map(({ title }) => title.length));
    if (named) group.least = Math.max(group.least, Math.min(longest * NAME + 76, most));
  }
  return sorted.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** Panels that need one row share it with those that find room beside them. */
function bands(all: Group[], width: number): Group[][] {
  const rows: Group[][] = [];
  let room = 0;
  for (const group of all) {
    const needs = group.cells.length * group.least;
    if (rows.length > 0 && needs + GAP <= room) {
      rows.at(-1)!.push(group);
      room -= needs + GAP;
    } else {
      rows.push([group]);
      room = width - needs;
    }
  }
  return rows;
}

function laid(group: Group, x: number, y: number, w: number, across: number, h: number): Panel {
  const cell = w / across;
  const rows = Math.ceil(group.cells.length / across);
  // The last row is as broad as the others: nothing looks missing.
  const cells = group.cells.map((one, at) => {
    const row = Math.floor(at / across);
    const many = row < rows - 1 ? across : group.cells.length - row * across;
    const wide = many > across / 2 ? w / many : cell;
    const box = { x: x + (at - row * across) * wide, y: y + HEAD + row * h, w: wide, h };
    return { ...one, box };
  });
  return { kind: group.kind, title: group.title, box: { x, y, w, h: HEAD + rows * h }, cells };
}

/**
 * The panels of the spots `without` a box, from the upper edge of `area` down and as broad as it
 * is.
 */
export function panels(
  wagers: WagerView[],
  without: ReadonlySet<string>,
  area: Pick<Box, "x" | "y" | "w">,
  kind: "wide" | "tall",
): Panel[] {
  const { h, least } = SIZES[kind];
  const found: Panel[] = [];
  let y = area.y;
  for (const band of bands(groups(wagers, without, least, area.w / 2), area.w)) {
    const needs = band.map(({ cells, least }) => cells.length * least);
    const all = needs.reduce((sum, one) => sum + one, 0);
    const free = area.w - GAP * (band.length - 1);
    let x = area.x;
    for (const [at, group] of band.entries()) {
      const w = band.length === 1 ? free : (free * needs[at]!) / all;
      const fit = Math.max(1, Math.floor((w + 0.01) / group.least));
      // As many in each row as makes the rows alike.
      const rows = Math.ceil(group.cells.length / fit);
      const across = Math.ceil(group.cells.length / rows);
      // A few spots alone are not stretched over the whole felt.
      const broad = Math.min(w, across * group.least * 1.6);
      found.push(laid(group, x, y, band.length === 1 ? broad : w, across, h));
      x += w + GAP;
    }
    y = Math.max(...found.map(({ box }) => box.y + box.h)) + GAP;
  }
  return found;
}
