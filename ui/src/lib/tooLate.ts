// A command that came after the betting round it was meant for, in words.

import type { Came, Command } from "$wire";
import { Refused } from "./api.ts";
import { dollars } from "./money.ts";

/** Whether a command was refused because its betting round has passed. */
export const isTooLate = (error: unknown): error is Refused =>
  error instanceof Refused && error.problem.code === "other-roll";

/** What is said of it, as a sentence; `whose` are the chips: "your". Nothing if that is not why. */
export function tooLate(error: unknown, whose = "the"): string | null {
  if (!isTooLate(error) || !error.asked) return null;
  const { command, moment } = error.asked;
  const became = outcome(command, whose);
  if (became === null) return null;
  const [first] = error.problem.came ?? [];
  if (!first || first.what === "rolled") return `Too late for roll ${moment.roll}: ${became}.`;
  return `Too late: ${happened(first)}, and ${became}.`;
}

function outcome(command: Command, whose: string): string | null {
  switch (command.command) {
    case "put":
      return `${whose} ${dollars(command.amount)} is back in ${whose} rack`;
    case "take":
      return `${whose} bet was not taken down in time`;
    case "call":
      return `${whose} bet is not called ${command.call === "house" ? "back" : command.call}`;
    case "roll":
      return "the dice were not thrown again";
    default:
      return null;
  }
}

/** What ended a betting round. */
function happened({ what, dice }: Came): string {
  switch (what) {
    case "voided":
      return `the roll ${dice ?? ""} was voided`;
    case "corrected":
      return `the last roll was corrected to ${dice ?? ""}`;
    case "no-roll":
      return "there was no roll";
    case "dice-passed":
      return "the dice were passed";
    case "configured":
      return "the table has other rules now";
    default:
      return "another round has begun";
  }
}
