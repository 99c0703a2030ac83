import type { MeterView } from "$wire";
import { expect, test } from "vitest";
import { MeterForm } from "./form.svelte.ts";

const meter = (more: Partial<MeterView> = {}) =>
  ({
    meter: "downtown",
    seed: 100_000,
    increment: 125_000,
    reserve: 50_000,
    ceiling: null,
    ...more,
  }) as MeterView;

test("what was typed stays while other forms are opened, and goes once it was asked for", () => {
  const form = new MeterForm(meter());
  form.toggle("adjust");
  [form.amount, form.reason] = ["12.50", "the sign failed"];
  form.toggle("terms");
  form.toggle("terms");
  form.toggle("adjust");
  expect(form.made(false)).toEqual({
    command: { command: "adjust", amount: 1_250, kind: "malfunction", reason: "the sign failed" },
  });
  form.done(meter());
  expect([form.open, form.amount, form.reason]).toEqual([null, "", ""]);
});

test("the amount of an adjustment is not the amount that is moved", () => {
  const form = new MeterForm(meter());
  form.toggle("adjust");
  form.amount = "12.50";
  form.toggle("move");
  [form.to, form.reason] = ["uptown", "why"];
  expect(form.made(false)).toEqual({ command: { command: "move", to: "uptown", reason: "why" } });
});

test("terms that nobody touched are those of the meter, always", () => {
  const form = new MeterForm(meter());
  form.toggle("terms");
  form.follow(meter({ seed: 200_000 }));
  expect([form.terms.seed, form.outOfDate]).toEqual(["2000", false]);
});

test("terms that were typed stay, and the form says that the meter has got others", () => {
  const form = new MeterForm(meter());
  form.toggle("terms");
  form.terms.increment = "20";
  form.follow(meter());
  expect(form.outOfDate).toBe(false);
  form.follow(meter({ seed: 200_000 }));
  expect([form.terms.seed, form.terms.increment, form.outOfDate]).toEqual(["1000", "20", true]);
  form.restart(meter({ seed: 200_000 }));
  expect([form.terms.seed, form.terms.increment, form.outOfDate]).toEqual(["2000", "12.5", false]);
});
