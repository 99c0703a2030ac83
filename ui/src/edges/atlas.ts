// The atlas: its columns, and which of its wagers are looked at.

import type { AtlasWager } from "$wire";
import { dollars } from "../lib/money.ts";
import { type Column, HIT, figure, holding, inOrder, orderOf } from "./rows.ts";

export const ATLAS_COLUMNS: Column<AtlasWager>[] = [
  {
    key: "wager",
    name: "Wager",
    about: "The bet, how it is written on a tape, its rulebook and paytable",
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
    key: "roll",
    name: "Per roll %",
    about: "The edge for each roll on which the bet works",
    value: (row) => row.edge_per_roll_percent,
    shown: (row) => figure(row.edge_per_roll_percent, 4),
  },
  {
    key: "hour",
    name: "Per hour $",
    about: "What one dollar that is always up costs in an hour",
    value: (row) => row.edge_per_hour,
    shown: (row) => figure(row.edge_per_hour, 3),
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
    shown: (row) => figure(row.hit_percent, 4),
  },
  {
    key: "rolls",
    name: "Rolls",
    about: "The mean number of rolls to a decision",
    value: (row) => row.mean_rolls,
    shown: (row) => figure(row.mean_rolls, 3),
  },
  {
    key: "meter",
    name: "Meter",
    about: "What the meter of a progressive shows here: the suggested seed",
    value: (row) => row.meter,
    shown: (row) => (row.meter === null ? "" : dollars(row.meter)),
  },
];

/** `edge` or `-edge`, read. */
export const atlasOrder = (sort: string) => orderOf(ATLAS_COLUMNS, sort);

/** The wagers that hold every word in their names, paytable or rulebook, in order. */
export function atlasRows(rows: readonly AtlasWager[], find: string, sort: string): AtlasWager[] {
  const held = holding(
    rows,
    find,
    (row) => `${row.title} ${row.wager} ${row.paytable ?? ""} ${row.rulebook}`,
  );
  const by = atlasOrder(sort);
  return by ? inOrder(held, by.column.value, by.down) : held;
}

/** What others say of a wager, in a line each. */
export function said(row: AtlasWager): string[] {
  return row.published.map(({ figure, published, ours, difference, why }) => {
    const agrees = difference === null ? "agrees" : `differs by ${difference}`;
    return `${figure} ${published}, ours ${ours}: ${agrees}${why === null ? "" : `, ${why}`}`;
  });
}
