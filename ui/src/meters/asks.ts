// What is asked of a meter, made of what a person typed; and its figures in words.

import type { AdjustKind, MeterCommandView, MeterView } from "$wire";
import { cents, dollars, notAnAmount } from "../lib/money.ts";

/** What brings an adjustment about. */
export const KINDS: readonly [AdjustKind, string][] = [
  ["paid-outside", "Paid outside: the meter has not booked it"],
  ["malfunction", "Malfunction of the sign or the meter"],
  ["over-ceiling", "Over the ceiling: set aside for the next start"],
  ["seed", "The house changes its seed"],
];

/** A command, or why what was typed makes none. */
export type Made = { command: MeterCommandView } | { problem: string };

const NO_REASON: Made = { problem: "Say why, in a few words." };

/** `15%`, `12.5`: a share as the API takes it, in millionths. Nothing if it is none. */
export function millionths(text: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?\s?%?$/.exec(text.trim());
  if (!match?.[1]) return null;
  const share = Number(match[1]) * 10_000 + Number((match[2] ?? "").padEnd(4, "0"));
  return share <= 1_000_000 ? share : null;
}

/** A share of a wager in words: `12.5 %`. */
export const percent = (share: number): string => `${share / 10_000} %`;

export interface Adjusting {
  amount: string;
  /** Whether it adds to the meter. */
  adds: boolean;
  kind: AdjustKind;
  table: string;
  record: string;
  reason: string;
}

export function adjusted({ amount, adds, kind, table, record, reason }: Adjusting): Made {
  const size = cents(amount);
  if (!size) return { problem: notAnAmount(amount) };
  if (record.trim() && !/^[1-9]\d{0,14}$/.test(record.trim()))
    return { problem: "A record is a number, as the history shows it." };
  if (!reason.trim()) return NO_REASON;
  return {
    command: {
      command: "adjust",
      amount: adds ? size : -size,
      kind,
      ...(table.trim() ? { table: table.trim() } : {}),
      ...(record.trim() ? { record: Number(record) } : {}),
      reason: reason.trim(),
    },
  };
}

/** Where players' money may go: `""` is nowhere, it is kept for them. */
export function moved(to: string, amount: string, other: boolean, reason: string): Made {
  const some = amount.trim() ? cents(amount) : null;
  if (amount.trim() && !some) return { problem: notAnAmount(amount) };
  if (!to) return { problem: "Choose the meter that the money goes to." };
  if (!reason.trim()) return NO_REASON;
  return {
    command: {
      command: "move",
      to,
      ...(some === null ? {} : { amount: some }),
      ...(other ? { other_paytable: true } : {}),
      reason: reason.trim(),
    },
  };
}

export function closed(to: string, other: boolean, reason: string): Made {
  if (!reason.trim()) return NO_REASON;
  const players = to
    ? { goes: "meter" as const, to, ...(other ? { other_paytable: true } : {}) }
    : { goes: "kept" as const };
  return { command: { command: "close", players, reason: reason.trim() } };
}

export interface Terms {
  seed: string;
  increment: string;
  reserve: string;
  /** Empty for none. */
  ceiling: string;
  reason: string;
}

/** The terms a meter runs on, as they are typed. */
export const termsOf = (meter: MeterView): Terms => ({
  seed: String(meter.seed / 100),
  increment: String(meter.increment / 10_000),
  reserve: String(meter.reserve / 10_000),
  ceiling: meter.ceiling === null ? "" : String(meter.ceiling / 100),
  reason: "",
});

export function termsSet(terms: Terms): Made {
  const [seed, increment, reserve] = [
    cents(terms.seed),
    millionths(terms.increment),
    millionths(terms.reserve),
  ];
  const ceiling = terms.ceiling.trim() ? cents(terms.ceiling) : undefined;
  if (seed === null) return { problem: notAnAmount(terms.seed) };
  if (ceiling === null) return { problem: notAnAmount(terms.ceiling) };
  if (increment === null || reserve === null)
    return { problem: "A share is a percentage, such as 12.5." };
  if (!terms.reason.trim()) return NO_REASON;
  const reason = terms.reason.trim();
  return {
    command: {
      command: "set-terms",
      seed,
      increment,
      reserve,
      ...(ceiling === undefined ? {} : { ceiling }),
      reason,
    },
  };
}

/** What a meter runs on, in a sentence. */
export function termsInWords({ seed, increment, reserve, ceiling }: MeterView): string {
  const most = ceiling === null ? "no ceiling" : `shows at most ${dollars(ceiling)}`;
  const shares = `${percent(increment)} of each bet, ${percent(reserve)} for the next start`;
  return `Starts at ${dollars(seed)}; ${shares}; ${most}.`;
}
