// What became of chips that were asked for: done, or waiting for a second person.

import type { Command, TableView, Update } from "$wire";
import { dollars } from "../lib/money.ts";
import { movedWords } from "../lib/moved.ts";
import { apply } from "../lib/table.ts";

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
  const waits = waiting(update);
  if (waits !== null) return `Asked for ${NAMES[command]} of ${dollars(amount)}. ${waits}`;
  if (happened("filled")) return `${dollars(amount)} filled.`;
  if (happened("credited")) return `${dollars(amount)} credited.`;
  const own = command === "fill" || command === "credit";
  return own ? `The history says what became of ${NAMES[command]} of ${dollars(amount)}.` : null;
}

/** The chips that a bet of a seat moved, by the update it became: `Put $20 on Buy 4 and $1
 * commission.` `before` is the table when it was asked for. */
export function betMoved(update: Update | null, before: TableView, seat: number): string {
  for (const event of update?.events ?? []) {
    if ((event.event !== "put" && event.event !== "took") || event.seat !== seat) continue;
    const after = update ? apply(before, update) : before;
    return event.event === "put"
      ? `Put ${movedWords(event, before, after, "on")}.`
      : `Took ${movedWords(event, before, after, "from")}.`;
  }
  return "";
}

/** That a second person has to agree, and the limit that is why; nothing if it is done. */
export function waiting(update: Update | null): string | null {
  const proposed = update?.events.find((event) => event.event === "proposed");
  if (!proposed) return null;
  const limit = proposed.reason.includes(" today: ") ? ` ${proposed.reason}.` : "";
  return `A second person has to agree.${limit}`;
}
