import { expect, test } from "vitest";
import type { OfferView } from "$wire";
import { amountFor } from "./betting.ts";
import { rounded, uneven } from "./rounded.ts";

const offer = (more: Partial<OfferView>): OfferView => ({
  wager: "horn",
  least: 100,
  most: 500_000,
  step: 100,
  why_not: null,
  take: true,
  call: false,
  even: 100,
  ...more,
});

test.each([
  // chip, stake, offer, why
  [500, 0, {}, null],
  [500, 0, { even: 500 }, null],
  [500, 0, { step: 400, least: 400, even: 400 }, "$4: the horn is bet in fours."],
  [1_000, 0, { step: 400, least: 400, even: 400 }, "$8: the horn is bet in fours."],
  [100, 0, { step: 400, least: 400, even: 400 }, "$4: the horn is bet in fours."],
  [500, 400, { step: 400, least: 400, even: 400 }, "$4 more: the horn is bet in fours."],
  [500, 0, { step: 400, least: 400, even: 1_200 }, "$12: Horn pays even in steps of $12."],
  [100, 0, { least: 1_500 }, "$15 is the least."],
  [500, 0, { least: 1_200, even: 600 }, "$12 is the least."],
  [500, 0, { least: 1_000, even: 600 }, "$12 is the least and pays even."],
  [500, 0, { even: 600 }, "$6: Horn pays even in sixes."],
  [2_500, 0, { even: 600 }, "$24: Horn pays even in sixes."],
  [500, 1_000, { even: 600 }, "$2 more: Horn pays even in sixes."],
  [500, 700, { even: 600 }, null],
  [10_000, 0, { most: 5_000 }, "$50 is the most that fits."],
  [10_000, 1_000, { most: 100 }, "$1 more is the most that fits."],
  [10_000, 0, { most: 5_000, even: 600 }, "$48 is the most that fits and pays even."],
  [500, 0, { most: 300, even: 500 }, "$3 is the most that fits."],
] as const)("$%i on %i with %o", (chip, stake, more, why) => {
  const amount = amountFor(chip, stake, offer(more))!;
  expect(rounded(chip, amount, stake, offer(more), "Horn")).toBe(why);
});

test("names of several words and of several things are said as people say them", () => {
  const fives = offer({ step: 500, even: 500 });
  expect(rounded(700, 500, 0, fives, "Pass Line")).toBe("$5: Pass Line is bet in fives.");
  const odds = "Odds behind Pass";
  expect(rounded(700, 500, 0, fives, odds)).toBe("$5: Odds behind Pass are bet in fives.");
  const twos = offer({ even: 200 });
  expect(rounded(500, 400, 0, twos, odds)).toBe("$4: Odds behind Pass pay even in twos.");
});

test.each([
  // amount, stake, offer, nudge
  [2_400, 0, { even: 600 }, null],
  [2_500, 0, { even: 600 }, "Place 8 pays even at $24 or $30."],
  [500, 2_000, { even: 600 }, "Place 8 pays even at $24 or $30."],
  [500, 0, { even: 600 }, "Place 8 pays even at $6."],
  [500, 2_400, { even: 600 }, "Place 8 pays even at $30."],
  [2_500, 0, { even: 600, most: 2_500 }, "Place 8 pays even at $24."],
  [300, 0, { even: 600, most: 300 }, null],
])("%i more on %i with %o pays even or says where", (amount, stake, more, nudge) => {
  expect(uneven(amount, stake, offer(more), "Place 8")).toBe(nudge);
});
