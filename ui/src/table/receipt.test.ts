import { expect, test } from "vitest";
import type { Happened, RolledView, SettledView, TableView, Update } from "$wire";
import { follow, ownShare, receipt } from "./receipt.ts";

const line = (more: Partial<SettledView>): SettledView => ({
  seat: 0,
  wager: "meter",
  stake: 100,
  fate: "win",
  won: -100,
  withheld: 0,
  commission: 0,
  vig: 0,
  to_rack: 0,
  left: null,
  ...more,
});
const roll = (lines: SettledView[], claims: RolledView["claims"] = []) =>
  ({ number: 10, lines, claims }) as never as RolledView;
const table = (more: object = {}) =>
  ({
    wagers: [
      { wager: "meter", title: "The Meter", spots: ["meter"], paytable: "PT" },
      { wager: "small", title: "Small", spots: ["small"], paytable: "PT-2" },
      { wager: "pass", title: "Pass", spots: ["pass"], paytable: null },
    ],
    hand: { claims: [{ claim: 1, paytable: "PT", wager: null, amount: null, seats: [0, 1] }] },
    meters: [{ paytable: "PT", hits: [100_030] }],
    ...more,
  }) as never as TableView;
const paid = table({ hand: { claims: [] }, meters: [{ paytable: "PT", hits: [] }] });
const update = (...events: Happened[]) => ({ events }) as never as Update;
const said = (seen: Parameters<typeof receipt>[0], at: TableView, seat = 0) =>
  receipt(seen, seat, at).map(({ words, net }) => [words, net]);

const jackpot = {
  roll: roll([line({}), line({ seat: 1 })], [[1, "PT", [0, 1]]]),
};

test("a jackpot says your share while it is being confirmed", () => {
  expect(said(jackpot, table())).toEqual([["Jackpot, your share $500.15, being confirmed", null]]);
});

test("without a share where nobody can say it: another table's hit on the meter", () => {
  const shared = table({ meters: [{ paytable: "PT", hits: [5, 100_030] }] });
  expect(said(jackpot, shared)).toEqual([["Jackpot, being confirmed", null]]);
});

test("who bet more gets more", () => {
  const more = { roll: roll([line({}), line({ seat: 1, stake: 300 })], [[1, "PT", [0, 1]]]) };
  const at = table({ meters: [{ paytable: "PT", hits: [100_000] }] });
  expect(said(more, at)[0]![0]).toContain("$250,");
  expect(said(more, at, 1)[0]![0]).toContain("$750,");
});

test("paid, the share and the chip add up to what it brought", () => {
  const shares: [number, number][] = [
    [0, 50_015],
    [1, 50_015],
  ];
  const event = { event: "claim-paid" as const, claim: 1, amount: 100_030, shares };
  const [seen] = follow([jackpot], update(event));
  expect(said(seen!, paid)).toEqual([
    ["Jackpot, your share $500.15, paid", 50_015],
    ["its chip stays with the house", -100],
  ]);
});

test("of a jackpot one has the shares of all one's seats, and of no others", () => {
  const seen = { ...jackpot, own: 1 };
  expect(ownShare([seen], 1, table())).toBe(50_015);
  expect(ownShare([{ ...seen, owned: [0, 1] }], 1, table())).toBe(100_030);
  expect(ownShare([{ ...seen, own: 3 }], 1, table())).toBeNull();
  expect(ownShare([seen], 2, table())).toBeNull();
});

test("denied, the chip came back", () => {
  const event = {
    event: "claim-denied" as const,
    claim: 1,
    wager: "meter",
    amount: 100_030,
    shares: [],
    reason: "wrong dice",
  };
  const [seen] = follow([jackpot], update(event));
  expect(said(seen!, paid)).toEqual([["Jackpot not paid: wrong dice; $1 came back", 0]]);
});

test("an award that is held waits, and is confirmed or not paid", () => {
  const big = line({ wager: "small", stake: 20_000, won: 600_000, to_rack: 620_000 });
  const event = { claim: 2, seat: 0, wager: "small", amount: 600_000 };
  const [held] = follow([{ roll: roll([big]) }], update({ event: "held", ...event }));
  expect(said(held!, paid)).toEqual([["won $6,000, being confirmed", null]]);
  const [free] = follow([held!], update({ event: "released", ...event }));
  expect(said(free!, paid)).toEqual([["won $6,000, confirmed", 600_000]]);
  const no = { ...event, event: "claim-denied" as const, shares: [], reason: "late bet" };
  const [denied] = follow([held!], update(no));
  expect(said(denied!, paid)).toEqual([["won $6,000, not paid: late bet", 0]]);
});

test("other seats' claims and other bets are as they are", () => {
  const seen = { roll: roll([line({ wager: "pass", fate: "lose", won: 0 })], [[1, "PT", [1]]]) };
  expect(said(seen, table())).toEqual([["lost $1", -100]]);
  const event = { event: "claim-paid" as const, claim: 9, amount: 1, shares: [] };
  expect(follow([seen], update(event))[0]).toBe(seen);
});

test("what the posted cap withheld stands beside the win", () => {
  const lines = [line({ wager: "small", won: 1_667, withheld: 1_733 })];
  const [told] = receipt({ roll: roll(lines) }, 0, table());
  expect(told).toMatchObject({ words: "won $16.67, $17.33 withheld by the cap", net: 1_667 });
});

test("commission that was paid in advance is lost with the bet", () => {
  const lines = [line({ wager: "pass", fate: "lose", won: 0, stake: 500, vig: 25 })];
  const [told] = receipt({ roll: roll(lines) }, 0, table());
  expect(told).toMatchObject({ words: "lost $5 and $0.25 commission", net: -525 });
});
