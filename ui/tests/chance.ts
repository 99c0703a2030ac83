// Chance that a seed gives: the same seed, the same day.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed % 2_147_483_648;
  }

  /** A whole number under `most`. */
  below(most: number): number {
    this.#state = (this.#state * 1_103_515_245 + 12_345) % 2_147_483_648;
    // The low bits of such a generator go round in small circles.
    return Math.floor(this.#state / 65_536) % most;
  }

  one<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  /** Once in so many times. */
  in(many: number): boolean {
    return this.below(many) === 0;
  }

  shuffled<T>(all: readonly T[]): T[] {
    const left = [...all];
    return all.map(() => left.splice(this.below(left.length), 1)[0]!);
  }

  /** Dice that show a total. */
  dice(total: number): string {
    const first = Math.max(1, total - 6) + this.below(6 - Math.abs(total - 7));
    return `${first}-${total - first}`;
  }
}
