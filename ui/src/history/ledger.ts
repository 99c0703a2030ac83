// A seat's ledger: what it adds up to, and its words.

import type { Kind, Movement } from "$wire";

/** Every kind of movement, as people say it. */
export const KINDS: [Kind, string][] = [
  ["bought-in", "Bought in"],
  ["cashed-out", "Cashed out"],
  ["left", "Left"],
  ["put", "Put down"],
  ["took", "Took up"],
  ["called", "Called"],
  ["win", "Won"],
  ["lose", "Lost"],
  ["push", "Pushed"],
  ["return", "Returned"],
  ["travel", "Travelled"],
  ["commission", "Commission"],
  ["claim-paid", "Jackpot"],
  ["held", "Held"],
  ["released", "Confirmed"],
  ["claim-denied", "Denied"],
  ["returned", "Handed back"],
  ["void", "Voided"],
  ["mend", "Mended"],
];

const WORDS = new Map(KINDS);

export function kindWord(kind: Kind): string {
  return WORDS.get(kind) ?? kind;
}

export interface Totals {
  /** The rack before the first movement; nothing where movements are left out. */
  before: number | null;
  after: number | null;
  /** From the cage, less what went back to it. */
  bought: number;
  /** Onto the layout, less what was taken up. */
  staked: number;
  /** What dice and jackpots brought back, commission taken out. */
  returned: number;
  /** Taken back with rolls that did not count. */
  voided: number;
  /** Moved by mends of earlier rolls. */
  mended: number;
}

const CAGE = new Set<Kind>(["bought-in", "cashed-out", "left"]);
const LAYOUT = new Set<Kind>(["put", "took", "called", "returned"]);

/** Whether the dice paid it, rather than the player moving chips. */
export function isPaid(what: Kind): boolean {
  return !CAGE.has(what) && !LAYOUT.has(what);
}

/** What movements add up to. */
export function totals(movements: Movement[], whole: boolean): Totals {
  const sum = (of: (what: Kind) => boolean) =>
    movements.reduce((all, { what, amount }) => (of(what) ? all + amount : all), 0);
  const first = movements[0];
  const last = movements.at(-1);
  return {
    before: whole && first ? first.rack - first.amount : null,
    after: whole && last ? last.rack : null,
    bought: sum((what) => CAGE.has(what)),
    staked: sum((what) => LAYOUT.has(what)),
    returned: sum((what) => isPaid(what) && what !== "void" && what !== "mend"),
    voided: sum((what) => what === "void"),
    mended: sum((what) => what === "mend"),
  };
}

/** How much of each amount that was put down is commission, in the order of the movements; nothing
 * where the stake before it is not known. `whole` if nothing came before these movements. */
export function commissions(movements: readonly Movement[], whole: boolean): number[] {
  /** What lies on each spot; nothing where that is not known. */
  const stakes = new Map<string, number | null>();
  let otherwise = whole ? 0 : null;
  return movements.map(({ what, wager, stake, amount }) => {
    if (what === "void" || what === "mend") {
      stakes.clear();
      otherwise = null;
    }
    if (wager === null) return 0;
    const before = stakes.has(wager) ? (stakes.get(wager) ?? null) : otherwise;
    switch (what) {
      case "put": {
        stakes.set(wager, stake);
        if (before === null || stake === null) return 0;
        return Math.max(0, before - stake - amount);
      }
      case "took":
      case "returned":
        // Odds that came down along are not named.
        for (const other of [...stakes.keys()]) if (isOdds(other)) stakes.set(other, null);
        stakes.set(wager, stake ?? 0);
        return 0;
      case "lose":
      case "return":
      case "travel":
        stakes.set(wager, 0);
        return 0;
      case "win":
      case "push":
        stakes.set(wager, null);
        return 0;
      default:
        return 0;
    }
  });
}

const isOdds = (wager: string) => wager.startsWith("odds ");
