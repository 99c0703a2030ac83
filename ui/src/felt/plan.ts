// The layout of the felt: where every box lies. Two plans of one table, a wide one for desks and
// walls and a tall one for a phone held upright. Everything else on the felt is drawn from here.

import type { WagerView } from "$wire";
import { points } from "../lib/words.ts";
import { panels, type Panel } from "./panels.ts";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A number box, from back to front as a dealer works it. */
interface NumberBox {
  number: number;
  box: Box;
  lay: Box;
  dontCome: Box;
  come: Box;
  buy: Box;
  place: Box;
}

export interface Plan {
  kind: "wide" | "tall";
  width: number;
  height: number;
  /** The pass line's outer edge, its breadth and the don't pass bar's. */
  line: { left: number; top: number; right: number; bottom: number; pass: number; dont: number };
  odds: Box;
  dontOdds: Box;
  dontCome: Box;
  numbers: NumberBox[];
  come: Box;
  field: Box;
  seven: Box;
  hard: Map<number, Box>;
  horn: Map<number, Box>;
  hornBet: Box;
  hornHigh: Map<number, Box>;
  craps: Box;
  /** Where the side bets lie. */
  strip: Box;
  /** Above them, what some wagers may win together, where the house has posted that. */
  posted: Box | null;
  /** Where the puck lies while it is OFF. */
  off: Point;
  /** Where wagers lie that a layout has no box for. */
  panels: Panel[];
  /** The radius of your chips. */
  chip: number;
}

const box = (x: number, y: number, w: number, h: number): Box => ({ x, y, w, h });

/** A box divided into equal columns. */
function columns(from: Box, count: number): Box[] {
  const w = from.w / count;
  return Array.from({ length: count }, (_, at) => box(from.x + at * w, from.y, w, from.h));
}

function numberBox(number: number, from: Box, parts: [number, number, number, number]): NumberBox {
  const [lay, middle, buy, place] = parts.map((part) => part * from.h) as typeof parts;
  const { x, y, w } = from;
  return {
    number,
    box: from,
    lay: box(x, y, w, lay),
    // Between the two the number stays readable.
    dontCome: box(x, y + lay, w, middle * 0.36),
    come: box(x, y + lay + middle * 0.64, w, middle * 0.36),
    buy: box(x, y + lay + middle, w, buy),
    place: box(x, y + lay + middle + buy, w, place),
  };
}

function byNumber(numbers: number[], boxes: Box[]): Map<number, Box> {
  return new Map(numbers.map((number, at) => [number, boxes[at] ?? boxes[0]!]));
}

/** How high a row of side bets is, where there is room to one side. */
const ROW = 172;

/** Which part of a number box each of its bets has, from back to front; without a don't side and
 * its lay bets there is more for the others. */
type Parts = [lay: number, middle: number, buy: number, place: number];
const PARTS: Record<"wide" | "tall", { usual: Parts; noLay: Parts }> = {
  wide: { usual: [0.15, 0.47, 0.17, 0.21], noLay: [0, 0.54, 0.21, 0.25] },
  tall: { usual: [0.18, 0.42, 0.19, 0.21], noLay: [0, 0.48, 0.26, 0.26] },
};

/** What of a layout a table has no use for. */
function offers(wagers: WagerView[]) {
  const spots = new Set(wagers.flatMap((wager) => wager.spots));
  const any = (pattern: RegExp) => [...spots].some((spot) => pattern.test(spot));
  return {
    dontPass: spots.has("dont-pass"),
    dontCome: spots.has("dont-come"),
    lay: any(/^lay \d+$/),
    seven: spots.has("any-seven"),
    hard: any(/^hard \d+$/),
    horn: any(/^(craps \d+|eleven)$/),
    horns: any(/^horn/),
    craps: spots.has("any-craps"),
    posted: wagers.some(({ cap }) => Boolean(cap)),
  };
}

function wide(wagers: WagerView[]): Plan {
  const has = offers(wagers);
  const rows = boardRows(wagers).length;
  const posted = has.posted ? box(34, 22, 1532, 34) : null;
  const above = posted?.h ?? 0;
  const strip = box(34, 26 + above, 1532, rows * (ROW + 6) - (rows > 0 ? 6 : 0));
  const top = rows > 0 ? strip.y + strip.h + 18 : 34 + above;
  const dont = has.dontPass ? 56 : 0;
  const props = box(1178, top, 388, 670);
  const proposed = has.seven || has.hard || has.horn || has.horns || has.craps;
  // Where there are no propositions the line is as long as the table.
  const right = proposed ? 1152 : props.x + props.w;
  const line = { left: 34, top, right, bottom: top + 616, pass: 66, dont };
  const inner = line.left + line.pass + line.dont;
  const floor = line.bottom - line.pass - line.dont;
  // The numbers have what the don't pass bar does not need.
  const high = 292 - dont;
  const dontCome = box(inner, line.top, has.dontCome ? 136 : 76, high);
  const from = inner + dontCome.w;
  const all = points(wagers);
  const numbers = columns(box(from, line.top, right - from, high), all.length);
  const come = box(inner, line.top + high, right - inner, 118);
  const field = box(inner, come.y + come.h, right - inner, floor - come.y - come.h);
  const hard = box(props.x, props.y + 74, props.w, 122);
  const horn = box(props.x, hard.y + 244, props.w, 92);
  const row = box(props.x, horn.y + 184, props.w, 88);
  const parts = PARTS.wide[has.lay ? "usual" : "noLay"];
  const plan: Plan = {
    kind: "wide",
    width: 1600,
    height: top + 694,
    line,
    odds: box(line.left + 250, line.bottom + 6, 500, 50),
    dontOdds: box(right - 232, floor, 232, line.dont),
    dontCome,
    numbers: all.map((number, at) => numberBox(number, numbers[at]!, parts)),
    come,
    field,
    seven: box(props.x, props.y, props.w, 74),
    hard: byNumber(
      [6, 10, 8, 4],
      [...columns(hard, 2), ...columns({ ...hard, y: hard.y + 122 }, 2)],
    ),
    horn: byNumber(
      [3, 11, 2, 12],
      [...columns(horn, 2), ...columns({ ...horn, y: horn.y + 92 }, 2)],
    ),
    hornBet: box(row.x, row.y, row.w * 0.28, row.h),
    hornHigh: byNumber(
      [2, 3, 11, 12],
      columns(box(row.x + row.w * 0.28, row.y, row.w * 0.72, row.h), 4),
    ),
    craps: box(props.x, row.y + row.h, props.w, 80),
    strip,
    posted,
    off: { x: dontCome.x + dontCome.w / 2, y: dontCome.y + dontCome.h * 0.52 },
    panels: [],
    chip: 25,
  };
  return withPanels(plan, wagers, { ...strip, y: top + 688 });
}

function tall(wagers: WagerView[]): Plan {
  const has = offers(wagers);
  const all = points(wagers);
  // Ten numbers side by side would be too narrow for a finger.
  const rows = all.length > 6 ? 2 : 1;
  const high = rows === 1 ? 330 : 356;
  const [field, come] = [172, 118];
  const dont = has.dontPass ? 58 : 0;
  const bottom = 28 + rows * high + come + field + dont + 70;
  const line = { left: 12, top: 28, right: 788, bottom, pass: 70, dont };
  const inner = line.left + line.pass + line.dont;
  const right = line.right;
  const floor = line.bottom - line.pass - line.dont;
  const dontCome = box(inner, line.top, has.dontCome ? 80 : 66, rows * high);
  const from = inner + dontCome.w;
  const across = Math.ceil(all.length / rows);
  const numbers = Array.from({ length: rows }, (_, at) =>
    columns(box(from, line.top + at * high, right - from, high), across),
  ).flat();
  const comeBox = box(inner, line.top + rows * high, right - inner, come);
  const top = line.bottom + 92;
  const wide = right - line.left;
  // A row of which nothing is offered takes no room.
  const seven = box(line.left, top, wide, has.seven ? 90 : 0);
  const hard = box(line.left, seven.y + seven.h, wide, has.hard ? 132 : 0);
  const horn = box(line.left, hard.y + hard.h, wide, has.horn ? 120 : 0);
  const row = box(line.left, horn.y + horn.h, wide, has.horns ? 100 : 0);
  const craps = box(line.left, row.y + row.h, wide, has.craps ? 96 : 0);
  // A line of a phone is too short for it.
  const posted = has.posted ? box(line.left, craps.y + craps.h + 22, wide, 68) : null;
  const strip = box(line.left, craps.y + craps.h + 28 + (posted?.h ?? 0), wide, 0);
  const parts = PARTS.tall[has.lay ? "usual" : "noLay"];
  const down = has.dontCome ? 0.735 : 0.5;
  const plan: Plan = {
    kind: "tall",
    width: 800,
    height: 0,
    line,
    odds: box(line.left + 140, line.bottom + 6, wide - 140, 74),
    dontOdds: box(right - 150, floor, 150, line.dont),
    dontCome,
    numbers: all.map((number, at) => numberBox(number, numbers[at]!, parts)),
    come: comeBox,
    field: box(inner, comeBox.y + come, right - inner, field),
    seven,
    hard: byNumber([4, 6, 8, 10], columns(hard, 4)),
    horn: byNumber([2, 3, 11, 12], columns(horn, 4)),
    hornBet: box(row.x, row.y, row.w * 0.3, row.h),
    hornHigh: byNumber(
      [2, 3, 11, 12],
      columns(box(row.x + row.w * 0.3, row.y, row.w * 0.7, row.h), 4),
    ),
    craps,
    strip,
    posted,
    off: { x: dontCome.x + dontCome.w / 2, y: dontCome.y + dontCome.h * down },
    panels: [],
    chip: 29,
  };
  const boards = boardCells(plan, wagers);
  const end = boards.reduce((most, { box }) => Math.max(most, box.y + box.h), strip.y);
  strip.h = end - strip.y;
  plan.height = end + 16;
  return withPanels(plan, wagers, { ...strip, y: strip.h > 0 ? end + 14 : end });
}

/** The plan with what it has no box for below the rest. */
function withPanels(plan: Plan, wagers: WagerView[], area: Box): Plan {
  const known = new Set(printed(plan, wagers).map((region) => region.spot));
  const all = wagers.flatMap((wager) => wager.spots);
  const without = new Set(all.filter((spot) => !known.has(spot)));
  const found = panels(wagers, without, area, plan.kind);
  if (found.length === 0) return plan;
  const end = Math.max(...found.map(({ box }) => box.y + box.h));
  return { ...plan, panels: found, height: end + (plan.kind === "wide" ? 30 : 24) };
}

/** The plan of a table. */
export function plan(kind: "wide" | "tall", wagers: WagerView[]): Plan {
  return kind === "wide" ? wide(wagers) : tall(wagers);
}

/** How round the corners of the rail are, and of the cloth in it. */
export function corners({ kind }: Plan): { rail: number; cloth: number } {
  return kind === "wide" ? { rail: 58, cloth: 52 } : { rail: 40, cloth: 34 };
}

/** Where a side bet's board lies. */
export interface BoardCell {
  wager: WagerView;
  box: Box;
}

/** Small numbers, then all of them, then the tall ones, then the ladders. */
function boardOrder({ board }: WagerView): number {
  if (!board) return 9;
  if (board.shape === "distinct") return 4;
  if (board.shape === "sequence") return 5;
  if (board.numbers.length === 0) return 6;
  const tall = board.numbers.every((number) => number > 7);
  const small = board.numbers.every((number) => number < 7);
  return small ? 0 : tall ? 2 : 1;
}

/** Side bets with a board: those with a spot for each number are in a panel. */
const boarded = (wagers: WagerView[]) =>
  wagers
    .filter(({ board, spots }) => board !== null && spots.length === 1)
    .sort((one, other) => boardOrder(one) - boardOrder(other));

/** A ladder needs more room than circles do, and a long one more than a short one. */
function weight({ board }: WagerView): number {
  const rungs = board?.rungs.length ?? 0;
  if (rungs > 6) return 2.8;
  return rungs > 1 || board?.shape === "sequence" ? 1.7 : 1;
}

/** As much as finds room in one row. */
const ROOM = 7;

/** The side bets row by row; where one row would squeeze them, ladders have rows of their own. */
function boardRows(wagers: WagerView[]): WagerView[][] {
  const sorted = boarded(wagers);
  const heavy = (row: WagerView[]) => row.reduce((sum, wager) => sum + weight(wager), 0);
  if (sorted.length === 0) return [];
  if (heavy(sorted) <= ROOM) return [sorted];
  const circles = sorted.filter((wager) => weight(wager) === 1);
  const ladders = sorted.filter((wager) => weight(wager) > 1);
  const apart = Math.min(heavy(circles), heavy(ladders)) >= 3;
  return (apart ? [circles, ladders] : [sorted]).flatMap((all) => {
    const count = Math.ceil(heavy(all) / ROOM);
    const rows: WagerView[][] = Array.from({ length: count }, () => []);
    let at = 0;
    for (const wager of all) {
      // A row is full once it has its share.
      if (at < count - 1 && heavy(rows[at]!) + weight(wager) / 2 > heavy(all) / count) at += 1;
      rows[at]!.push(wager);
    }
    return rows.filter((row) => row.length > 0);
  });
}

function sideBySide(row: WagerView[], from: number, y: number, width: number): BoardCell[] {
  const sum = row.reduce((sum, wager) => sum + weight(wager), 0);
  let x = from;
  return row.map((wager) => {
    const w = (width * weight(wager)) / sum;
    const cell = { wager, box: box(x, y, w, ROW) };
    x += w;
    return cell;
  });
}

/** Rows of so many at the most, no two of which differ by more than one. */
function alike<T>(all: T[], most: number): T[][] {
  const rows = Math.ceil(all.length / most);
  const from = (row: number) => Math.ceil((row * all.length) / rows);
  return Array.from({ length: rows }, (_, row) => all.slice(from(row), from(row + 1)));
}

/** The boards of the side bets, side by side or one under the other. */
export function boardCells(plan: Plan, wagers: WagerView[]): BoardCell[] {
  const { strip } = plan;
  if (plan.kind === "wide")
    return boardRows(wagers).flatMap((row, at) =>
      sideBySide(row, strip.x, strip.y + at * (ROW + 6), strip.w),
    );
  const sorted = boarded(wagers);
  let y = strip.y;
  const cells: BoardCell[] = [];
  const collects = sorted.filter((wager) => weight(wager) === 1);
  for (const row of alike(collects, 3)) {
    columns(box(strip.x, y, strip.w, 200), row.length).forEach((box, place) =>
      cells.push({ wager: row[place]!, box }),
    );
    y += 200;
  }
  for (const wager of sorted.filter((wager) => weight(wager) > 1)) {
    cells.push({ wager, box: box(strip.x, y, strip.w, 196) });
    y += 196;
  }
  return cells;
}

/** A spot on the felt: its outline, and where the chips on it stand. */
export interface Region {
  spot: string;
  /** The outline, as a path. */
  outline: string;
  /** More of it, for the hand alone: the middle of what an aid touches must be the bet itself.
   * It lies under every other spot. */
  arm?: string;
  box: Box;
  /** Your chips; the others' where you have none. */
  mine: Point;
  /** The radius of your chips. */
  r: number;
  /** Which way the others' chips go on from yours, and how many find room there. */
  way: -1 | 1;
  room: number;
}

/** Where the others' stacks stand: beside yours, or in your place where you have none. */
export function standing(region: Region, count: number, mine: boolean): Point[] {
  const { x, y } = region.mine;
  const small = region.r * SMALL;
  if (region.room === 0)
    return count > 0 ? [mine ? { x: x - small, y: y - small * 0.7 } : { x, y }] : [];
  const first = mine ? region.r + small + 1 : 0;
  return Array.from({ length: Math.min(count, region.room) }, (_, at) => ({
    x: x + region.way * (first + at * small * 1.9),
    y,
  }));
}

/** The others' chips are smaller than yours. */
export const SMALL = 0.74;

/** A band along the left and the bottom with a rounded corner: the pass line, and the bar. */
function band(
  left: number,
  top: number,
  right: number,
  bottom: number,
  breadth: number,
  radius: number,
): string {
  const inner = Math.max(radius - breadth, 8);
  return [
    `M${left} ${top}`,
    `V${bottom - radius}`,
    `A${radius} ${radius} 0 0 0 ${left + radius} ${bottom}`,
    `H${right}`,
    `V${bottom - breadth}`,
    `H${left + breadth + inner}`,
    `A${inner} ${inner} 0 0 1 ${left + breadth} ${bottom - breadth - inner}`,
    `V${top}`,
    "Z",
  ].join("");
}

const RADIUS = 130;

export function passBand({ line }: Plan): string {
  // Where no bar lies between, the field has a corner there.
  const radius = line.dont > 0 ? RADIUS : line.pass + 8;
  return band(line.left, line.top, line.right, line.bottom, line.pass, radius);
}

export function dontBand({ line, kind }: Plan): string {
  const { left, top, right, bottom, pass, dont } = line;
  const from = top + (kind === "wide" ? 120 : 150);
  return band(left + pass, from, right, bottom - pass, dont, RADIUS - pass);
}

const outline = ({ x, y, w, h }: Box) => `M${x} ${y}h${w}v${h}h${-w}Z`;

/** How chips stand in a box: where yours are, as parts of it, and how many others fit. */
interface Chips {
  x?: number;
  y?: number;
  way?: -1 | 1;
  room?: number;
}

function plain(plan: Plan, spot: string, at: Box, chips: Chips = {}): Region {
  const { x = 0.5, y = 0.5, way = -1, room = 0 } = chips;
  const mine = { x: at.x + at.w * x, y: at.y + at.h * y };
  return { spot, outline: outline(at), box: at, mine, r: plan.chip, way, room };
}

/** Every spot of the felt that these wagers offer, in the order of the keyboard. */
export function regions(plan: Plan, wagers: WagerView[]): Region[] {
  const offered = new Set(wagers.flatMap((wager) => wager.spots));
  const known = printed(plan, wagers).filter((region) => offered.has(region.spot));
  const cells = plan.panels.flatMap(({ cells }) => cells);
  return [...known, ...cells.map(({ spot, box }) => inPanel(plan, spot, box))];
}

/** Chips stand at the right of a panel's cell, above what it pays. */
function inPanel(plan: Plan, spot: string, at: Box): Region {
  const r = plan.chip * 0.9;
  const mine = { x: at.x + at.w - r - 10, y: at.y + r + 8 };
  return { spot, outline: outline(at), box: at, mine, r, way: -1, room: at.w > 230 ? 1 : 0 };
}

/** The spots that every layout has a place for. */
function printed(plan: Plan, wagers: WagerView[]): Region[] {
  const { line } = plan;
  const floor = line.bottom - line.pass;
  // Without their corners, which are bent.
  const from = line.left + RADIUS;
  const passBox = box(from, floor, line.right - from, line.pass);
  const dontBox = box(from, floor - line.dont, line.right - from, line.dont);
  const wide = plan.kind === "wide";
  const all: Region[] = [
    { ...plain(plan, "pass", passBox, { x: 0.92, room: wide ? 9 : 4 }), arm: passBand(plan) },
    plain(plan, "odds pass", plan.odds, { x: wide ? 0.9 : 0.92, room: wide ? 8 : 7 }),
    {
      ...plain(plan, "dont-pass", dontBox, { x: 0.72, room: wide ? 5 : 2 }),
      arm: dontBand(plan),
    },
    plain(plan, "odds dont-pass", plan.dontOdds, { x: wide ? 0.85 : 0.8 }),
    plain(plan, "dont-come", plan.dontCome, { y: wide ? 0.66 : 0.5, room: 0 }),
    plain(plan, "come", plan.come, { x: 0.93, room: wide ? 7 : 3 }),
    plain(plan, "field", plan.field, { x: 0.66, y: 0.76, way: 1, room: wide ? 4 : 1 }),
  ];
  for (const { number, box: whole, lay, dontCome, come, buy, place } of plan.numbers) {
    const half = (from: Box, at: 0 | 1) =>
      box(from.x + (at * from.w) / 2, from.y, from.w / 2, from.h);
    const inBox = (spot: string, at: Box) => ({ ...plain(plan, spot, at), r: plan.chip * 0.8 });
    const strip = { x: wide ? 0.8 : 0.74, room: wide ? 1 : 0 };
    all.push(
      plain(plan, `lay ${number}`, lay, strip),
      inBox(`dont-come ${number}`, half(dontCome, 0)),
      inBox(`odds dont-come ${number}`, half(dontCome, 1)),
      inBox(`come ${number}`, half(come, 0)),
      inBox(`odds come ${number}`, half(come, 1)),
      plain(plan, `buy ${number}`, buy, strip),
      // The number itself is a place bet to everybody who points at it.
      { ...plain(plan, `place ${number}`, place, strip), arm: outline(whole) },
    );
  }
  const prop = { x: wide ? 0.82 : 0.8, room: 0 };
  const long = { x: 0.66, room: 2 };
  all.push(plain(plan, "any-seven", plan.seven, long));
  for (const [number, at] of plan.hard) all.push(plain(plan, `hard ${number}`, at, prop));
  for (const [number, at] of plan.horn)
    all.push(plain(plan, number === 11 ? "eleven" : `craps ${number}`, at, { ...prop, y: 0.38 }));
  all.push(plain(plan, "horn", plan.hornBet, wide ? { y: 0.66 } : prop));
  for (const [number, at] of plan.hornHigh)
    all.push(plain(plan, `horn-high ${number}`, at, { y: 0.6 }));
  all.push(plain(plan, "any-craps", plan.craps, { x: 0.74, room: 1 }));
  for (const { wager, box } of boardCells(plan, wagers)) {
    const spot = wager.spots[0];
    if (spot === undefined) continue;
    const r = plan.chip * 0.86;
    const mine = { x: box.x + r + 12, y: box.y + box.h - r - 10 };
    // Beside them stands what it pays.
    const room = wide || wager.board?.shape === "collect" ? 1 : 4;
    all.push({ spot, outline: outline(box), box, mine, r, way: 1, room });
  }
  return all;
}

/** Spots that have a place on the felt only while somebody's chips are there. */
export function comesAndGoes(spot: string): boolean {
  return /^(odds )?(dont-)?come \d+$/.test(spot);
}

/** The spot of the odds behind a bet that has travelled to a number. */
export function oddsBehind(spot: string): string | null {
  return /^(dont-)?come \d+$/.test(spot) ? `odds ${spot}` : null;
}

/** A part of a tall felt, and from how far down it is seen. */
export interface Part {
  name: string;
  top: number;
}

/** The parts of a tall felt that have a bet in them. */
export function parts(plan: Plan, all: Region[]): Part[] {
  const cuts = [
    { name: "Line & numbers", top: 0 },
    { name: "Props", top: plan.seven.y - 22 },
    { name: "Bonus", top: (plan.posted ?? plan.strip).y - 10 },
    ...plan.panels.slice(0, 1).map(({ box }) => ({ name: "More", top: box.y - 6 })),
  ];
  return cuts.filter((_, at) => all.some((region) => partOf(cuts, region) === cuts[at]));
}

/** The part that a spot lies in. */
export function partOf(all: Part[], { box }: Region): Part | undefined {
  return all.findLast(({ top }) => top <= box.y);
}

/**
 * Where something is written about a total, on the upper edge of its box; the hard way has a box of
 * its own. It reaches so far to both sides of the edge as there is neither print nor chips.
 */
export function tab(plan: Plan, total: number, hard: boolean, wide: number): Box | null {
  const number = plan.numbers.find((one) => one.number === total)?.box;
  const prop = hard ? plan.hard.get(total) : number ? undefined : plan.horn.get(total);
  const from = prop ?? number ?? (total === 7 ? plan.seven : null);
  if (!from) return null;
  const tall = plan.kind === "tall";
  const h = tall ? 26 : 24;
  const into = prop ? 14 : tall ? 6 : 4;
  return box(from.x + 2, from.y + into - h, Math.min(wide, from.w - 4), h);
}

export type Way = "left" | "right" | "up" | "down";

/** The middle of a spot. */
export function middleOf({ box }: Region): Point {
  return { x: box.x + box.w / 2, y: box.y + box.h / 2 };
}

/** How far a place lies outside of a stretch. */
const beyond = (at: number, from: number, length: number) =>
  Math.max(from - at, at - from - length, 0);

/**
 * The spot to the side of another, for the arrow keys. The eye goes straight on from where it is,
 * which in a broad box need not be its middle, and takes what comes first.
 */
export function neighbour(
  from: Region,
  all: Region[],
  way: Way,
  eye: Point = middleOf(from),
): Region | null {
  const level = way === "left" || way === "right";
  const sign = way === "right" || way === "down" ? 1 : -1;
  const here = middleOf(from);
  let best: Region | null = null;
  let least = Infinity;
  for (const other of all) {
    if (other === from) continue;
    const there = middleOf(other);
    if (sign * (level ? there.x - here.x : there.y - here.y) <= 4) continue;
    const [one, two] = [from.box, other.box];
    const gap = level
      ? sign > 0
        ? two.x - one.x - one.w
        : one.x - two.x - two.w
      : sign > 0
        ? two.y - one.y - one.h
        : one.y - two.y - two.h;
    const aside = level ? beyond(eye.y, two.y, two.h) : beyond(eye.x, two.x, two.w);
    // Of two that lie level with the eye the one nearer to it.
    const off = level ? Math.abs(there.y - eye.y) : Math.abs(there.x - eye.x);
    const far = Math.max(gap, 0) + aside * 2.2 + off * 0.05;
    if (far < least) [best, least] = [other, far];
  }
  return best;
}
