import { expect, test } from "vitest";
import type { BetView, HandView, OfferView, TableView } from "$wire";
import { ann, hand, table } from "../testing/fakeSocket.ts";
import { lesson } from "./firstHand.ts";

const wagers = [
  {
    wager: "pass",
    title: "Pass Line",
    spots: ["pass"],
    wins: "first roll 7, 11; then the number before 7",
    loses: "first roll 2, 3, 12; then 7 before the number",
    pays: [],
  },
  {
    wager: "odds pass",
    title: "Odds",
    spots: ["odds pass"],
    pays: [{ on: "6 8", numbers: [6, 8], pays: "6 to 5", envy: null }],
  },
] as unknown as TableView["wagers"];
const offers = (...open: string[]) =>
  new Map(open.map((wager) => [wager, { wager, least: 100 } as OfferView]));

function told(bets: string[], open: string[], more: Partial<HandView> = {}, dice = "house") {
  const at = table({ wagers, config: { dice } as TableView["config"], hand: hand(more) });
  const seat = { ...ann, bets: bets.map((wager) => ({ wager }) as BetView) };
  return lesson(at, seat, offers(...open));
}

test("first a line bet", () => {
  expect(told([], ["pass"])).toMatchObject({ step: 1, show: "pass" });
  expect(told([], ["pass"])?.text).toBe(
    "Put a chip on the Pass Line. 7 or 11 wins at once, 2, 3 or 12 loses. Anything else becomes your point.",
  );
  expect(told([], [], { puck: 6 })).toMatchObject({ step: 1, show: null });
  // One put behind a point is no first bet.
  expect(told([], ["pass"], { puck: 4 })).toMatchObject({ step: 1, show: null });
});

test("then the dice, whoever has them", () => {
  expect(told(["pass"], [])).toMatchObject({ step: 2, show: "roll" });
  expect(told(["pass"], [], { shooter: 4 })?.text).toBe("seat 5 has the dice. Watch the roll.");
  expect(told(["pass"], [], {}, "dealer")).toMatchObject({ step: 2, show: null });
});

test("then odds, as soon as they may be bet", () => {
  const odds = told(["pass"], ["odds pass"], { puck: 6 });
  expect(odds).toMatchObject({ step: 3, show: "odds pass", last: false });
  expect(odds?.text).toBe("The point is 6. Back your bet with odds: they pay 6 to 5.");
  const both = told(["pass", "odds pass"], ["odds pass"], { puck: 6 });
  expect(both).toMatchObject({ last: true });
  expect(both?.text).toContain("6 wins both bets, and a 7 loses them.");
});

test("nothing is asked for while no bet is taken", () => {
  expect(told([], ["pass"], { betting: false })).toBeNull();
  expect(told([], ["pass"], { status: "paused" })).toBeNull();
  expect(told([], [])).toBeNull();
});
