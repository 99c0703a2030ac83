// The jackpots that a sign celebrates, one after the other: each when it is paid. Until then it is
// a claim, and the sign only says that it is being verified.

import type { MeterView, Update } from "$wire";
import { hits, queued, type Hit } from "./hits.ts";

/** A jackpot that has been paid. */
export type PaidHit = Hit & { paid: number };

/** How long each is celebrated, in milliseconds. */
export const CELEBRATED = 12_000;

/** The jackpots that an update paid. */
export function paid(update: Update, before: Parameters<typeof hits>[1]): PaidHit[] {
  return hits(update, before).filter((hit): hit is PaidHit => hit.paid !== null);
}

/** What a meter has paid since, in cents. An award that was denied is back on the meter, which
 * then shows at least as much. */
export function paidByMeter(before: MeterView, after: MeterView): number | null {
  const left = [...after.hits];
  const gone = before.hits.filter((hit) => {
    const at = left.indexOf(hit);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (after.damaged) return null;
  return gone.find((hit) => after.amount < hit) ?? null;
}

export class Celebrations {
  #queue = $state.raw<PaidHit[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The one that is celebrated now. */
  now = $derived.by(() => this.#queue[0] ?? null);

  add(hit: PaidHit): void {
    this.#queue = queued(this.#queue, hit) as PaidHit[];
    this.#timer ??= setTimeout(() => this.#next(), CELEBRATED);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #next(): void {
    this.#queue = this.#queue.slice(1);
    this.#timer = this.#queue.length > 0 ? setTimeout(() => this.#next(), CELEBRATED) : undefined;
  }
}
