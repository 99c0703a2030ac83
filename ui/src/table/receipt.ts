// What the last roll did to one seat, line by line: what was won and lost, and what waits to be
// confirmed. A jackpot's own line says that its chip is gone; what it brings is paid by a claim
// after the roll, and told here with it.

import type { RolledView, SettledView, TableView, Update } from "$wire";
import { frozen } from "../lib/frozen.ts";
import { dollars } from "../lib/money.ts";
import { netOf } from "../lib/table.ts";
import { numberOf, title, wagerOf } from "../lib/words.ts";

/** Something a roll won that is paid apart from it: a jackpot, or an award that is held. */
export interface Award {
  claim: number;
  /** The paytable whose meter pays it; none for an award that is held. */
  paytable: string | null;
  /** The bet it was held on; none for a jackpot. */
  wager: string | null;
  state: "waiting" | "paid" | "denied";
  /** What each seat gets, as far as that has been said. */
  shares: [number, number][];
  /** Why it is not paid. */
  reason: string;
}

/** One line of it. */
export interface Line {
  key: string;
  title: string;
  words: string;
  /** What it brought; nothing while that is open. */
  net: number | null;
  tone: "win" | "lose" | "";
}

/** The jackpots a roll won, none of them paid yet. */
export function awardsOf(roll: RolledView): Award[] {
  return roll.claims.map(([claim, paytable]) => ({
    claim,
    paytable,
    wager: null,
    state: "waiting",
    shares: [],
    reason: "",
  }));
}

/** A roll and its awards. */
interface Rolled {
  roll: RolledView;
  awards?: Award[];
}

/** A roll, and whose it was. */
export interface Owned extends Rolled {
  /** The seat this person played. */
  own: number | null;
  /** All the seats this person had; without it, that one. */
  owned?: readonly number[];
}

/** The rolls seen, the last of them while a person had these seats. */
export function ownedBy<Seen extends Owned>(seen: Seen[], owned: readonly number[]): Seen[] {
  return seen.map((one, at) => (at === seen.length - 1 ? { ...one, owned } : one));
}

const isOwn = ({ own, owned }: Owned, seat: number) => owned?.includes(seat) ?? own === seat;

/** The lines of a seat, where it was this person's: who sat there before has their own. */
export function ownReceipt(seen: Owned, seat: number | null, table: TableView): Line[] | null {
  return seat !== null && isOwn(seen, seat) ? receipt(seen, seat, table) : null;
}

/** What a jackpot brings all seats of this person; nothing while nobody can say. */
export function ownShare(seen: Owned[], hit: number, table: TableView): number | null {
  for (const one of seen) {
    const { roll, awards } = one;
    const winners = roll.claims.find(([claim]) => claim === hit)?.[2] ?? [];
    const award = (awards ?? awardsOf(roll)).find(({ claim }) => claim === hit);
    const shares = award
      ? winners
          .filter((seat) => isOwn(one, seat))
          .map((seat) => share(award, roll, seat, table))
          .filter((cents) => cents !== null)
      : [];
    if (shares.length > 0) return shares.reduce((sum, cents) => sum + cents, 0);
  }
  return null;
}

/** The rolls seen, after one more record: what they won may have been held, paid or denied. */
export function follow<Seen extends Rolled>(seen: Seen[], { events }: Update): Seen[] {
  let rolls = seen;
  const change = (claim: number, how: Partial<Award>) => {
    rolls = rolls.map((one) => {
      const awards = one.awards ?? awardsOf(one.roll);
      if (!awards.some((award) => award.claim === claim)) return one;
      return {
        ...one,
        awards: awards.map((award) => (award.claim === claim ? { ...award, ...how } : award)),
      };
    });
  };
  for (const event of events)
    switch (event.event) {
      case "held": {
        const { claim, wager, seat, amount } = event;
        const award: Award = {
          claim,
          paytable: null,
          wager,
          state: "waiting",
          shares: [[seat, amount]],
          reason: "",
        };
        // Only what the last roll won can be held.
        rolls = rolls.map((one, at) =>
          at === rolls.length - 1
            ? { ...one, awards: [...(one.awards ?? awardsOf(one.roll)), award] }
            : one,
        );
        break;
      }
      case "claim-paid":
        change(event.claim, { state: "paid", shares: event.shares });
        break;
      case "released":
        change(event.claim, { state: "paid" });
        break;
      case "claim-denied":
        change(event.claim, { state: "denied", reason: event.reason });
        break;
    }
  return rolls;
}

/** The lines of a seat. */
export function receipt({ roll, awards }: Rolled, seat: number, table: TableView): Line[] {
  const all = awards ?? awardsOf(roll);
  return roll.lines
    .filter((line) => line.seat === seat)
    .flatMap((line) => {
      const award = awardOf(line, all, table);
      const jackpot = award !== undefined && award.paytable !== null;
      const named = { title: title(table.wagers, line.wager), key: line.wager + line.fate };
      if (jackpot)
        return jackpotLines(line, award, share(award, roll, seat, table)).map((one) => ({
          ...named,
          ...one,
          key: named.key + one.words,
        }));
      const words = fate(line) + (award ? held(award) : "");
      const net = award?.state === "denied" ? netOf(line) - amount(award, seat) : netOf(line);
      const open = award?.state === "waiting";
      const tone = line.fate === "win" || line.fate === "lose" ? line.fate : "";
      return [{ ...named, words, net: open ? null : net, tone }];
    });
}

/** The award that a line tells of. */
function awardOf(line: SettledView, awards: Award[], table: TableView): Award | undefined {
  const held = awards.find(
    (award) => award.wager === line.wager && award.shares.some(([winner]) => winner === line.seat),
  );
  if (held) return held;
  // A jackpot's chip stays with the house and nothing of it comes to the rack yet.
  if (line.fate !== "win" || line.to_rack > 0 || line.left !== null) return undefined;
  const paytable = wagerOf(table.wagers, line.wager)?.paytable ?? null;
  return awards.find((award) => award.paytable !== null && award.paytable === paytable);
}

const amount = (award: Award, seat: number) =>
  award.shares.find(([winner]) => winner === seat)?.[1] ?? 0;

/** What a jackpot brings a seat; nothing while nobody can say. */
export function share(
  award: Award,
  roll: RolledView,
  seat: number,
  table: TableView,
): number | null {
  if (award.state === "paid") return amount(award, seat);
  const claim = table.hand.claims.find((other) => other.claim === award.claim);
  const whole = claim ? frozen(table, claim) : null;
  if (whole === null || !claim) return null;
  // The meter froze what it pays to all winners together, to each by their stake.
  const staked = roll.lines.filter(
    (line) =>
      claim.seats.includes(line.seat) &&
      wagerOf(table.wagers, line.wager)?.paytable === award.paytable,
  );
  const sum = staked.reduce((sum, line) => sum + line.stake, 0);
  const own = staked.find((line) => line.seat === seat)?.stake ?? 0;
  return sum > 0 ? Math.floor((whole * own) / sum) : null;
}

type Said = Pick<Line, "words" | "net" | "tone">;

function jackpotLines(line: SettledView, award: Award, share: number | null): Said[] {
  const yours = share === null ? "" : `, your share ${dollars(share)}`;
  switch (award.state) {
    case "waiting":
      return [{ words: `Jackpot${yours}, being confirmed`, net: null, tone: "win" }];
    case "denied":
      return [
        {
          words: `Jackpot not paid: ${award.reason}; ${dollars(line.stake)} came back`,
          net: 0,
          tone: "",
        },
      ];
    case "paid":
      return [
        { words: `Jackpot${yours}, paid`, net: share, tone: "win" },
        { words: "its chip stays with the house", net: -line.stake, tone: "lose" },
      ];
  }
}

function held(award: Award): string {
  if (award.state === "waiting") return ", being confirmed";
  return award.state === "paid" ? ", confirmed" : `, not paid: ${award.reason}`;
}

function fate(line: SettledView): string {
  switch (line.fate) {
    case "win":
      return `won ${dollars(line.won)}${line.withheld ? `, ${dollars(line.withheld)} withheld by the cap` : ""}${line.commission ? `, less ${dollars(line.commission)} commission` : ""}${line.left ? ", stays up" : ""}`;
    case "lose":
      return `lost ${dollars(line.stake)}${line.vig ? ` and ${dollars(line.vig)} commission` : ""}`;
    case "push":
      return "pushed";
    case "return":
      return `${dollars(line.stake)} came back`;
    case "travel":
      return `went to ${numberOf(line.left ?? "") ?? line.left}`;
    default:
      return line.fate;
  }
}
