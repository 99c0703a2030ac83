// Why another amount goes down than the chip in the hand.

import type { OfferView } from "$wire";
import { inSteps } from "./limits.ts";
import { dollars } from "./money.ts";

/** `$8: the horn is bet in fours.`; nothing where it is the chip itself that goes on `stake`. */
export function rounded(
  chip: number,
  amount: number,
  stake: number,
  { step, even }: OfferView,
  title: string,
): string | null {
  if (amount === chip || step === null) return null;
  const put = dollars(amount);
  if (amount < chip) return `${put}: that is the most that fits.`;
  const grain = even % step === 0 ? even : step;
  if (amount > Math.ceil((stake + chip) / grain) * grain - stake) return `${put} is the least.`;
  return grain === step
    ? `${put}: the ${title.toLowerCase()} is bet in ${inSteps(step)}.`
    : `${put}: paid in whole dollars in ${inSteps(grain)}.`;
}
