// What became of chips that were asked for: done, or waiting for a second person.

import type { Command, Update } from "$wire";
import { dollars } from "../lib/money.ts";

type Chips = Extract<Command, { command: "fill" | "credit" | "buy-in" | "cash-out" }>;

const NAMES = {
  fill: "a fill",
  credit: "a credit",
  "buy-in": "a buy-in",
  "cash-out": "a cash-out",
} as const;

/** What an update says of it; nothing where it says all that there is to say. */
export function became({ command, amount }: Chips, update: Update | null): string | null {
  const happened = (event: string) => update?.events.some((other) => other.event === event);
  if (happened("proposed"))
    return `Asked for ${NAMES[command]} of ${dollars(amount)}. A second person has to agree.`;
  if (happened("filled")) return `${dollars(amount)} filled.`;
  if (happened("credited")) return `${dollars(amount)} credited.`;
  const own = command === "fill" || command === "credit";
  return own ? `The history says what became of ${NAMES[command]} of ${dollars(amount)}.` : null;
}
