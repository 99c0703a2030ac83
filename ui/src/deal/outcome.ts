// What became of something that was asked for: done, or waiting for a second person.

import type { Command, TableView, Update } from "$wire";
import { dollars } from "../lib/money.ts";
import { movedWords } from "../lib/moved.ts";
import { apply } from "../lib/table.ts";

/** What a command asks for, where a second person may have to agree; nothing for any other. */
export function wanted(command: Command): string | null {
  switch (command.command) {
    case "fill":
      return `for a fill of ${dollars(command.amount)}`;
    case "credit":
      return `for a credit of ${dollars(command.amount)}`;
    case "buy-in":
      return `for a buy-in of ${dollars(command.amount)} at seat ${command.seat + 1}`;
    case "cash-out":
      return `for a cash-out of ${dollars(command.amount)} at seat ${command.seat + 1}`;
    case "leave":
      return `that seat ${command.seat + 1} leaves with its chips`;
    case "give-up-seat":
      return `to give up seat ${command.seat + 1}`;
    case "void":
      return "to void the last roll";
    case "correct":
      return `to correct the last roll to ${command.dice}`;
    case "configure":
      return "for another configuration";
    case "deny-claim":
      return `to deny claim ${command.claim}`;
    case "accept-tray":
      return "to accept the tray as it is";
    case "close":
      return "to close the table for good";
    default:
      return null;
  }
}

/** What the record says of a command; nothing where the page shows all that there is to say. */
export function became(command: Command, update: Update | null): string | null {
  const asked = wanted(command);
  if (asked === null) return null;
  const happened = (event: string) => update?.events.some((other) => other.event === event);
  const waits = waiting(update);
  if (waits !== null) return `Asked ${asked}. ${waits}`;
  if (happened("filled") && command.command === "fill") return `${dollars(command.amount)} filled.`;
  if (happened("credited") && command.command === "credit")
    return `${dollars(command.amount)} credited.`;
  return update === null ? `You asked ${asked}. The history says what became of it.` : null;
}

/** Whether a record only asked for something. */
export const isAsked = (update: Update | null): boolean => waiting(update) !== null;

/** What came of a request, by the record that ended it; nothing if that is not known here. */
export function cameOf(command: Command, update: Update | null): string {
  const asked = wanted(command);
  if (asked === null || update === null) return "";
  const began = `You asked ${asked}.`;
  const happened = (event: string) => update.events.some((other) => other.event === event);
  const who = update.name ?? "A second person";
  if (happened("agreed")) return `${began} ${who} agreed.`;
  if (!happened("withdrawn")) return "";
  return update.by === "boxman"
    ? `${began} Nobody agreed in time.`
    : `${began} ${who} withdrew the request.`;
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
function waiting(update: Update | null): string | null {
  const proposed = update?.events.find((event) => event.event === "proposed");
  if (!proposed) return null;
  const limit = proposed.reason.includes(" today: ") ? ` ${proposed.reason}.` : "";
  return `A second person has to agree.${limit}`;
}
