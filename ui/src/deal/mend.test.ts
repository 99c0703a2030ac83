import { describe, expect, test } from "vitest";
import type { MendLine, Update, WagerView } from "$wire";
import { about, decided, deed, drafts, forTheHouse, rollsOf, rollsOfDay } from "./mend.ts";

const NOON = Date.UTC(2026, 2, 5, 12);
const update = (seq: number, events: unknown[], at = NOON): Update =>
  ({ seq, at, events }) as unknown as Update;
const rolled = (number: number, dice: string) => ({ event: "rolled", number, dice });

describe("the rolls of a day", () => {
  test("are those that count, with what was mended", () => {
    const rolls = rollsOf([
      update(10, [rolled(1, "4-2")]),
      update(11, [{ event: "put" }]),
      update(12, [rolled(2, "3-3")]),
      update(13, [{ event: "voided", dice: "3-3" }]),
      update(14, [rolled(2, "5-5")]),
      update(15, [{ event: "corrected", was: "5-5", rolled: { number: 2, dice: "5-4" } }]),
      update(16, [{ event: "mended", of: 10, what: "showed 5-1" }]),
    ]);
    expect(rolls.map(({ record, number, dice, mended }) => [record, number, dice, mended])).toEqual(
      [
        [10, 1, "4-2", "showed 5-1"],
        [15, 2, "5-4", null],
      ],
    );
  });

  test("leave out those before midnight, UTC", () => {
    const late = Date.UTC(2026, 2, 4, 23, 59);
    const updates = [update(10, [rolled(1, "4-2")], late), update(11, [rolled(2, "6-6")])];
    const rolls = rollsOfDay(updates, NOON);
    expect(rolls.map(({ record }) => record)).toEqual([11]);
  });
});

const wagers = [
  { wager: "hard", title: "Hard", spots: ["hard 6"] },
  { wager: "field", title: "Field", spots: ["field"] },
] as unknown as WagerView[];
const line = (more: Partial<MendLine>): MendLine => ({
  part: "winnings",
  seat: 0,
  name: "Ann",
  wager: "hard 6",
  place: "rack",
  due: -4_500,
  amount: -4_500,
  ...more,
});

describe("a line of a mend", () => {
  test("says whose it is and what is done", () => {
    const said = (more: Partial<MendLine>) => {
      const one = line(more);
      return `${about(one, wagers)}: ${deed(one)}`;
    };
    expect(said({})).toBe("Ann, seat 1: Hard 6, winnings: take back");
    expect(said({ due: 500, amount: 500, part: "stake" })).toBe("Ann, seat 1: Hard 6, stake: pay");
    expect(said({ part: "bet-lost", place: "felt", due: 500, amount: 500 })).toBe(
      "Ann, seat 1: Hard 6, the bet lost: take down $5",
    );
    expect(said({ place: "cage", due: 700, amount: 700 })).toMatch(/pay at the cage$/);
    expect(said({ place: "cage", due: -700, amount: 0 })).toMatch(/nothing to collect$/);
    const envy: MendLine = {
      part: "envy",
      name: "",
      wager: "",
      place: "dealers",
      due: 100,
      amount: 100,
    };
    expect(about(envy, wagers)).toBe("Dealers: envy");
  });

  test("is decided as the crew types it, in the direction that is due", () => {
    const [take] = drafts([line({})]);
    if (!take) throw new Error("no draft");
    expect(decided(take)?.amount).toBe(-4_500);
    expect(decided({ ...take, typed: "10.50" })?.amount).toBe(-1_050);
    expect(decided({ ...take, on: false })?.amount).toBe(0);
    expect(decided({ ...take, typed: "12,50" })).toBeNull();
    expect(decided({ ...take, typed: "0" })?.amount).toBe(0);
  });

  test("of a bet on the felt is all of it or nothing", () => {
    const [down] = drafts([line({ part: "bet-lost", place: "felt", due: 500, amount: 500 })]);
    if (!down) throw new Error("no draft");
    expect(decided({ ...down, typed: "1" })?.amount).toBe(500);
    expect(decided({ ...down, on: false })?.amount).toBe(0);
  });

  test("counts for the house", () => {
    const lost = line({ part: "bet-lost", place: "felt", due: 500, amount: 500 });
    const back = line({ part: "bet-back", place: "felt", due: 700, amount: 700 });
    expect(forTheHouse([line({}), lost, back])).toBe(5_000);
  });
});
