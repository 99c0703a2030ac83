// Why another amount goes down than the chip in the hand, and which amounts pay even.

import type { OfferView } from "$wire";
import { grainOf } from "./betting.ts";
import { inSteps } from "./limits.ts";
import { dollars } from "./money.ts";
import { isMany } from "./words.ts";

const pays = (title: string) => `${title} ${isMany(title) ? "pay" : "pays"} even`;

/** `the horn is bet`; a name of several words needs no article. */
function isBet(title: string): string {
  const name = title.includes(" ") ? title : `the ${title.toLowerCase()}`;
  return `${name} ${isMany(title) ? "are" : "is"} bet`;
}

/** `$8: the horn is bet in fours.`; nothing where it is the chip itself that goes on `stake`. */
export function rounded(
  chip: number,
  amount: number,
  stake: number,
  offer: OfferView,
  title: string,
): string | null {
  const { step, least, most } = offer;
  if (amount === chip || step === null) return null;
  const grain = grainOf(offer);
  const put = dollars(amount) + (stake > 0 ? " more" : "");
  const [total, wished] = [stake + amount, stake + chip];
  const even = grain === step ? "" : " and pays even";
  if (amount < chip && amount === most) return `${put} is the most that fits.`;
  if (total + grain <= wished) return `${put} is the most that fits${even}.`;
  if (total - grain >= wished) return `${put} is the least${amount === least ? "" : even}.`;
  return grain === step
    ? `${put}: ${isBet(title)} in ${inSteps(step)}.`
    : `${put}: ${pays(title)} in ${inSteps(grain)}.`;
}

/** `Place 8 pays even at $24 or $30.`; nothing where `stake` and this amount do. */
export function uneven(
  amount: number,
  stake: number,
  offer: OfferView,
  title: string,
): string | null {
  const { least, most } = offer;
  const [total, grain] = [stake + amount, grainOf(offer)];
  if (least === null || most === null || total % grain === 0) return null;
  const below = total - (total % grain);
  const near = [below, below + grain].filter(
    (even) => even >= stake + least && even <= stake + most,
  );
  return near.length > 0 ? `${pays(title)} at ${near.map(dollars).join(" or ")}.` : null;
}
