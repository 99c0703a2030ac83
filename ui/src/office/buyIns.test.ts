import { expect, test } from "vitest";
import type { BuyInSums, BuyInsView, PlayerBuyIns } from "$wire";
import { text } from "../testing/rendered.ts";
import { crossed, sumsInWords, whoIs } from "./buyIns.ts";
import Players from "./Players.svelte";

const sums = (more: Partial<BuyInSums>): BuyInSums => ({
  cash: 0,
  markers: 0,
  coupons: 0,
  chips: 0,
  cashed_out: 0,
  ...more,
});
const player: PlayerBuyIns = {
  player: "person:ann lee",
  name: "Ann",
  account: null,
  person: "Ann Lee",
  sums: sums({ cash: 1_100_000, cashed_out: 20_000 }),
  cash_limit: 1_000_000,
  markers_limit: 500_000,
  over: ["cash"],
  identity: null,
  sittings: [
    {
      table: "t",
      table_name: "Craps 1",
      seat: 2,
      name: "A. Lee",
      sitting: 9,
      sums: sums({ cash: 1_100_000, cashed_out: 20_000 }),
      linked: { by: "p-1", name: "Mx. sue", at: 0 },
      identity: null,
    },
  ],
};
const list = (players: PlayerBuyIns[]): BuyInsView => ({
  day: "2026-03-05",
  players,
  left_out: [],
});

test("the list says who, how much by kind, at which table, and whether identity was taken", () => {
  const shown = text(Players, { list: list([player]), all: false });
  for (const words of [
    "known as Ann Lee",
    "Cash $11,000, limit $10,000",
    "$11,000 cash, $200 cashed out",
    "Identity not taken",
    "Craps 1",
    "as A. Lee",
    "by Mx. sue",
  ])
    expect(shown).toContain(words);
  const taken = { ...player, identity: { by: "p-2", name: "Mx. dan", at: 0 } };
  expect(text(Players, { list: list([taken]), all: false })).toMatch(/Identity taken .* Mx\. dan/);
  expect(text(Players, { list: list([]), all: false })).toContain("No player crossed a limit");
});

test("words of sums, limits and players", () => {
  expect(sumsInWords(sums({}))).toBe("nothing");
  expect(sumsInWords(sums({ markers: 50, chips: 100 }))).toBe(
    "$0.50 markers, $1 chips brought along",
  );
  expect(crossed({ ...player, over: ["markers"], sums: sums({ markers: 600_000 }) })).toEqual([
    "Markers $6,000, limit $5,000",
  ]);
  expect(whoIs({ ...player, person: null })).toContain("counted alone");
  expect(whoIs({ ...player, person: null, account: "p-1" })).toBe("plays with an account");
});
