import { describe, expect, test } from "vitest";
import type { WagerView } from "$wire";
import {
  boardCells,
  neighbour,
  oddsBehind,
  partOf,
  parts,
  plan,
  regions,
  SMALL,
  standing,
  type Box,
} from "./plan.ts";
import { lettering, stack } from "./chips.ts";

const spots = (name: string, numbers: (number | null)[]) =>
  numbers.map((number) => (number === null ? name : `${name} ${number}`));
const points = [4, 5, 6, 8, 9, 10];
const wager = (name: string, all: string[], board: WagerView["board"] = null) =>
  ({ wager: name, title: name, spots: all, pays: [], board }) as unknown as WagerView;
const board = (shape: "collect" | "distinct", numbers: number[]) =>
  ({ shape, numbers, sequences: [], rungs: [], on_bonus: false }) as WagerView["board"];
const wagers = [
  wager("pass", ["pass"]),
  wager("dont-pass", ["dont-pass"]),
  wager("come", spots("come", [null, ...points])),
  wager("dont-come", spots("dont-come", [null, ...points])),
  wager("odds come", spots("odds come", points)),
  wager("place", spots("place", points)),
  wager("buy", spots("buy", points)),
  wager("lay", spots("lay", points)),
  wager("hard", spots("hard", [4, 6, 8, 10])),
  wager("field", ["field"]),
  wager("any-seven", ["any-seven"]),
  wager("craps", spots("craps", [2, 3, 12])),
  wager("eleven", ["eleven"]),
  wager("horn", ["horn"]),
  wager("horn-high", spots("horn-high", [2, 3, 11, 12])),
  wager("any-craps", ["any-craps"]),
  wager("big", ["big 6", "big 8"]),
  wager("all-tall", ["all-tall"], board("collect", [8, 9, 10, 11, 12])),
  wager("all-small", ["all-small"], board("collect", [2, 3, 4, 5, 6])),
  wager("mea", ["mea"], board("distinct", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12])),
];

describe.each(["wide", "tall"] as const)("the %s plan", (kind) => {
  const drawn = plan(kind, wagers);
  const all = regions(drawn, wagers);

  test("has a place for every spot, once", () => {
    const offered = wagers.flatMap((wager) => wager.spots).sort();
    expect(all.map((region) => region.spot).sort()).toEqual(offered);
  });

  test("lies inside the table", () => {
    for (const { box, mine, r } of all) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.w).toBeLessThanOrEqual(drawn.width);
      expect(box.y + box.h).toBeLessThanOrEqual(drawn.height);
      expect(mine.x + r).toBeLessThanOrEqual(drawn.width);
      expect(mine.y + r).toBeLessThanOrEqual(drawn.height);
    }
  });

  test("has no two spots in one place", () => {
    const over = (one: Box, other: Box) =>
      Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x) > 1 &&
      Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y) > 1;
    // Odds behind the don't pass lie inside its bar, as on a real layout.
    const apart = all.filter(({ spot }) => spot !== "odds dont-pass");
    for (const [at, one] of apart.entries())
      for (const other of apart.slice(at + 1))
        expect(over(one.box, other.box), `${one.spot} and ${other.spot}`).toBe(false);
  });

  test("can be walked with the arrow keys, every spot of it", () => {
    const seen = new Set([all[0]!]);
    for (const region of seen)
      for (const way of ["left", "right", "up", "down"] as const) {
        const next = neighbour(region, all, way);
        if (next) seen.add(next);
      }
    expect(seen.size).toBe(all.length);
  });
});

test("no box lies on the rail, not even in a corner", () => {
  const { width, height, craps, strip } = plan("wide", wagers);
  // The cloth as it is drawn, and the thickness of a line.
  const [edge, round, thick] = [8, 52, 2];
  const inside = (x: number, y: number) => {
    const near = (at: number, length: number) =>
      Math.max(edge + round - at, at - (length - edge - round), 0);
    return Math.hypot(near(x, width), near(y, height)) <= round - thick;
  };
  for (const { x, y, w, h } of [craps, strip]) {
    expect(inside(x + w, y + h)).toBe(true);
    expect(inside(x, y)).toBe(true);
  }
  expect(inside(12, 12)).toBe(false);
});

describe("the arrow keys", () => {
  const all = regions(plan("wide", wagers), wagers);
  const at = (spot: string) => all.find((region) => region.spot === spot)!;
  test.each([
    ["place 6", "down", "come"],
    ["come", "down", "field"],
    ["field", "down", "dont-pass"],
    ["dont-pass", "down", "pass"],
    ["place 6", "right", "place 8"],
    ["place 6", "left", "place 5"],
    ["place 6", "up", "buy 6"],
    ["lay 4", "left", "dont-come"],
    ["pass", "right", "horn"],
    ["any-craps", "up", "horn-high 3"],
    ["come", "right", "hard 8"],
  ] as const)("from %s %s to %s", (from, way, to) => {
    expect(neighbour(at(from), all, way)?.spot).toBe(to);
  });

  test("a broad box is crossed where the eye is", () => {
    const { box } = at("place 9");
    const eye = { x: box.x + box.w / 2, y: 0 };
    expect(neighbour(at("come"), all, "up", eye)?.spot).toBe("place 9");
    expect(neighbour(at("come"), all, "up", { ...eye, x: at("place 4").mine.x })?.spot).toBe(
      "place 4",
    );
  });
});

test("odds go behind a bet that has travelled, and behind no other", () => {
  const odds = ["come 6", "dont-come 10", "come", "odds come 6", "place 6"].map(oddsBehind);
  expect(odds).toEqual(["odds come 6", "odds dont-come 10", null, null, null]);
});

test("a tall felt is seen in parts, those that have a bet", () => {
  const parted = (offered: WagerView[]) => {
    const drawn = plan("tall", offered);
    const all = regions(drawn, offered);
    const cut = parts(drawn, all);
    return cut.map((part) => [
      part.name,
      all.filter((region) => partOf(cut, region) === part).map(({ spot }) => spot),
    ]);
  };
  const found = new Map(parted(wagers) as [string, string[]][]);
  expect([...found.keys()]).toEqual(["Line & numbers", "Props", "Bonus"]);
  expect(found.get("Line & numbers")).toContain("place 6");
  expect(found.get("Props")).toEqual(expect.arrayContaining(["any-seven", "any-craps", "horn"]));
  expect(found.get("Bonus")).toEqual(expect.arrayContaining(["all-small", "mea"]));
  const line = wagers.filter(({ wager }) => wager === "pass");
  expect(parted(line)).toEqual([["Line & numbers", ["pass"]]]);
});

test("side bets lie in the crew's order", () => {
  const order = boardCells(plan("wide", wagers), wagers).map(({ wager }) => wager.wager);
  expect(order).toEqual(["all-small", "all-tall", "mea"]);
});

test("the others stand beside you, or in your place", () => {
  const region = regions(plan("wide", wagers), wagers).find(({ spot }) => spot === "pass")!;
  expect(standing(region, 1, false)).toEqual([region.mine]);
  expect(standing(region, 1, true)[0]?.x).toBeLessThan(region.mine.x - region.r);
  expect(standing(region, 30, true)).toHaveLength(region.room);
});

test("no amount is written smaller than the print, at a desk or on another's chip", () => {
  // A chip of yours has a radius of 14.7 pixels in a window of 1280 by 800.
  for (const text of ["5", "25", "105", "1230", "12.5K"]) {
    expect(14.7 * lettering(text, true)).toBeGreaterThan(11);
    // Longer amounts would lie on the chips beside them.
    expect(14.7 * SMALL * lettering(text, false)).toBeGreaterThan(text.length > 3 ? 9 : 11);
  }
});

test("a stack is made of the dearest chips", () => {
  expect(stack(63_200, 9).map(({ text }) => text)).toEqual(["500", "100", "25", "5", "1", "1"]);
  expect(stack(99_900, 4)).toHaveLength(4);
  expect(stack(50, 4).map(({ text }) => text)).toEqual(["¢"]);
});
