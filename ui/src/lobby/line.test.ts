import { expect, test } from "vitest";
import type { TableLine } from "$wire";
import { ANYTHING, wanted } from "./filter.ts";
import { company, hand, limits } from "./line.ts";

const line = (more: Partial<TableLine> = {}): TableLine => ({
  id: "a",
  name: "Downtown",
  rules: ["base"],
  practice: true,
  status: "running",
  players: 0,
  looking_on: 0,
  seats: 16,
  puck: null,
  points: [4, 5, 6, 8, 9, 10],
  minimum: 1_000,
  maximum: 500_000,
  betting: true,
  recent: [],
  hand_rolls: 0,
  shooter: null,
  sides: [],
  meters: [{ paytable: "P-1", title: "P-1", amount: 100_000 }],
  warnings: [],
  problem: null,
  ...more,
});

test("limits, seats and the hand in words", () => {
  expect(limits(line())).toBe("$10 to $5,000");
  expect(limits(line({ maximum: null }))).toBe("$10 and up");
  expect(limits(line({ minimum: null }))).toBe("");
  expect(company(line())).toBe("Nobody yet, 16 free seats");
  expect(company(line({ players: 1, seats: 2 }))).toBe("1 player, 1 free seat");
  expect(company(line({ looking_on: 1 }))).toBe("Nobody yet, 16 free seats, 1 watches");
  expect(company(line({ players: 1, looking_on: 3 }))).toBe("1 player, 15 free seats, 3 watch");
  expect(company(line({ players: 2, seats: 2 }))).toBe("2 players, no free seat");
  expect(hand(line())).toBe("Come-out");
  expect(hand(line({ shooter: "Ann", puck: 6, hand_rolls: 4, betting: false }))).toBe(
    "Ann shoots, point 6, 4 rolls this hand, dice are out",
  );
  expect(hand(line({ status: "paused" }))).toBe("The table is paused");
});

test("tables are found by their chips, seats, side bets and words", () => {
  const full = line({ id: "full", name: "Full", players: 16 });
  const real = line({ id: "real", name: "Pit 3", practice: false, sides: ["All Small"] });
  const plain = line({ id: "plain", name: "Plain", meters: [] });
  const ids = (want: Partial<typeof ANYTHING>) =>
    wanted([full, real, plain], { ...ANYTHING, ...want }, () => "Craps").map(({ id }) => id);
  expect(ids({})).toEqual(["full", "real", "plain"]);
  expect(ids({ chips: "practice" })).toEqual(["full", "plain"]);
  expect(ids({ chips: "real" })).toEqual(["real"]);
  expect(ids({ seat: true })).toEqual(["real", "plain"]);
  expect(ids({ sides: true })).toEqual(["real"]);
  expect(ids({ text: "p-1 craps" })).toEqual(["full", "real"]);
  expect(ids({ text: "SMALL" })).toEqual(["real"]);
});
