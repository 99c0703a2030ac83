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
  tab,
  type Box,
} from "./plan.ts";
import { broken } from "./broken.ts";
import { lettering, stack } from "./chips.ts";
import { numberOf } from "../lib/words.ts";
import { HEAD } from "./panels.ts";

const spots = (name: string, numbers: (number | null)[]) =>
  numbers.map((number) => (number === null ? name : `${name} ${number}`));
const points = [4, 5, 6, 8, 9, 10];
/** Which numbers a wager stands on, as its spots have it. */
const onNumbers = (all: string[]) =>
  all.flatMap((spot) => {
    const number = numberOf(spot);
    return number === null ? [] : [number];
  });
const wager = (
  name: string,
  all: string[],
  board: WagerView["board"] = null,
  more: Partial<WagerView> = {},
) =>
  ({
    wager: name,
    title: name,
    spots: all,
    kind: board ? "tracked" : all.length > 1 ? "race" : "one-roll",
    numbers: onNumbers(all),
    faces: [],
    pays: [],
    wins: "",
    board,
    ...more,
  }) as unknown as WagerView;
const board = (shape: "collect" | "distinct", numbers: number[]) =>
  ({ shape, numbers, sequences: [], lists: [], rungs: [], on_bonus: false }) as WagerView["board"];
const wagers = [
  wager("pass", ["pass"], null, { kind: "line", numbers: points }),
  wager("dont-pass", ["dont-pass"], null, { kind: "line", numbers: points }),
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

/** A table without craps and without a don't side. */
const TEN = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
const crapless = [
  wager("pass", ["pass"], null, { kind: "line", numbers: TEN }),
  wager("odds pass", ["odds pass"], null, { kind: "odds", numbers: TEN }),
  wager("come", spots("come", [null, ...TEN]), null, { kind: "line", numbers: TEN }),
  wager("odds come", spots("odds come", TEN), null, { kind: "odds", numbers: TEN }),
  wager("place", spots("place", TEN)),
  wager("buy", spots("buy", TEN)),
  wager("hard", spots("hard", [4, 6, 8, 10])),
  wager("field", ["field"]),
  wager("any-seven", ["any-seven"]),
  wager("craps", spots("craps", [2, 3, 12])),
  wager("eleven", ["eleven"]),
  wager("horn", ["horn"]),
  wager("any-craps", ["any-craps"]),
];

/** Everything that no layout has a box for. */
const FACES = [1, 2, 3, 4, 5, 6];
const hops = FACES.flatMap((one) =>
  FACES.filter((other) => other >= one).map((other) =>
    wager(`hop-${one}-${other}`, [`hop-${one}-${other}`], null, { faces: [[one, other]] }),
  ),
);
const others = [
  ...hops,
  ...["world", "c-and-e", "three-way", "hi-lo"].map((name) => wager(name, [name])),
  wager("lose", ["lose 4", "lose 10"]),
  wager("own-line", ["own-line"], null, { kind: "line", numbers: points }),
  wager("repeater", spots("repeater", TEN), board("collect", []), { numbers: TEN }),
  ...["fire", "ride", "hot", "sharp", "corner", "points", "four", "six"].map((name, at) =>
    wager(name, [name], {
      ...board("collect", at % 2 ? [] : [2, 3, 11, 12])!,
      rungs: Array.from({ length: at + 1 }, (_, rung) => ({
        rung: rung + 1,
        on: String(rung + 1),
        pays: "5 to 1",
        meter: false,
        envy: null,
      })),
    }),
  ),
];

const TABLES = {
  usual: wagers,
  crapless,
  "everything a house may add": [...wagers, ...others],
  "nothing but what a house adds": others,
};

describe.each(
  Object.entries(TABLES).flatMap(([name, wagers]) =>
    (["wide", "tall"] as const).map((kind) => ({ name, wagers, kind })),
  ),
)("the $kind plan, $name", ({ wagers, kind }) => {
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

describe("a table without craps", () => {
  test.each(["wide", "tall"] as const)("has a box for each of ten numbers, %s", (kind) => {
    const { numbers, come, off, dontCome } = plan(kind, crapless);
    expect(numbers.map(({ number }) => number)).toEqual(TEN);
    for (const { box, place, buy } of numbers) {
      expect(box.y + box.h).toBeLessThanOrEqual(come.y);
      // As broad as a finger on a phone of 390 pixels, as the usual ones are at a desk.
      expect(box.w).toBeGreaterThan(kind === "tall" ? 92 : 94);
      for (const { h } of [place, buy]) expect(h).toBeGreaterThan(kind === "tall" ? 91 : 47);
    }
    expect(off.x).toBeGreaterThan(dontCome.x);
    expect(off.x).toBeLessThan(numbers[0]!.box.x);
  });

  test("has what the next roll brings at its numbers, not at the horn", () => {
    const at = (wagers: WagerView[]) => {
      const drawn = plan("wide", wagers);
      return { tab: tab(drawn, 2, false, 60)!, horn: drawn.horn.get(2)!, drawn };
    };
    const usual = at(wagers);
    expect(usual.tab.x).toBeGreaterThanOrEqual(usual.horn.x);
    const ten = at(crapless);
    expect(ten.tab.x).toBeLessThan(ten.drawn.numbers[1]!.box.x);
  });

  test("has no room above for side bets it has not got", () => {
    expect(plan("wide", crapless).height).toBeLessThan(plan("wide", wagers).height - 150);
  });
});

describe("wagers that a layout has no box for", () => {
  const all = [...wagers, ...others];

  test.each(["wide", "tall"] as const)("lie in a panel by kind, %s", (kind) => {
    const found = new Map(
      plan(kind, all).panels.map((panel) => [panel.title, panel.cells.map(({ spot }) => spot)]),
    );
    expect([...found.keys()]).toEqual(["One roll", "Hops", "Numbers", "Line bets", "repeater"]);
    expect(found.get("One roll")).toEqual(["world", "c-and-e", "three-way", "hi-lo"]);
    expect(found.get("Numbers")).toEqual(["big 6", "big 8", "lose 4", "lose 10"]);
    expect(found.get("Line bets")).toEqual(["own-line"]);
    expect(found.get("repeater")).toHaveLength(10);
    // By their totals, as somebody looks for them.
    const dice = found.get("Hops")!.slice(0, 5);
    expect(dice).toEqual(["hop-1-1", "hop-1-2", "hop-1-3", "hop-2-2", "hop-1-4"]);
    expect(found.get("Hops")).toHaveLength(21);
  });

  test.each([
    // A desk of 1280 shows the felt at least 760 wide, a phone of 390 nearly as wide as it is.
    ["wide", 760],
    ["tall", 378],
  ] as const)("are large enough to be touched, %s", (kind, pixels) => {
    const drawn = plan(kind, all);
    const scale = pixels / drawn.width;
    for (const { cells } of drawn.panels)
      for (const { spot, box } of cells) {
        expect(box.w * scale, spot).toBeGreaterThan(43);
        expect(box.h * scale, spot).toBeGreaterThan(43);
      }
  });

  test("have a title above them that no cell lies on", () => {
    for (const kind of ["wide", "tall"] as const)
      for (const { box, cells } of plan(kind, all).panels)
        for (const cell of cells) {
          expect(cell.box.y).toBeGreaterThanOrEqual(box.y + HEAD);
          expect(cell.box.x + cell.box.w).toBeLessThanOrEqual(box.x + box.w + 0.01);
        }
  });

  test("say what they pay, or what wins where several things do", () => {
    const pays = (numbers: number[], pays: string) => ({
      on: numbers.join(" "),
      numbers,
      pays,
      envy: null,
    });
    const some = [
      wager("world", ["world"], null, {
        pays: [pays([2, 12], "30 to 1"), pays([3, 11], "15 to 1")],
        wins: "2, 3, 11, 12",
      }),
      wager("big", ["big 6", "big 8"], null, { pays: [pays([], "1 to 1")] }),
      wager("lose", ["lose 4", "lose 5"], null, {
        pays: [pays([4], "5 to 11"), pays([5], "5 to 8")],
      }),
    ];
    const said = plan("wide", some).panels.flatMap(({ cells }) =>
      cells.map(({ spot, pays }) => [spot, pays]),
    );
    expect(said).toEqual([
      ["world", "on 2, 3, 11, 12"],
      ["big 6", "1 to 1"],
      ["big 8", "1 to 1"],
      ["lose 4", "5 to 11"],
      ["lose 5", "5 to 8"],
    ]);
  });
});

describe("a posted cap", () => {
  const capped = wagers.map((one) =>
    one.board ? { ...one, cap: "$25000 a roll, together" } : one,
  );

  test.each(["wide", "tall"] as const)("is printed above the boards, on nothing, %s", (kind) => {
    const [without, drawn] = [plan(kind, wagers), plan(kind, capped)];
    expect(without.posted).toBeNull();
    const { posted, strip } = drawn;
    expect(posted!.y + posted!.h).toBeLessThanOrEqual(strip.y);
    expect(drawn.height - without.height).toBe(posted!.h);
    for (const { spot, box } of regions(drawn, capped)) {
      const apart = box.y >= posted!.y + posted!.h || box.y + box.h <= posted!.y;
      expect(apart, spot).toBe(true);
    }
  });

  test("is in sight where a phone goes to the side bets", () => {
    const drawn = plan("tall", capped);
    const bonus = parts(drawn, regions(drawn, capped)).find(({ name }) => name === "Bonus");
    expect(bonus!.top).toBeLessThan(drawn.posted!.y);
    expect(bonus!.top).toBeGreaterThan(drawn.craps.y + drawn.craps.h);
  });

  test("is broken where its lines are most alike", () => {
    const text = "All Small and All Tall win at most $25,000 a roll together";
    expect(broken(text, 1)).toEqual([text]);
    expect(broken(text, 2)).toEqual([
      "All Small and All Tall win at",
      "most $25,000 a roll together",
    ]);
    expect(broken("Alone", 2)).toEqual(["Alone"]);
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
  expect([...found.keys()]).toEqual(["Line & numbers", "Props", "Bonus", "More"]);
  expect(found.get("More")).toEqual(["big 6", "big 8"]);
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

test("a wager with a spot for each pair of faces is a panel of dice", () => {
  const pairs = FACES.flatMap((one) =>
    FACES.filter((other) => other >= one).map((other): [number, number] => [one, other]),
  );
  const hop = wager(
    "hop",
    pairs.map(([one, other]) => `hop ${one}-${other}`),
    null,
    { kind: "one-roll", faces: pairs },
  );
  const [panel] = plan("wide", [...wagers, hop]).panels;
  expect([panel?.kind, panel?.cells.length]).toEqual(["hops", 21]);
  const easy = panel?.cells.find(({ spot }) => spot === "hop 3-5");
  expect([easy?.faces, easy?.number]).toEqual([[3, 5], null]);
});
