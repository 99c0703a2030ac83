// The chips of the seat that is played: on the felt, on their way there, and in the rack.

import type { BetView, OfferView, SeatView } from "$wire";
import { onTheWay } from "../lib/betting.ts";
import type { Live } from "../lib/live.svelte.ts";

export class OwnChips {
  readonly #live: Live;
  readonly #seat: () => SeatView | null;

  /** What is on its way to the felt, by spot. */
  pending = $derived.by(() => {
    const seat = this.#seat();
    return seat ? onTheWay(this.#live.waiting, seat.seat) : new Map<string, number>();
  });

  constructor(live: Live, seat: () => SeatView | null) {
    this.#live = live;
    this.#seat = seat;
  }

  bet(spot: string): BetView | undefined {
    return this.#seat()?.bets.find(({ wager }) => wager === spot);
  }

  /** What lies on a spot. */
  stake(spot: string): number {
    return this.bet(spot)?.stake ?? 0;
  }

  /** What lies on a spot or is on its way there. */
  coming(spot: string): number {
    return this.stake(spot) + (this.pending.get(spot) ?? 0);
  }

  /** What is in the rack and not on its way to the felt. */
  free(): number {
    const coming = [...this.pending.values()].reduce((sum, amount) => sum + amount, 0);
    return Math.max((this.#seat()?.rack ?? 0) - coming, 0);
  }

  /** What may still be put where chips are on their way already. */
  ahead(offer: OfferView): OfferView {
    const { wager, least, most, step } = offer;
    const coming = this.pending.get(wager) ?? 0;
    if (coming === 0 || most === null || least === null || step === null) return offer;
    return { ...offer, least: step, most: Math.max(most - coming, 0) };
  }
}
