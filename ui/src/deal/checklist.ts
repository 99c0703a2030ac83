// The checklist before what was won is paid, in words.

import type { CheckItem, CheckView, ClaimView } from "$wire";
import { clock } from "../history/inWords.ts";

/** What is checked. */
export const CHECKS: Record<CheckItem, string> = {
  dice: "Dice and lammers verified with the supervisor",
  surveillance: "Surveillance has looked at the roll",
  identity: "Identity of the winner checked",
  form: "Tax form filled in",
};

/** What nobody has checked yet. */
export const missing = ({ checklist }: Pick<ClaimView, "checklist">): CheckItem[] =>
  checklist.filter(({ by }) => by === null).map(({ item }) => item);

/** Who has checked a thing, and when. */
export function checkedBy({ name, at }: CheckView): string {
  const who = name ?? "one of the crew";
  return at === null ? who : `${who}, ${clock(at)}`;
}
