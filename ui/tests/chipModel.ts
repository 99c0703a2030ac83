// The chips of a table as hands move them: the tray, the box, every rack and every bet. It knows
// nothing but what the screens say, in the words that people read.

import type { TableView } from "../../crates/boxman-server/api/wire.ts";
import { cents, dollars } from "../src/lib/money.ts";
import { title } from "../src/lib/words.ts";
import type { ShownItem } from "./desk.ts";

type Place = "tray" | "felt" | "rack" | "dealers" | "cage" | "away" | "box" | "none";

/** Where the words of a work item move chips. */
const MOVES: readonly [RegExp, Place, Place][] = [
  [/^take (\$[\d,.]+)$/, "felt", "tray"],
  [/^pay (\$[\d,.]+)$/, "tray", "rack"],
  [/^back to the rack (\$[\d,.]+)$/, "felt", "rack"],
  [/^pay the dealers (\$[\d,.]+)$/, "tray", "dealers"],
];
/** Words after which no chip is touched. */
const STILL = [
  /^nothing moves$/,
  /^no chips move$/,
  /^stays up$/,
  /^off and on$/,
  /^hold .*$/,
  /^do not pay( until .*)?$/,
  /^claims? .* (is|are) (confirmed|denied)$/,
  /^the cage pays \$[\d,.]+( in cash)?$/,
  /^the cage pays it$/,
  /^the player (takes it along|gets cash)$/,
  /^kept for the player$/,
];

export class ChipModel {
  tray = 0;
  dealers = 0;
  /** What of the dealers' chips players gave them. */
  tokes = 0;
  /** What the cage has sent, and what has come back. */
  filled = 0;
  credited = 0;
  /** Cash, markers and coupons in the box; chips that players brought. */
  box = { cash: 0, marker: 0, coupon: 0 };
  brought = 0;
  /** Chips that have left with players or wait for them. */
  away = 0;
  racks = new Map<number, number>();
  /** By seat and what the bet is called. */
  felt = new Map<string, number>();
  /** Everything that was done, to be read when something does not add up. */
  diary: string[] = [];

  /** The dealer does what an item says. */
  work(item: ShownItem, why: string): void {
    this.diary.push(`${why}: ${item.who}: ${item.bet}: ${item.what}`);
    const seat = Number(/seat (\d+)$/.exec(item.who)?.[1] ?? 0) - 1;
    const stake = / (\$[\d,.]+)$/.exec(item.bet);
    const bet = stake ? item.bet.slice(0, stake.index) : item.bet;
    for (const part of item.what.split(", ")) {
      const to = /^(?:move to|off and on with) (.*)$/.exec(part)?.[1];
      if (to !== undefined) {
        // Chips that move on the felt: all that lies there for this bet.
        const amount = amountOf(stake?.[1]);
        this.#add("felt", seat, bet, -amount);
        this.#add("felt", seat, to, amount);
      } else this.#part(part, seat, bet);
    }
  }

  /** What the console says of chips that come to the table or leave it. */
  moved(what: string, chips: string): void {
    this.diary.push(`${what}: ${chips}`);
    const seat = Number(/, seat (\d+),/.exec(what)?.[1] ?? 0) - 1;
    for (const part of chips.split(", ")) {
      const cash = /^(\$[\d,.]+) cash to the box$/.exec(part);
      const slip = /^(marker|coupon) of (\$[\d,.]+) to the box$/.exec(part);
      const brought = /^(\$[\d,.]+) of the player’s own chips to the rack$/.exec(part);
      const gone = /^(\$[\d,.]+) from the rack$/.exec(part);
      if (cash) this.box.cash += amountOf(cash[1]);
      else if (slip) this.box[slip[1] as "marker" | "coupon"] += amountOf(slip[2]);
      else if (brought) {
        this.brought += amountOf(brought[1]);
        this.#add("rack", seat, "", amountOf(brought[1]));
      } else if (gone) this.#transfer("rack", "away", amountOf(gone[1]), seat, "");
      else {
        const before = this.dealers;
        this.#part(part, seat, "");
        this.tokes += this.dealers - before;
      }
    }
  }

  /** Chips of a bet as its words say: `$20 on Buy 4 and $1 commission`; the commission lies with
   * the bet. */
  put(seat: number, words: string): void {
    this.#bet(seat, words, "on", "rack", "felt");
  }

  took(seat: number, words: string): void {
    this.#bet(seat, words, "from", "felt", "rack");
  }

  /** Chips that a dealer paid by mistake; less than nothing if they were kept back. */
  slip(seat: number, amount: number): void {
    this.diary.push(`seat ${seat + 1}: ${dollars(amount)} by mistake`);
    this.#transfer("tray", "rack", amount, seat, "");
  }

  #bet(seat: number, words: string, where: "on" | "from", from: Place, to: Place): void {
    this.diary.push(`seat ${seat + 1}: ${words}`);
    let bet = "";
    for (const part of words.split(/, | and (?=\$)/)) {
      const [, amount, commission, name] = /^(\$[\d,.]+) (?:(commission)|(?:on|from) (.*))$/.exec(
        part,
      ) ?? [undefined, undefined, undefined, undefined];
      if (amount === undefined) throw new Error(`nobody understands “${part}” ${where}`);
      bet = commission ? bet : (name ?? "");
      this.#transfer(from, to, amountOf(amount), seat, bet);
    }
  }

  #part(part: string, seat: number, bet: string): void {
    if (STILL.some((still) => still.test(part))) return;
    for (const [words, from, to] of MOVES) {
      const amount = words.exec(part)?.[1];
      if (amount !== undefined) return this.#transfer(from, to, amountOf(amount), seat, bet);
    }
    const from = /^(\$[\d,.]+) from the (\w+) to the (\w+)$/.exec(part);
    if (!from) throw new Error(`the dealer does not understand “${part}”`);
    this.#transfer(from[2] as Place, from[3] as Place, amountOf(from[1]), seat, bet);
  }

  #transfer(from: Place, to: Place, amount: number, seat: number, bet: string): void {
    this.#add(from, seat, bet, -amount);
    this.#add(to, seat, bet, amount);
  }

  #add(place: Place, seat: number, bet: string, amount: number): void {
    switch (place) {
      case "tray":
        this.tray += amount;
        break;
      case "dealers":
        this.dealers += amount;
        break;
      case "cage":
        if (amount > 0) this.credited += amount;
        else this.filled -= amount;
        break;
      case "away":
        this.away += amount;
        break;
      case "rack":
        this.racks.set(seat, (this.racks.get(seat) ?? 0) + amount);
        break;
      case "felt": {
        const key = `seat ${seat + 1} ${bet}`;
        const lies = (this.felt.get(key) ?? 0) + amount;
        if (lies === 0) this.felt.delete(key);
        else this.felt.set(key, lies);
        break;
      }
      default:
        throw new Error(`no chips lie at ${place}`);
    }
  }

  /** What lies where, in words. */
  lies(): Record<string, string> {
    const all: Record<string, string> = { tray: dollars(this.tray) };
    for (const [seat, amount] of this.racks)
      if (amount !== 0) all[`rack of seat ${seat + 1}`] = dollars(amount);
    for (const [bet, amount] of this.felt) all[bet] = dollars(amount);
    return sorted(all);
  }
}

/** What lies where by the ledger, in the same words. */
export function ledger(view: TableView): Record<string, string> {
  const all: Record<string, string> = { tray: dollars(view.hand.tray ?? 0) };
  for (const { seat, rack, bets } of view.seats) {
    if (rack !== 0) all[`rack of seat ${seat + 1}`] = dollars(rack);
    for (const { wager, stake, vig } of bets)
      all[`seat ${seat + 1} ${title(view.wagers, wager)}`] = dollars(stake + vig);
  }
  return sorted(all);
}

const sorted = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));

export function amountOf(words: string | undefined): number {
  const amount = cents(words ?? "");
  if (amount === null) throw new Error(`“${words}” is no amount`);
  return amount;
}
