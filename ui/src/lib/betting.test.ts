import { describe, expect, test } from "vitest";
import type { BetView, OfferView, RolledView, SeatView, TableView, WagerView } from "$wire";
import {
  amountFor,
  amountUpFor,
  asWishes,
  cameDown,
  hint,
  misfit,
  missing,
  onTheWay,
  placing,
  pressing,
  takeFor,
  undo,
  wonLines,
} from "./betting.ts";

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
    [2_500, 0, { even: 600 }, 2_400],
    [500, 600, { even: 600 }, 600],
    [500, 1_000, { even: 600 }, 200],
    [100, 1_000, { even: 600 }, 200],
    [500, 0, { even: 200 }, 400],
    [100, 0, { least: 1_500 }, 1_500],
    [500, 0, { least: 1_000, even: 600 }, 1_200],
    [10_000, 0, { most: 5_000 }, 5_000],
    [10_000, 0, { most: 5_000, even: 600 }, 4_800],
    [500, 0, { most: 300, even: 500 }, 300],
    [500, 0, { step: 400, least: 400, even: 400 }, 400],
    [100, 0, { step: 400, least: 400, even: 400 }, 400],
  ])("%i on %i", (chip, stake, more, amount) => {
    expect(amountFor(chip, stake, offer(more))).toBe(amount);
  });

  test.each([
    // chip, stake, offer, amount
    [1_000, 0, { even: 600 }, 1_200],
    [500, 600, { even: 600 }, 600],
    [10_000, 0, { most: 5_000, even: 600 }, 4_800],
  ])("%i on %i among others, rounded up", (chip, stake, more, amount) => {
    expect(amountUpFor(chip, stake, offer(more))).toBe(amount);
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
    line("come 5", "lose", null),
    line("pass", "lose", null, 1),
  ];
  expect(cameDown({ lines } as unknown as RolledView, 0)).toEqual([
    { wager: "pass", amount: 500 },
    { wager: "field", amount: 500 },
  ]);
});

test("undo is the opposite", () => {
  const put = { command: "put", seat: 0, wager: "field", amount: 500 } as const;
  expect(undo(put)).toEqual([{ ...put, command: "take" }]);
  expect(undo({ ...put, command: "take" })).toEqual([put]);
});

test("a bet that comes up again is called as it was", () => {
  const take = { command: "take", seat: 0, wager: "hard 6", amount: 500 } as const;
  expect(undo({ ...take, call: "house" })).toHaveLength(1);
  expect(undo({ ...take, call: "off" })).toEqual([
    { command: "put", seat: 0, wager: "hard 6", amount: 500 },
    { command: "call", seat: 0, wager: "hard 6", call: "off" },
  ]);
});

test("chips on their way are added up by spot", () => {
  const put = { command: "put", seat: 0, wager: "field", amount: 500 } as const;
  const all = onTheWay([put, put, { ...put, seat: 1 }, { command: "pause" }], 0);
  expect([...all]).toEqual([["field", 1_000]]);
});

test("a press is the same again, or half of it in what is paid evenly", () => {
  expect(pressing(1_200, "full", offer({ even: 600 }))).toBe(1_200);
  expect(pressing(500, "full", offer({ even: 600 }))).toBe(500);
  expect(pressing(1_200, "half", offer({ even: 600 }))).toBe(600);
  expect(pressing(600, "half", offer({ even: 600 }))).toBe(600);
  expect(pressing(3_000, "half", offer({ even: 600 }))).toBe(1_200);
  expect(pressing(1_200, "full", offer({ even: 600, most: 800 }))).toBe(600);
});

test.each([
  [2_500, {}, null],
  [2_500, { most: 2_000 }, "Field takes no more than $20 now."],
  [400, { least: 500 }, "Field takes at least $5."],
  [750, { step: 500 }, "Field goes in steps of $5."],
  [500, { most: 0 }, "No more fits on Field."],
  [500, { least: null, most: null, step: null }, "No more fits on Field."],
])("%i cents on %o: %s", (amount, more, why) => {
  expect(misfit(amount, offer(more), "Field")).toBe(why);
});

test.each([
  [2_500, { most: 2_000 }, "Odds behind Pass take no more than $20 now."],
  [400, { least: 500 }, "Odds behind Pass take at least $5."],
  [750, { step: 500 }, "Odds behind Pass go in steps of $5."],
])("odds are many: %i cents on %o", (amount, more, why) => {
  expect(misfit(amount, offer(more), "Odds behind Pass")).toBe(why);
});

test("only line bets that won and came down stay up", () => {
  const lines = [
    { seat: 0, wager: "pass", stake: 1_000, fate: "win", left: null },
    { seat: 0, wager: "odds pass", stake: 2_000, fate: "win", left: null },
    { seat: 0, wager: "dont-pass", stake: 500, fate: "lose", left: null },
    { seat: 0, wager: "field", stake: 500, fate: "win", left: null },
    { seat: 1, wager: "pass", stake: 700, fate: "win", left: null },
  ];
  expect(wonLines({ lines } as unknown as RolledView, 0)).toEqual([
    { wager: "pass", amount: 1_000 },
  ]);
});

test("what is missing of what is wished is put, and no more", () => {
  const wishes = [
    { wager: "pass", amount: 1_000 },
    { wager: "pass", amount: 1_500 },
    { wager: "field", amount: 500 },
    { wager: "place 6", amount: 600 },
  ];
  const up = new Map([
    ["pass", 500],
    ["field", 500],
    ["place 6", 1_200],
  ]);
  expect(missing(wishes, (spot) => up.get(spot) ?? 0)).toEqual([{ wager: "pass", amount: 1_000 }]);
});

test("bets that came to their spot by themselves are not wished for", () => {
  const bets = ["pass", "come", "come 6", "odds come 6", "dont-come 4", "odds pass"];
  expect(asWishes(bets.map((spot) => bet(spot, 500))).map(({ wager }) => wager)).toEqual([
    "pass",
    "come",
    "odds pass",
  ]);
});

describe("what could be done now", () => {
  const line = (wager: string, title: string, wins: string, loses: string) => ({
    wager,
    title,
    spots: [wager],
    wins,
    loses,
  });
  const then = "then the number before 7";
  const WAGERS = [
    line("pass", "Pass Line", `first roll 7, 11; ${then}`, "first roll 2, 3, 12; then 7"),
    line(
      "dont-pass",
      "Don't Pass",
      "first roll 2, 3; then 7",
      `first roll 7, 11; ${then}; first roll 12 pushes`,
    ),
    line("odds pass", "Odds behind Pass", "the number before 7", "7 before the number"),
    line("odds dont-pass", "Odds behind Don't Pass", "7 before the number", "the number before 7"),
    line("come", "Come", "", ""),
    { ...line("place", "Place", "the number", "7"), spots: ["place 6"] },
  ];
  const ann = (...bets: BetView[]) => ({ ...seat(...bets), rack: 10_000 });
  const sam = (...bets: BetView[]): SeatView => ({
    ...ann(...bets),
    seat: 3,
    name: "Sam",
    person: "sam",
  });
  interface Moment {
    hand?: object;
    config?: object;
    others?: SeatView[];
    wagers?: object[];
    away?: boolean;
  }
  const say = (
    you: SeatView | null,
    { hand, config, others = [], wagers = WAGERS, away = false }: Moment = {},
  ) =>
    hint(
      {
        wagers,
        seats: [...(you ? [you] : []), ...others],
        config: { practice: true, dice: "house", ...config },
        hand: {
          status: "running",
          betting: true,
          puck: null,
          shooter: 0,
          claims: [],
          proposals: [],
          dice_wait: null,
          ...hand,
        },
      } as unknown as TableView,
      you,
      you ? [you] : [],
      away,
    );
  const RULE = "Pass Line wins on 7 or 11 and loses on 2, 3 or 12.";
  const onPass = bet("pass", 500);
  const onDont = bet("dont-pass", 500);
  const samHas = { shooter: 3 };
  const others = [sam(onPass)];

  test("while nothing is played", () => {
    expect(say(null, { hand: { status: "closed" } })).toBe("The table is closed.");
    expect(say(null, { hand: { status: "paused" } })).toBe("The table is paused.");
    expect(say(ann(), { hand: { status: "paused" } })).toBe(
      "The table is paused. Your chips stay where they are.",
    );
    expect(say(ann(), { hand: { betting: false, claims: [{ seats: [] }] } })).toBe(
      "Betting waits until what was won is confirmed.",
    );
  });

  test("for somebody who watches", () => {
    expect(say(null)).toBe("Come-out roll. You are watching: take a seat to play.");
    expect(say(null, { hand: { puck: 6 } })).toBe(
      "The point is 6. You are watching: take a seat to play.",
    );
  });

  test("without chips", () => {
    expect(say(seat())).toBe("You have no chips. Buy in to play.");
    expect(say(seat(), { config: { practice: false } })).toContain("Ask the dealer");
  });

  test("while the dice are out", () => {
    const hand = { betting: false };
    const dealer = { dice: "dealer" };
    expect(say(ann(onPass), { hand, config: dealer })).toBe("No more bets: the dice are out.");
    expect(say(ann(onPass), { hand })).toBe("No more bets. Roll when you are ready.");
    expect(say(ann(onPass), { hand: { ...hand, ...samHas }, others })).toBe(
      "No more bets. The dice wait for Sam.",
    );
  });

  test("before a come-out", () => {
    expect(say(ann(), { hand: { dice_wait: "line-bet" } })).toBe(
      `Come-out roll. The dice are offered to you: put a chip on Pass Line or Don't Pass to shoot. ${RULE}`,
    );
    expect(say(ann(onPass))).toBe(
      `Come-out roll. Your ${RULE} Any other number is the point. Roll when you are ready.`,
    );
    expect(say(ann(onDont))).toContain(
      "Your Don't Pass wins on 2 or 3 and loses on 7 or 11, and 12 pushes. Any other",
    );
    expect(say(ann(onPass, onDont))).toContain(`Your ${RULE} Your Don't Pass wins on 2 or 3`);
  });

  test("before somebody else's come-out", () => {
    expect(say(ann(), { hand: samHas, others })).toBe(
      `Come-out roll. Put a chip on Pass Line to play along. ${RULE} The dice wait for Sam.`,
    );
    expect(say(ann(), { hand: { ...samHas, dice_wait: "line-bet" }, others })).toContain(
      "The dice wait for Sam to bet on the line.",
    );
    expect(say(ann(onPass), { hand: samHas, others })).not.toMatch(/shoot|Roll when/);
  });

  test("while a point is on", () => {
    const hand = { puck: 6 };
    expect(say(ann(onPass), { hand })).toBe(
      "The point is 6. Your Pass Line wins on 6 and loses on 7. You can back it with odds. Roll when you are ready.",
    );
    expect(say(ann(onPass, bet("odds pass", 500)), { hand })).not.toContain("odds");
    expect(say(ann(onDont), { hand })).toContain(
      "Your Don't Pass wins on 7 and loses on 6. You can lay odds behind it.",
    );
    expect(say(ann(onDont, bet("odds dont-pass", 600)), { hand })).not.toContain("odds");
    expect(say(ann(onPass), { hand })).not.toContain("11");
    expect(say(ann(), { hand: { ...hand, ...samHas }, others })).toBe(
      "The point is 6. Come starts a bet of its own with the next roll. Place bets stand on one number. The dice wait for Sam.",
    );
    expect(say(ann(bet("place 6", 600)), { hand: { ...hand, ...samHas }, others })).toBe(
      "The point is 6. The dice wait for Sam.",
    );
  });

  test("by a clock, and with a dealer", () => {
    const hand = { dice_wait: "window" };
    expect(say(ann(onPass), { hand })).toContain("The dice go out when betting closes.");
    const dealer = { dice: "dealer" };
    expect(say(ann(onPass), { config: dealer })).toContain("You shoot.");
    expect(say(ann(onPass), { config: dealer, hand: samHas, others })).toContain("Sam shoots.");
  });

  test("with a shooter who has gone", () => {
    const away = { hand: { puck: 6, ...samHas }, away: true };
    expect(say(ann(onPass), { ...away, others })).toContain("Sam is away: you can roll for them.");
    expect(
      say(ann(), { hand: { ...samHas, dice_wait: "line-bet" }, others, away: true }),
    ).toContain("Sam is away: you can pass the dice.");
    expect(say(ann(onPass), { away: true })).toContain("Roll when you are ready.");
    const dealer = { dice: "dealer" };
    expect(say(ann(onPass), { ...away, others, config: dealer })).not.toContain("away");
  });

  test("at a table with other words or without a line", () => {
    const odd = line("pass", "Pass Line", "a natural", "craps");
    expect(say(ann(), { wagers: [odd] })).toContain("Pass Line wins on a natural.");
    expect(say(ann(), { wagers: [], hand: { dice_wait: "line-bet" } })).toBe("Come-out roll.");
    expect(say(ann(), { wagers: [], hand: { puck: 4, ...samHas }, others })).toBe(
      "The point is 4. The dice wait for Sam.",
    );
  });

  test("another seat of yours has the dice", () => {
    const table = { wagers: [], seats: [ann(), sam(onPass)] };
    const config = { dice: "house" };
    const hand = {
      status: "running",
      betting: true,
      puck: 4,
      claims: [],
      proposals: [],
      ...samHas,
    };
    const all = { ...table, config, hand } as unknown as TableView;
    expect(hint(all, ann(), [ann(), sam(onPass)])).toContain("Roll when you are ready.");
  });
  test("what the crew has asked for your seat is said until it is answered", () => {
    const asked = (what: string) => say(ann(), { hand: { proposals: [{ what }] } });
    expect(asked("leave seat 1")).toBe("A second person has to agree first: leave seat 1.");
    expect(asked("cash-out of 12000.00 at seat 1")).toBe(
      "A second person has to agree first: cash-out of $12,000 at seat 1.",
    );
    expect(asked("leave seat 11")).not.toContain("A second person");
  });
});
