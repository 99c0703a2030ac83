import { expect, test } from "vitest";
import type { OfferView } from "$wire";
import { amountFor } from "./betting.ts";
import { rounded } from "./rounded.ts";

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
  [500, 0, { step: 400, least: 400, even: 400 }, "$8: the horn is bet in fours."],
  [500, 0, { step: 400, least: 400, even: 1_200 }, "$12: paid in whole dollars in steps of $12."],
  [100, 0, { least: 1_500 }, "$15 is the least."],
  [500, 0, { least: 1_200, even: 600 }, "$12 is the least."],
  [500, 0, { even: 600 }, "$6: paid in whole dollars in sixes."],
  [1_000, 0, { even: 600 }, "$12: paid in whole dollars in sixes."],
  [500, 1_000, { even: 600 }, "$8: paid in whole dollars in sixes."],
  [500, 700, { even: 600 }, null],
  [10_000, 0, { most: 5_000 }, "$50: that is the most that fits."],
  [10_000, 0, { most: 5_000, even: 600 }, "$48: that is the most that fits."],
] as const)("$%i on %i with %o", (chip, stake, more, why) => {
  const amount = amountFor(chip, stake, offer(more))!;
  expect(rounded(chip, amount, stake, offer(more), "Horn")).toBe(why);
});
