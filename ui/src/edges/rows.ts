// The table of edges: its columns, their order and how a figure is written.

import type { WagerEdge } from "$wire";

export interface Column<Row = WagerEdge> {
  key: string;
  name: string;
  /** What it says, for those who do not know. */
  about: string;
  value: (row: Row) => number | string | null;
  /** The value as it is written. */
  shown: (row: Row) => string;
}

export const figure = (value: number | null, places: number) =>
  value === null ? "" : clean(value, places);

/** A number with so many places, a proper minus sign and no negative nothing. */
export function clean(value: number, places: number): string {
  const text = value.toFixed(places);
  const nothing = Number(text) === 0;
  return nothing ? (0).toFixed(places) : text.replace("-", "−");
}

/** The one meaning of a hit, wherever one is shown. */
export const HIT =
  "How often an award is paid, one that only brings the stake back among them (1 for 1); a push is none";

export const COLUMNS: Column[] = [
  {
    key: "wager",
    name: "Wager",
    about: "The bet, and how it is written on a tape",
    value: (row) => row.title,
    shown: (row) => row.title,
  },
  {
    key: "edge",
    name: "Edge %",
    about: "The house's share of each dollar bet",
    value: (row) => row.edge_percent,
    shown: (row) => figure(row.edge_percent, 4),
  },
  {
    key: "outlay",
    name: "Of outlay %",
    about: "The same, with commission counted as part of what was put up",
    value: (row) => row.edge_of_outlay_percent,
    shown: (row) => figure(row.edge_of_outlay_percent, 4),
  },
  {
    key: "roll",
    name: "Per roll %",
    about: "The edge for each roll on which the bet works",
    value: (row) => row.edge_per_roll_percent,
    shown: (row) => figure(row.edge_per_roll_percent, 4),
  },
  {
    key: "deviation",
    name: "Deviation",
    about: "The standard deviation of the result for a stake of one",
    value: (row) => row.deviation,
    shown: (row) => figure(row.deviation, 4),
  },
  {
    key: "hit",
    name: "Hit %",
    about: HIT,
    value: (row) => row.hit_percent,
    shown: (row) => figure(row.hit_percent, 3),
  },
  {
    key: "push",
    name: "Push %",
    about: "How often it pushes",
    value: (row) => row.push_percent,
    shown: (row) => figure(row.push_percent, 3),
  },
  {
    key: "rolls",
    name: "Rolls",
    about: "The mean number of rolls on which it works",
    value: (row) => row.mean_rolls,
    shown: (row) => figure(row.mean_rolls, 3),
  },
];

/** What rows are in order of. */
interface Order<Row> {
  column: Column<Row>;
  down: boolean;
}

/** `edge` or `-edge`, read by the names of some columns. */
export function orderOf<Row>(columns: readonly Column<Row>[], sort: string): Order<Row> | null {
  const down = sort.startsWith("-");
  const column = columns.find((column) => column.key === (down ? sort.slice(1) : sort));
  return column ? { column, down } : null;
}

/** The same, for the table of edges. */
export const order = (sort: string) => orderOf(COLUMNS, sort);

/** What a click on a column's head asks for: up, then down, then as the rulebooks have it. */
export function nextSort(sort: string, key: string): string {
  if (sort === key) return `-${key}`;
  return sort === `-${key}` ? "" : key;
}

/** Rows in order of a figure; what has none comes last either way, and equals keep their
 * places. */
export function inOrder<Row>(
  rows: readonly Row[],
  value: (row: Row) => number | string | null,
  down: boolean,
): Row[] {
  const turn = down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "string" || typeof b === "string") {
      return turn * String(a).localeCompare(String(b), "en", { numeric: true });
    }
    return turn * (a - b);
  });
}

/** The rows in order. */
export function sorted(rows: readonly WagerEdge[], sort: string): WagerEdge[] {
  const by = order(sort);
  return by ? inOrder(rows, by.column.value, by.down) : [...rows];
}

/** The rows whose text holds every word. */
export function holding<Row>(
  rows: readonly Row[],
  find: string,
  text: (row: Row) => string,
): Row[] {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return rows.filter((row) => {
    const said = text(row).toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** The rows whose names or paytable hold every word. */
export function found(rows: readonly WagerEdge[], find: string): WagerEdge[] {
  return holding(rows, find, (row) => `${row.title} ${row.wager} ${row.paytable ?? ""}`);
}

/** How much of a bar an edge fills: everything from a sixth of the bet on. */
export function bar(row: WagerEdge): number {
  const edge = row.edge_percent ?? 0;
  return Math.max(0, Math.min(1, edge / (100 / 6)));
}
