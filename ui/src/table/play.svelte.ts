// Playing at a table: the seat, the chip in the hand, what was done since the last roll, and the
// dice that have not come to rest yet.

import type { Command, Happened, OfferView, RolledView, SeatView, TableView, Update } from "$wire";
import { sentence } from "../lib/api.ts";
import {
  ACROSS,
  INSIDE,
  amountFor,
  cameDown,
  onTheWay,
  placing,
  takeFor,
  undo,
  type Done,
  type Wish,
} from "../lib/betting.ts";
import { shooterBytes } from "../lib/dice.ts";
import type { Live } from "../lib/live.svelte.ts";
import { dollars, signed } from "../lib/money.ts";
import { nameOf, resultFor, rolled, seatOf } from "../lib/table.ts";
import { session } from "../lib/session.svelte.ts";
import { title, wagerOf } from "../lib/words.ts";
import { settings } from "./settings.svelte.ts";
import { rattle, say } from "./sound.ts";

/** A roll this browser has seen, with the commitment that stood before it. */
export interface Seen {
  roll: RolledView;
  commitment: string | null;
  seq: number;
  voided: boolean;
}

export interface Notice {
  text: string;
  kind: "refused" | "news";
}

/** The chips of the rack, in cents. */
export const CHOICE = [100, 500, 2_500, 10_000, 50_000, 100_000];

/** How long a notice stays. */
const STAYS = 6_000;

export class Play {
  readonly live: Live;
  /** The chip in the hand, in cents. */
  chip = $state(500);
  notice = $state.raw<Notice | null>(null);
  /** What a screen reader is told. */
  spoken = $state("");
  seen = $state.raw<Seen[]>([]);
  /** The dice on their way, and the table as it was when they left the hand. */
  tumbling = $state.raw<string | null>(null);
  #held = $state.raw<{ table: TableView; offers: Live["offers"] } | null>(null);
  #done = $state.raw<Done[]>([]);
  #lost = $state.raw<Wish[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  table = $derived.by(() => this.#held?.table ?? this.live.table);
  offers = $derived.by(() => this.#held?.offers ?? this.live.offers);
  seat = $derived.by(() => (this.table ? seatOf(this.table, session.me?.person) : null));
  pending = $derived.by(() =>
    this.seat ? onTheWay(this.live.waiting, this.seat.seat) : new Map<string, number>(),
  );
  canUndo = $derived(this.#done.length > 0);
  canRebet = $derived(this.#lost.length > 0);

  constructor(live: Live) {
    this.live = live;
    live.onUpdate((update, before, late) => this.#heard(update, before, late));
    live.onFresh(() => {
      this.#done = [];
      this.#lost = [];
    });
  }

  /** The dice have come to rest, or are wished to. */
  rest(): void {
    if (this.tumbling === null) return;
    this.tumbling = null;
    this.#held = null;
    this.#tell();
  }

  say(text: string, kind: Notice["kind"] = "news"): void {
    this.notice = { text, kind };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.notice = null), STAYS);
  }

  /** Asks the table; a refusal is shown in its own words. */
  async ask(command: Command): Promise<boolean> {
    try {
      await this.live.ask(command);
      return true;
    } catch (error) {
      this.say(sentence(error), "refused");
      return false;
    }
  }

  /** Puts a chip on a spot, rounded to what is paid in whole dollars there. */
  async put(spot: string, chip = this.chip): Promise<boolean> {
    const { seat, live } = this;
    if (!seat || !live.table) return false;
    this.rest();
    const offer = live.offers.get(spot);
    if (!this.#open(live.table, offer)) return false;
    const stake = this.#stake(spot) + (this.pending.get(spot) ?? 0);
    const amount = offer ? amountFor(chip, stake, this.#ahead(offer, spot)) : chip;
    if (amount === null || amount <= 0) {
      this.say(`No more fits on ${this.title(spot)}.`, "refused");
      return false;
    }
    return this.#putDown(seat, spot, amount);
  }

  async #putDown(seat: SeatView, spot: string, amount: number): Promise<boolean> {
    const command = { command: "put", seat: seat.seat, wager: spot, amount } as const;
    const taken = await this.ask(command);
    if (taken) this.#done = [...this.#done, command];
    return taken;
  }

  /** What may still be put where chips are on their way already. */
  #ahead(offer: OfferView, spot: string): OfferView {
    const coming = this.pending.get(spot) ?? 0;
    if (coming === 0 || offer.most === null || offer.least === null || offer.step === null)
      return offer;
    return { ...offer, least: offer.step, most: Math.max(offer.most - coming, 0) };
  }

  #open(table: TableView, offer: OfferView | undefined): boolean {
    const why = !table.hand.betting
      ? "Betting is closed: the dice are out."
      : table.hand.status !== "running"
        ? "The table waits at the moment."
        : offer?.why_not
          ? sentence(new Error(offer.why_not.detail))
          : null;
    if (why) this.say(why, "refused");
    return why === null;
  }

  #stake(spot: string): number {
    return this.seat?.bets.find((bet) => bet.wager === spot)?.stake ?? 0;
  }

  async take(spot: string, all = false): Promise<boolean> {
    const { seat, table } = this;
    const bet = seat?.bets.find((bet) => bet.wager === spot);
    const wager = table && wagerOf(table.wagers, spot);
    if (!seat || !bet || !wager) return false;
    this.rest();
    const amount = all ? undefined : takeFor(this.chip, bet, wager, this.live.offers.get(spot)?.even);
    const command: Command = { command: "take", seat: seat.seat, wager: spot, amount: amount ?? null };
    const taken = await this.ask(command);
    if (taken)
      this.#done = [
        ...this.#done,
        { command: "take", seat: seat.seat, wager: spot, amount: amount ?? bet.stake },
      ];
    return taken;
  }

  /** Chips dragged from one spot to another, or off the felt. */
  async move(from: string, to: string | null): Promise<void> {
    const stake = this.#stake(from);
    if ((await this.take(from, true)) && to !== null) await this.put(to, stake);
  }

  async call(spot: string): Promise<void> {
    const { seat } = this;
    const bet = seat?.bets.find((bet) => bet.wager === spot);
    if (!seat || !bet) return;
    const call = bet.working ? "off" : "on";
    await this.ask({ command: "call", seat: seat.seat, wager: spot, call });
  }

  async undo(): Promise<void> {
    const last = this.#done.at(-1);
    if (!last) return;
    this.#done = this.#done.slice(0, -1);
    await this.ask(undo(last));
  }

  /** Takes down all that may come down. */
  async clear(): Promise<void> {
    const spots = (this.seat?.bets ?? []).filter((bet) => this.live.offers.get(bet.wager)?.take);
    if (spots.length === 0) this.say("Nothing of yours may come down now.", "refused");
    for (const bet of spots) await this.take(bet.wager, true);
  }

  /** Puts down again what the last decisions took, to the cent. */
  async rebet(): Promise<void> {
    const { seat, live } = this;
    this.rest();
    const wishes = this.#lost.filter(({ wager }) => !live.offers.get(wager)?.why_not);
    if (!seat || wishes.length === 0) {
      this.say("Those bets cannot be made now.", "refused");
      return;
    }
    this.#lost = this.#lost.filter((wish) => !wishes.includes(wish));
    for (const { wager, amount } of wishes)
      if (!(await this.#putDown(seat, wager, amount))) break;
  }

  /** Doubles a bet, or every place bet where none is chosen. */
  async press(spot: string | null): Promise<void> {
    const bets = (this.seat?.bets ?? []).filter((bet) =>
      spot ? bet.wager === spot : bet.wager.startsWith("place "),
    );
    if (bets.length === 0) this.say("Choose a bet to press, or make a place bet first.", "refused");
    await this.#wish(bets.map((bet) => ({ wager: bet.wager, amount: bet.stake })));
  }

  across = () => this.#place(ACROSS);
  inside = () => this.#place(INSIDE);

  async #place(numbers: number[]): Promise<void> {
    if (!this.seat || !this.table) return;
    await this.#wish(placing(numbers, this.chip, this.seat, this.table.hand.puck));
  }

  async #wish(wishes: Wish[]): Promise<void> {
    for (const { wager, amount } of wishes) if (!(await this.put(wager, amount))) break;
  }

  /** Throws the dice, once; while they tumble it only has them rest. */
  async roll(): Promise<void> {
    if (this.tumbling !== null) return this.rest();
    if (this.live.waiting.some(({ command }) => command === "roll")) return;
    await this.ask({ command: "roll", shooter_bytes: shooterBytes() });
  }

  /** How a spot is called. */
  title(spot: string): string {
    return title(this.table?.wagers ?? [], spot);
  }

  #heard(update: Update, before: TableView, late: boolean): void {
    for (const event of update.events)
      if (event.event === "voided" || event.event === "corrected") this.#takenBack(before);
    const roll = rolled(update);
    if (roll) this.#rolled(roll, update, before, late);
    if (late) return;
    const news = update.events.map((event) => tidings(event, roll, before)).filter(Boolean);
    if (news.length > 0) this.#announce(news.join(" "));
  }

  #rolled(roll: RolledView, update: Update, before: TableView, late: boolean): void {
    const seen = { roll, commitment: before.hand.commitment, seq: update.seq, voided: false };
    this.seen = [...this.seen, seen].slice(-40);
    this.#done = [];
    const own = seatOf(before, session.me?.person);
    const lost = own ? cameDown(roll, own.seat) : [];
    if (lost.length > 0) this.#lost = lost;
    if (late) return;
    if (settings.sound) rattle();
    if (settings.tumble && !document.hidden) {
      this.#held ??= { table: before, offers: this.live.offers };
      this.tumbling = roll.dice;
    } else this.#tell();
  }

  #tell(): void {
    const roll = this.seen.at(-1)?.roll;
    if (!roll) return;
    const seat = this.live.table && seatOf(this.live.table, session.me?.person);
    const net = seat ? resultFor(roll, seat.seat).net : 0;
    const result = net === 0 ? "" : ` ${net > 0 ? "You won" : "You lost"} ${dollars(Math.abs(net))}.`;
    this.spoken = `${roll.call}.${result}`;
    if (settings.sound) say(roll.call);
    if (net !== 0) this.say(`${roll.call}: ${signed(net)}`);
  }

  /** The table's last roll does not count. */
  #takenBack(before: TableView): void {
    this.#done = [];
    this.seen = this.seen.map((seen) =>
      seen.roll.number === before.hand.rolls ? { ...seen, voided: true } : seen,
    );
  }

  #announce(text: string): void {
    this.spoken = text;
    this.say(text);
  }
}

/** What everybody at the table is told of an event; the roll itself is told when it rests. */
function tidings(event: Happened, roll: RolledView | null, table: TableView): string {
  switch (event.event) {
    case "voided":
      return "The last roll is void: every chip is back where it was.";
    case "corrected":
      return "The last roll was corrected.";
    case "no-roll":
      return "No roll.";
    case "betting-closed":
      return roll ? "" : "No more bets.";
    case "paused":
      return "The table waits.";
    case "resumed":
      return "The table plays on.";
    case "closed":
      return "The table has been closed.";
    case "dice-passed":
      return `${nameOf(table, event.to)} has the dice.`;
    case "claim-paid": {
      const shares = event.shares.map(([seat, cents]) => `${nameOf(table, seat)} ${dollars(cents)}`);
      return `Jackpot: ${shares.join(", ")}.`;
    }
    default:
      return "";
  }
}
