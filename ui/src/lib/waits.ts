// What waits for a person of the crew, in words.

import type { WaitingView } from "$wire";
import { dollars, withDollars } from "./money.ts";

/** What waits, as a line of the list. */
export function waits({ kind, what, amount, by }: WaitingView): string {
  const text = withDollars(what);
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  if (kind === "request") return words;
  if (kind === "withdrawn")
    return by === null
      ? `${words}: nobody agreed in time`
      : `${words}: ${by || "another person"} withdrew it`;
  return `${words}${amount === null ? "" : `, ${dollars(amount)}`}: confirm or deny`;
}

/** Where it waits, who asked for it and why. */
export function whereAndWhy({ at, name, by, reason, kind }: WaitingView): string {
  const where = at === "meter" ? `Meter ${name}` : name;
  const asked = by === null || kind === "withdrawn" ? "" : `, asked by ${by}`;
  return `${where}${asked}${reason === null ? "" : `: “${reason}”`}`;
}

/** The page on which it is settled: meters have one together. */
export function doorTo({ at, id }: WaitingView): string {
  return at === "meter" ? "/meters" : `/deal/${encodeURIComponent(id)}`;
}

/** How many wait, in a sentence. */
export function howMany(count: number): string {
  if (count === 0) return "Nothing waits for you";
  return count === 1 ? "1 waits for you" : `${count} wait for you`;
}
