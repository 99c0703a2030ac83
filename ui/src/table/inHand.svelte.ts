// The amount in the player's hand: a chip of the rack, or dollars typed instead.

import { cents, notAnAmount } from "../lib/money.ts";
import { figures, typedAfter } from "./keys.ts";

/** The chips of the rack, in cents. */
export const CHIPS = [100, 500, 2_500, 10_000, 50_000, 100_000];

export class InHand {
  #chip = $state(500);
  /** Dollars typed instead of a chip. */
  typed = $state("");
  /** Whether they have been bet: the next figure starts another amount. */
  #used = $state(false);

  /** The chip, in cents. */
  get chip(): number {
    return this.#chip;
  }

  /** Takes a chip in the hand, and nothing typed. */
  set chip(value: number) {
    this.#chip = value;
    this.typed = "";
  }

  /** What the hand holds, in cents. */
  get amount(): number {
    return cents(this.#whole) ?? this.#chip;
  }

  /** Why what was typed is no amount; nothing if it is one, or nothing was typed. */
  get problem(): string | null {
    return this.typed === "" || cents(this.#whole) !== null ? null : notAnAmount(this.#whole);
  }

  /** A full stop may be typed before its cents. */
  get #whole(): string {
    return this.typed.replace(/\.$/, "");
  }

  /** Types on; whether the key was for that. */
  type(key: string): boolean {
    const typed = typedAfter(key, this.typed, this.#used);
    if (typed !== null) this.typeAll(typed);
    return typed !== null;
  }

  typeAll(text: string): void {
    this.typed = figures(text);
    this.#used = false;
  }

  /** The amount was bet; it stays in the hand. */
  used(): void {
    this.#used = true;
  }
}
