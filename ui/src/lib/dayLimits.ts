// The limits of the day that a real table has, as they are typed.

import type { TableConfig } from "$wire";
import { cents, notAnAmount } from "./money.ts";

/** Each limit by its key in the configuration, with what it is called. */
export const DAY_LIMITS = [
  ["fills_over", "Fills of the table"],
  ["credits_over", "Credits of the table"],
  ["cash_outs_over", "Cash-outs of a player"],
  ["cash_over", "Cash buy-ins of a player"],
  ["markers_over", "Marker buy-ins of a player"],
] as const;

export type DayLimit = (typeof DAY_LIMITS)[number][0];

/** What people type; empty for the usual limit. */
export type TypedLimits = Record<DayLimit, string> & {
  /** Whether buy-ins above their limit wait for a second person. */
  hold_buy_ins: boolean;
};

type Limited = Pick<TableConfig, DayLimit | "hold_buy_ins">;

/** The limits of a configuration as they are typed. */
export function typedLimits(config: Limited): TypedLimits {
  const typed = (limit: DayLimit) => String((config[limit] ?? Number.NaN) / 100).replace("NaN", "");
  return {
    fills_over: typed("fills_over"),
    credits_over: typed("credits_over"),
    cash_outs_over: typed("cash_outs_over"),
    cash_over: typed("cash_over"),
    markers_over: typed("markers_over"),
    hold_buy_ins: config.hold_buy_ins ?? false,
  };
}

/** What makes of `before` what was typed: nothing but what differs from it; or what is wrong. */
export function changedLimits(before: TypedLimits, typed: TypedLimits): Limited | string {
  const changed: Limited = {};
  for (const [limit] of DAY_LIMITS) {
    const text = typed[limit].trim();
    const amount = text === "" ? null : cents(text);
    if (text !== "" && amount === null) return notAnAmount(text);
    if (typed[limit] !== before[limit]) changed[limit] = amount;
  }
  if (typed.hold_buy_ins !== before.hold_buy_ins) changed.hold_buy_ins = typed.hold_buy_ins;
  return changed;
}
