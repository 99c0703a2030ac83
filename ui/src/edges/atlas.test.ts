import { expect, test } from "vitest";
import type { AtlasWager } from "$wire";
import { atlasOrder, atlasRows, said } from "./atlas.ts";

function row(title: string, edge: number | null, more: Partial<AtlasWager> = {}): AtlasWager {
  return {
    rulebook: "house",
    paytable: null,
    wager: title.toLowerCase(),
    title,
    meter: null,
    edge: edge === null ? null : String(edge),
    edge_percent: edge,
    deviation: edge,
    hit: null,
    hit_percent: edge,
    rolls: null,
    mean_rolls: edge,
    edge_per_roll_percent: edge,
    edge_per_hour: edge,
    published: [],
    unpriced: edge === null ? "no" : null,
    ...more,
  };
}

const rows = [
  row("Place 4", 6.7),
  row("Fire Bet", 20.8, { rulebook: "fire-bet", paytable: "FIRE-1" }),
  row("Broken", null),
  row("Pass", 1.4),
];
const names = (rows: AtlasWager[]) => rows.map((row) => row.title);

test("in order of any column, what has no figure last", () => {
  expect(names(atlasRows(rows, "", ""))).toEqual(["Place 4", "Fire Bet", "Broken", "Pass"]);
  expect(names(atlasRows(rows, "", "edge"))).toEqual(["Pass", "Place 4", "Fire Bet", "Broken"]);
  expect(names(atlasRows(rows, "", "-hour"))).toEqual(["Fire Bet", "Place 4", "Pass", "Broken"]);
  expect(atlasOrder("no-such")).toBeNull();
});

test("narrowed down by names, paytable and rulebook", () => {
  expect(names(atlasRows(rows, "fire-1", ""))).toEqual(["Fire Bet"]);
  expect(names(atlasRows(rows, "house p", ""))).toEqual(["Place 4", "Pass"]);
});

test("what others say stands beside ours, and why it differs", () => {
  const source = "a page";
  const agrees = { figure: "edge", published: "1.41%", ours: "1.4141%", source };
  const published = [
    { ...agrees, difference: null, why: null },
    { ...agrees, published: "526%", difference: "-524.5859%", why: "a misprint" },
  ];
  expect(said(row("Pass", 1.4, { published }))).toEqual([
    "edge 1.41%, ours 1.4141%: agrees",
    "edge 526%, ours 1.4141%: differs by -524.5859%, a misprint",
  ]);
});
