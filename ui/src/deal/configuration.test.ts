import type { TableConfig } from "$wire";
import { expect, test } from "vitest";
import { formOf, isUntouched, meant } from "./configuration.ts";

const BASE: TableConfig = {
  name: "Craps 1",
  rules: ["presque-isle"],
  options: { "payout-unit": "1" },
  limits: { field: { min: 500, max: null, unit: null } },
  dice: "dealer",
  practice: false,
  betting_seconds: null,
  confirm_over: 250_050,
  seats: 16,
  meters: {},
  empty_meters: false,
};

test("a form that nobody touches means the same configuration", () => {
  expect(meant(BASE, formOf(BASE))).toEqual(BASE);
});

test("a form that was typed into is told apart from one that can be filled again", () => {
  expect(isUntouched(BASE, formOf(BASE))).toBe(true);
  expect(isUntouched(BASE, { ...formOf(BASE), seats: "12" })).toBe(false);
  expect(isUntouched(BASE, { ...formOf(BASE), paying: false })).toBe(false);
});

test("what people change is changed, and nothing else", () => {
  const form = {
    ...formOf(BASE),
    least: "15",
    seats: "12",
    options: "payout-unit = 5\n\nre-bet=true",
  };
  const line = { min: 1500, max: null, unit: null };
  expect(meant(BASE, { ...form, confirmOver: "", bettingDuringClaims: true })).toEqual({
    ...BASE,
    seats: 12,
    options: { "payout-unit": "5", "re-bet": "true" },
    limits: { ...BASE.limits, pass: line, "dont-pass": line, come: line, "dont-come": line },
    confirm_over: null,
    betting_during_claims: true,
  });
  const limited = meant(BASE, form) as TableConfig;
  expect((meant(limited, { ...formOf(limited), least: "" }) as TableConfig).limits).toEqual(
    BASE.limits,
  );
});

test("limits of the day are set, changed and left to the house", () => {
  const form = { ...formOf(BASE), fills_over: "25,000", markers_over: "0", hold_buy_ins: true };
  const limited = meant(BASE, form);
  expect(limited).toEqual({
    ...BASE,
    fills_over: 2_500_000,
    markers_over: 0,
    hold_buy_ins: true,
  });
  const again = formOf(limited as TableConfig);
  expect([again.fills_over, again.markers_over, again.cash_over]).toEqual(["25000", "0", ""]);
  expect(isUntouched(limited as TableConfig, again)).toBe(true);
  expect(meant(limited as TableConfig, { ...again, fills_over: "" })).toMatchObject({
    fills_over: null,
    markers_over: 0,
  });
});

test.each([
  [{ cash_over: "12,50" }, /12,50/],
  [{ credits_over: "much" }, /much/],
  [{ least: "12,50" }, /12,50/],
  [{ seats: "many" }, /seats/],
  [{ seconds: "a minute" }, /seconds/],
  [{ options: "payout-unit" }, /payout-unit/],
])("%o is refused before it is sent", (more, why) => {
  expect(meant(BASE, { ...formOf(BASE), ...more })).toMatch(why);
});
