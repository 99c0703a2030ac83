import { describe, expect, test } from "vitest";
import type { Happened, HandView, SettledView, SeatView, TableView, Update } from "$wire";
import {
  apply,
  bySpot,
  faces,
  missed,
  missedBetween,
  nameOf,
  netOf,
  resultFor,
  seatOf,
  total,
} from "./table.ts";

const hand = { puck: null, rolls: 0 } as HandView;
const seat = (place: number, name: string | null = "Ann"): SeatView => ({
  seat: place,
  name,
  person: `p${place}`,
  rack: 100 * place,
  bets: [],
});
const table = (...seats: SeatView[]) =>
  ({ id: "t", seq: 4, hand, seats, recent: ["1-2"], meters: [] }) as unknown as TableView;
const update = (more: Partial<Update>): Update => ({
  seq: 5,
  at: 0,
  by: "ann",
  events: [],
  seats: [],
  hand: null,
  ...more,
});
const line = (more: Partial<SettledView>): SettledView => ({
  seat: 0,
  wager: "pass",
  stake: 1_000,
  fate: "win",
  won: 1_000,
  withheld: 0,
  commission: 0,
  vig: 0,
  to_rack: 2_000,
  left: null,
  ...more,
});
const roll = (dice: string, ...lines: SettledView[]) =>
  ({ event: "rolled", dice, total: total(dice), lines }) as unknown as Happened;

describe("an update", () => {
  test("replaces the seats it names and keeps them in order", () => {
    const after = apply(table(seat(0), seat(2)), update({ seats: [{ ...seat(1), rack: 7 }] }));
    expect(after.seats.map(({ seat }) => seat)).toEqual([0, 1, 2]);
    expect(after.seats[1]?.rack).toBe(7);
    expect(after.seq).toBe(5);
  });

  test("frees a seat", () => {
    expect(apply(table(seat(0), seat(1)), update({ seats: [seat(0, null)] })).seats).toHaveLength(
      1,
    );
  });

  test("leaves what it does not name", () => {
    const before = table(seat(0));
    const after = apply(before, update({}));
    expect(after.seats).toBe(before.seats);
    expect(after.hand).toBe(before.hand);
  });

  test("remembers rolls, and forgets those taken back", () => {
    const rolledOnce = apply(table(), update({ events: [roll("3-4")] }));
    expect(rolledOnce.recent).toEqual(["1-2", "3-4"]);
    const voided = { event: "voided", dice: "3-4", reason: "", undone: [] } as Happened;
    expect(apply(rolledOnce, update({ seq: 6, events: [voided] })).recent).toEqual(["1-2"]);
    const corrected = {
      event: "corrected",
      was: "3-4",
      reason: "",
      undone: [],
      rolled: { dice: "3-3" },
    } as unknown as Happened;
    expect(apply(rolledOnce, update({ seq: 6, events: [corrected] })).recent).toEqual([
      "1-2",
      "3-3",
    ]);
  });
});

test("dice", () => {
  expect(faces("3-4")).toEqual([3, 4]);
  expect(total("6-6")).toBe(12);
});

test("bets are found by spot and seats by person", () => {
  const bet = { wager: "field", stake: 500, vig: 0, call: "house", working: true } as const;
  const seats = [
    { ...seat(0), bets: [bet] },
    { ...seat(1), bets: [bet] },
  ];
  expect(
    bySpot(seats)
      .get("field")
      ?.map(({ seat }) => seat.seat),
  ).toEqual([0, 1]);
  expect(seatOf(table(...seats), "p1")?.seat).toBe(1);
  expect(seatOf(table(...seats), undefined)).toBeNull();
});

test("a result counts winnings less commission, and lost stakes, and no bets that come back", () => {
  expect(netOf(line({ won: 975, commission: 25 }))).toBe(950);
  expect(netOf(line({ fate: "lose", won: 0 }))).toBe(-1_000);
  expect(netOf(line({ fate: "push", won: 0 }))).toBe(0);
  const rolled = {
    lines: [line({}), line({ seat: 1 }), line({ fate: "lose", won: 0, stake: 400 })],
  };
  expect(resultFor(rolled as never, 0).net).toBe(600);
});

test("what was missed", () => {
  expect(missed([update({})], 0)).toBeNull();
  const updates = [update({ events: [roll("3-4", line({}))] }), update({ events: [roll("1-1")] })];
  expect(missed(updates, 0)).toEqual({ totals: [7, 2], net: 1_000 });
  expect(missed(updates, null)?.net).toBe(0);
});

test("what was missed counts jackpots that were paid, and not what is held", () => {
  const shares: [number, number][] = [
    [0, 50_015],
    [1, 50_015],
  ];
  const paid = { event: "claim-paid" as const, claim: 1, amount: 100_030, shares };
  const held = { event: "held" as const, claim: 2, seat: 0, wager: "all-small", amount: 15 };
  const jackpot = line({ stake: 100, won: -100, to_rack: 0 });
  const updates = [update({ events: [roll("6-6", jackpot)] }), update({ events: [paid, held] })];
  expect(missed(updates, 0)?.net).toBe(50_015 - 100 - 15);
});

test("what was missed, where only before and after are known", () => {
  const before = table(seat(0));
  const after = {
    ...table({ ...seat(0), rack: 900, bets: [{ stake: 100, vig: 5 } as never] }),
    hand: { rolls: 2 } as HandView,
    recent: ["1-2", "3-4", "5-5"],
  };
  expect(missedBetween(before, after, 0)).toEqual({ totals: [7, 10], net: 1_005 });
  expect(missedBetween(before, before, 0)).toBeNull();
});

test("a name that two seats share is said with its seat", () => {
  const at = table(seat(0, "Ann"), seat(2, "ann"), seat(3, "Sam"));
  expect([0, 2, 3, 4].map((place) => nameOf(at, place))).toEqual([
    "Ann (seat 1)",
    "ann (seat 3)",
    "Sam",
    "seat 5",
  ]);
});
