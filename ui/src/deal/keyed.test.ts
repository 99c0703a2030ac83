import { expect, test } from "vitest";
import { NOTHING, choose, dice, digit, isForDice } from "./keyed.ts";

test("two digits are two dice, a third begins again", () => {
  const three = digit(NOTHING, 3);
  expect(three).toEqual([3, null]);
  expect(dice(three)).toBeNull();
  const pair = digit(three, 4);
  expect(dice(pair)).toBe("3-4");
  expect(digit(pair, 6)).toEqual([6, null]);
});

test("a die of the pad is changed without the other", () => {
  expect(choose([3, 4], 0, 1)).toEqual([1, 4]);
  expect(choose(NOTHING, 1, 5)).toEqual([null, 5]);
  expect(digit([null, 5], 2)).toEqual([2, 5]);
});

test("keys are for the dice only while nothing else has the keyboard", () => {
  const [body, inside, elsewhere, panel] = ["body", "button", "input", "panel"].map(
    (name) => ({ name }) as unknown as HTMLElement,
  ) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  const dice = { contains: (one: unknown) => one === inside || one === panel };
  const page = (dialog: Element | null) => ({
    body,
    documentElement: body,
    querySelector: () => dialog,
  });
  const reached = (target: HTMLElement, dialog: Element | null = null) =>
    isForDice(target, dice, page(dialog));
  expect([body, inside, panel].map((target) => reached(target))).toEqual([true, true, true]);
  expect(reached(elsewhere)).toBe(false);
  // A tick on a work list leaves the keys to the dice.
  const tick = { closest: (what: string) => (what === "[data-list]" ? panel : null) };
  expect(reached(tick as unknown as HTMLElement)).toBe(true);
  expect(reached(body, elsewhere)).toBe(false);
  expect(isForDice(inside, undefined, page(null))).toBe(false);
});
