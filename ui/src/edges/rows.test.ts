import { describe, expect, test } from "vitest";
import type { WagerEdge } from "$wire";
import { bar, clean, found, nextSort, sorted } from "./rows.ts";

function row(title: string, edge: number | null, paytable: string | null = null): WagerEdge {
  return {
    wager: title.toLowerCase(),
    title,
    paytable,
    stake: null,
    meter: null,
    ev: null,
    edge: edge === null ? null : String(edge),
    edge_percent: edge,
    edge_of_outlay_percent: edge,
    edge_per_roll_percent: edge,
    variance: null,
    deviation: edge,
    hit_percent: edge,
    push_percent: edge,
    outcomes: null,
    rolls: null,
    mean_rolls: edge,
    unpriced: edge === null ? "no" : null,
  };
}

const rows = [row("Place 10", 6), row("Lay 4", null), row("Place 4", 6), row("Pass", 1, "PT-1")];
const names = (rows: WagerEdge[]) => rows.map((row) => row.title);

describe("order", () => {
  test("as the rulebooks have it, or by a figure, or by name with numbers as numbers", () => {
    expect(names(sorted(rows, ""))).toEqual(["Place 10", "Lay 4", "Place 4", "Pass"]);
    expect(names(sorted(rows, "edge"))).toEqual(["Pass", "Place 10", "Place 4", "Lay 4"]);
    expect(names(sorted(rows, "wager"))).toEqual(["Lay 4", "Pass", "Place 4", "Place 10"]);
    expect(names(sorted(rows, "no-such"))).toEqual(names(rows));
  });

  test("what has no figure is last either way", () => {
    expect(names(sorted(rows, "-edge"))).toEqual(["Place 10", "Place 4", "Pass", "Lay 4"]);
  });

  test("a head turns round and then lets go", () => {
    expect(nextSort("", "edge")).toBe("edge");
    expect(nextSort("edge", "edge")).toBe("-edge");
    expect(nextSort("-edge", "edge")).toBe("");
    expect(nextSort("-edge", "hit")).toBe("hit");
  });
});

test("every word is looked for, in names and paytables", () => {
  expect(names(found(rows, "PLACE 4"))).toEqual(["Place 4"]);
  expect(names(found(rows, "pt-1"))).toEqual(["Pass"]);
  expect(found(rows, "  ")).toHaveLength(4);
});

test("figures are written with a minus sign and without a negative nothing", () => {
  expect(clean(-1.25, 1)).toBe("−1.3");
  expect(clean(-0.00001, 2)).toBe("0.00");
  expect(clean(1.41414, 4)).toBe("1.4141");
});

test("a bar is full from a sixth on", () => {
  expect([bar(row("a", -3)), bar(row("b", null)), bar(row("c", 50))]).toEqual([0, 0, 1]);
  expect(bar(row("d", 100 / 12))).toBeCloseTo(0.5);
});
