import { describe, expect, test } from "vitest";
import type { WagerView } from "$wire";
import { plan, regions, standing } from "./plan.ts";
import { beside, lying } from "./resting.ts";

const wagers = ["pass", "come", "field", "dont-come", "dont-pass", "any-seven"].map(
  (spot) => ({ wager: spot, spots: [spot], board: null }) as unknown as WagerView,
);

describe.each(["wide", "tall"] as const)("on the %s felt", (kind) => {
  const drawn = plan(kind, wagers);
  const dice = lying(drawn);

  test("the dice lie inside the come box, clear of each other", () => {
    for (const { x, y, size } of dice) {
      // Turned a little, a die needs more than its size.
      const half = size * 0.62;
      expect(x - half).toBeGreaterThan(drawn.come.x);
      expect(y - half).toBeGreaterThan(drawn.come.y);
      expect(y + half).toBeLessThan(drawn.come.y + drawn.come.h);
    }
    const [one, other] = dice;
    expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.size * 1.1);
  });

  test("they cover nobody's chips, however many stand there", () => {
    for (const region of regions(drawn, wagers))
      for (const chips of [region.mine, ...standing(region, 20, true)])
        for (const { x, y, size } of dice)
          expect(
            Math.hypot(chips.x - x, chips.y - y),
            `${region.spot} under a die`,
          ).toBeGreaterThan(region.r + size * 0.6);
  });

  test("words beside them stay inside the box", () => {
    const { x, w } = beside(drawn);
    expect(x).toBeGreaterThan(dice[1].x);
    expect(x + w).toBeLessThanOrEqual(drawn.come.x + drawn.come.w);
  });
});
