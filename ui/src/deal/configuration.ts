// The configuration of a table as a form that people fill in, and back.

import type { TableConfig } from "$wire";
import { changedLimits, typedLimits, type TypedLimits } from "../lib/dayLimits.ts";
import { cents, notAnAmount } from "../lib/money.ts";

/** What people type. */
export interface Form extends TypedLimits {
  name: string;
  rules: string;
  options: string;
  seats: string;
  seconds: string;
  /** The least and the most on the line. */
  least: string;
  most: string;
  confirmOver: string;
  twoPeopleOver: string;
  confirmJackpots: boolean;
  bettingDuringClaims: boolean;
  paying: boolean;
}

/** The wagers whose limits are those of the line. */
const LINES = ["pass", "dont-pass", "come", "dont-come"];

const amount = (cents: number | null | undefined) =>
  cents === null || cents === undefined ? "" : String(cents / 100);

/** A configuration as people read it. */
export function formOf(config: TableConfig): Form {
  const line = config.limits["pass"];
  return {
    name: config.name,
    rules: config.rules.join(" "),
    options: Object.entries(config.options)
      .map(([name, value]) => `${name} = ${value}`)
      .join("\n"),
    seats: String(config.seats),
    seconds: config.betting_seconds === null ? "" : String(config.betting_seconds),
    least: amount(line?.min),
    most: amount(line?.max),
    confirmOver: amount(config.confirm_over),
    twoPeopleOver: amount(config.two_people_over),
    confirmJackpots: config.confirm_jackpots ?? true,
    bettingDuringClaims: config.betting_during_claims ?? false,
    paying: config.paying ?? true,
    ...typedLimits(config),
  };
}

/** Whether a form says what the configuration says that it was filled from. */
export const isUntouched = (base: TableConfig, form: Form): boolean =>
  Object.entries(formOf(base)).every(([field, was]) => form[field as keyof Form] === was);

/** The configuration that people mean, made of the one that they change; or what is wrong. What
 * they leave as it was stays as it was. */
export function meant(base: TableConfig, form: Form): TableConfig | string {
  const before = formOf(base);
  const changed = (field: keyof Form) => form[field] !== before[field];
  const limits = changedLimits(before, form);
  if (typeof limits === "string") return limits;
  const config: TableConfig = { ...base, ...limits, name: form.name.trim() };
  for (const field of ["least", "most", "confirmOver", "twoPeopleOver"] as const)
    if (form[field].trim() !== "" && cents(form[field]) === null) return notAnAmount(form[field]);
  const typed = (field: "least" | "most" | "confirmOver" | "twoPeopleOver") =>
    form[field].trim() === "" ? null : cents(form[field]);
  if (changed("rules")) config.rules = form.rules.split(/\s+/).filter((rule) => rule !== "");
  if (changed("options")) {
    const options: [string, string][] = [];
    for (const line of form.options.split("\n").map((line) => line.trim())) {
      if (line === "") continue;
      const [name = "", value] = line.split("=").map((part) => part.trim());
      if (name === "" || !value) return `“${line}” is no option. Write it as name = value.`;
      options.push([name, value]);
    }
    config.options = Object.fromEntries(options);
  }
  if (changed("seats")) {
    if (!/^\d{1,2}$/.test(form.seats.trim())) return "Give the seats as a number, such as 16.";
    config.seats = Number(form.seats);
  }
  if (changed("seconds")) {
    if (!/^\d{0,3}$/.test(form.seconds.trim()))
      return "Give whole seconds, such as 60, or nothing.";
    config.betting_seconds = form.seconds.trim() === "" ? null : Number(form.seconds);
  }
  if (changed("least") || changed("most")) {
    const wagers = { ...config.limits };
    for (const wager of LINES) {
      const line = { unit: null, ...wagers[wager], min: typed("least"), max: typed("most") };
      if (line.min === null && line.max === null && line.unit === null)
        Reflect.deleteProperty(wagers, wager);
      else wagers[wager] = line;
    }
    config.limits = wagers;
  }
  if (changed("confirmOver")) config.confirm_over = typed("confirmOver");
  if (changed("twoPeopleOver")) config.two_people_over = typed("twoPeopleOver");
  if (changed("confirmJackpots")) config.confirm_jackpots = form.confirmJackpots;
  if (changed("bettingDuringClaims")) config.betting_during_claims = form.bettingDuringClaims;
  if (changed("paying")) config.paying = form.paying;
  return config;
}
