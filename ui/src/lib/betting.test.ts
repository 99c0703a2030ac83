import { describe, expect, test } from "vitest";
import type { BetView, OfferView, RolledView, SeatView, TableView, WagerView } from "$wire";
import { amountFor, cameDown, hint, onTheWay, placing, takeFor, undo } from "./betting.ts";

const offer = (more: Partial<OfferView>): OfferView => ({
  wager: "place 6",
  least: 100,
  most: 500_000,
  step: 100,
  why_not: null,
  take: true,
  call: false,
  even: 100,
  ...more,
});
const bet = (wager: string, stake: number): BetView => ({
  wager,
  stake,
  vig: 0,
  call: "house",
  working: true,
});
const seat = (...bets: BetView[]): SeatView => ({
  seat: 0,
  name: "Ann",
  person: null,
  rack: 0,
  bets,
});
const wager = { min: 500, unit: 100 } as WagerView;

describe("a chip on a spot", () => {
  test.each([
    // chip, stake, offer, amount
    [500, 0, {}, 500],
    [500, 0, { even: 600 }, 600],
    [2_500, 0, { even: 600 }, 3_000],
    [500, 600, { even: 600 }, 600],
    [500, 1_000, { even: 600 }, 800],
    [500, 0, { even: 200 }, 600],
    [100, 0, { least: 1_500 }, 1_500],
    [10_000, 0, { most: 5_000 }, 5_000],
    [10_000, 0, { most: 5_000, even: 600 }, 4_800],
    [500, 0, { most: 300, even: 500 }, 300],
    [500, 0, { step: 400, least: 400, even: 400 }, 800],
  ])("%i on %i", (chip, stake, more, amount) => {
    expect(amountFor(chip, stake, offer(more))).toBe(amount);
  });

  test("nothing where nothing may be put", () => {
    expect(amountFor(500, 0, offer({ least: null, most: null, step: null }))).toBeNull();
  });
});

test("a chip is taken off a bet, or all of it where too little would be left", () => {
  expect(takeFor(500, bet("hard 8", 2_000), wager)).toBe(500);
  expect(takeFor(500, bet("hard 8", 800), wager)).toBeUndefined();
  expect(takeFor(2_500, bet("hard 8", 2_000), wager)).toBeUndefined();
  expect(takeFor(500, bet("place 6", 1_800), wager, 600)).toBe(600);
  expect(takeFor(500, bet("place 6", 600), wager, 600)).toBeUndefined();
});

test("across leaves the point to the pass line", () => {
  const numbers = [4, 6, 8];
  expect(placing(numbers, 500, seat(bet("pass", 500)), 6).map(({ wager }) => wager)).toEqual([
    "place 4",
    "place 8",
  ]);
  expect(placing(numbers, 500, seat(), 6)).toHaveLength(3);
});

test("rebet knows what was decided and came down, and not what travelled or stayed", () => {
  const line = (wager: string, fate: string, left: string | null, at = 0) => ({
    seat: at,
    wager,
    stake: 500,
    fate,
    left,
  });
  const lines = [
    line("pass", "lose", null),
    line("field", "win", null),
    line("come", "travel", "come 6"),
    line("place 6", "win", "place 6"),
    line("odds come 4", "return", null),
    line("pass", "lose", null, 1),
  ];
  expect(cameDown({ lines } as unknown as RolledView, 0)).toEqual([
    { wager: "pass", amount: 500 },
    { wager: "field", amount: 500 },
  ]);
});

test("undo is the opposite", () => {
  const put = { command: "put", seat: 0, wager: "field", amount: 500 } as const;
  expect(undo(put)).toEqual({ ...put, command: "take" });
  expect(undo({ ...put, command: "take" })).toEqual(put);
});

test("chips on their way are added up by spot", () => {
  const put = { command: "put", seat: 0, wager: "field", amount: 500 } as const;
  const all = onTheWay([put, put, { ...put, seat: 1 }, { command: "pause" }], 0);
  expect([...all]).toEqual([["field", 1_000]]);
});

test("a hint follows the hand, in the words of the rules", () => {
  const line = { wager: "pass", title: "Pass Line", spots: ["pass"], wins: "7 or 11" };
  const odds = { wager: "odds pass", title: "Odds", spots: ["odds pass"], wins: "" };
  const at = (puck: number | null) =>
    ({
      wagers: [line, odds],
      config: { practice: true },
      hand: { status: "running", betting: true, puck },
    }) as unknown as TableView;
  const rich = (...bets: BetView[]) => ({ ...seat(...bets), rack: 100 });
  expect(hint(at(null), null)).toContain("Take a seat");
  expect(hint(at(null), seat())).toContain("Buy in");
  expect(hint(at(null), rich())).toBe(
    "Come-out roll. Put a chip on Pass Line to shoot. Pass Line wins on 7 or 11.",
  );
  expect(hint(at(6), rich(bet("pass", 500)))).toContain("You can back it with odds");
  expect(hint(at(6), rich(bet("pass", 500), bet("odds pass", 500)))).not.toContain("odds");
  expect(hint(at(6), rich())).toContain("The point is 6. Come bets");
});
