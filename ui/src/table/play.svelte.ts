// Playing at a table: the seat, the chip in the hand, what was done since the last roll, and the
// dice that have not come to rest yet.

import type { BetView, Command, Happened, OfferView, RolledView, TableView, Update } from "$wire";
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
import { nameOf, rolled, seatOf } from "../lib/table.ts";
import { session } from "../lib/session.svelte.ts";
import { title, wagerOf } from "../lib/words.ts";
import { receipt, type Award } from "./receipt.ts";
import { settings } from "./settings.svelte.ts";
import { rattle, say } from "./sound.ts";

/** A roll this browser has seen, with the commitment that stood before it. */
export interface Seen {
  roll: RolledView;
  commitment: string | null;
  seq: number;
  voided: boolean;
  /** The seat this person had then. */
  own: number | null;
  /** What it won that is paid apart from it. */
  awards?: Award[];
}

export interface Notice {
  text: string;
  kind: "refused" | "news";
  /** Told anew even where the words are the same. */
  id: number;
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
  #held = $state.raw<{ dice: string; table: TableView; offers: Live["offers"] } | null>(null);
  /** What is told once they rest. */
  #news: string[] = [];
  /** What was done since the last roll, each act of the player's in one piece. */
  #done = $state.raw<Done[][]>([]);
  /** What the last decisions took down. */
  #lost = $state.raw<Wish[]>([]);
  /** Commands that are not answered yet. */
  #asking = new Set<Promise<boolean>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said = 0;

  tumbling = $derived(this.#held?.dice ?? null);
  table = $derived.by(() => this.#held?.table ?? this.live.table);
  offers = $derived.by(() => this.#held?.offers ?? this.live.offers);
  seat = $derived.by(() => (this.table ? seatOf(this.table, session.me?.person) : null));
  pending = $derived.by(() =>
    this.seat ? onTheWay(this.live.waiting, this.seat.seat) : new Map<string, number>(),
  );
  canUndo = $derived.by(
    () => this.#done.at(-1)?.[0]?.seat === this.seat?.seat && this.#done.length > 0,
  );
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
    if (this.#held === null) return;
    this.#held = null;
    this.#tell();
    const news = this.#news.splice(0).join(" ");
    if (news === "") return;
    this.#speak(`${this.spoken} ${news}`);
    this.say(news);
  }

  say(text: string, kind: Notice["kind"] = "news"): void {
    this.notice = { text, kind, id: ++this.#said };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.notice = null), STAYS);
  }

  /** Asks the table; a refusal is shown in its own words. */
  ask(command: Command): Promise<boolean> {
    const asking = this.live.ask(command).then(
      () => true,
      (error: unknown) => {
        this.say(sentence(error), "refused");
        return false;
      },
    );
    this.#asking.add(asking);
    void asking.then(() => this.#asking.delete(asking));
    return asking;
  }

  /** Everything asked is answered, and what may be done now is known. */
  async #settled(): Promise<void> {
    this.rest();
    await Promise.all(this.#asking);
    await this.live.settled();
  }

  /** Puts a chip on a spot, rounded to what is paid in whole dollars there. */
  async put(spot: string, chip = this.chip): Promise<void> {
    this.rest();
    const amount = this.#fitting(spot, chip);
    if (amount !== null) await this.#act([{ wager: spot, amount }]);
  }

  /** What a chip comes to on a spot; where nothing fits, why is said. */
  #fitting(spot: string, chip: number): number | null {
    const { seat, live } = this;
    if (!seat || !live.table) return null;
    const offer = live.offers.get(spot);
    if (!this.#open(live.table, offer)) return null;
    const coming = [...this.pending.values()].reduce((sum, amount) => sum + amount, 0);
    const rack = Math.max(seat.rack - coming, 0);
    if (chip > rack) return this.#refuse(`You have ${dollars(rack)} in your rack.`);
    const stake = this.#stake(spot) + (this.pending.get(spot) ?? 0);
    const amount = offer ? amountFor(chip, stake, this.#ahead(offer, spot)) : chip;
    if (amount === null || amount <= 0) return this.#refuse(`No more fits on ${this.title(spot)}.`);
    return amount;
  }

  #refuse(text: string): null {
    this.say(text, "refused");
    return null;
  }

  /** What is being done: an undo waits for it, or it would undo what was done before. */
  #acting: Promise<unknown> | null = null;

  /** Puts these down, one after the other up to the first refusal, as one act. */
  #act(wishes: Wish[], first: Done[] = []): Promise<boolean> {
    const acting = this.#carryOut(wishes, first).finally(() => {
      if (this.#acting === acting) this.#acting = null;
    });
    this.#acting = acting;
    return acting;
  }

  async #carryOut(wishes: Wish[], first: Done[]): Promise<boolean> {
    const { seat } = this;
    if (!seat) return false;
    const done = [...first];
    let taken = true;
    for (const { wager, amount } of wishes) {
      const command = { command: "put", seat: seat.seat, wager, amount } as const;
      taken = await this.ask(command);
      if (!taken) break;
      done.push(command);
    }
    if (done.length > 0) this.#done = [...this.#done, done];
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

  /** Takes a chip off a bet. */
  async take(spot: string): Promise<void> {
    this.rest();
    const bet = this.seat?.bets.find((bet) => bet.wager === spot);
    const wager = this.table && wagerOf(this.table.wagers, spot);
    if (!bet || !wager) return;
    const even = this.live.offers.get(spot)?.even;
    const done = await this.#lift(bet, takeFor(this.chip, bet, wager, even));
    if (done) this.#done = [...this.#done, [done]];
  }

  /** Takes a bet down. */
  async takeDown(spot: string): Promise<void> {
    this.rest();
    const bet = this.seat?.bets.find((bet) => bet.wager === spot);
    const done = bet && (await this.#lift(bet));
    if (done) this.#done = [...this.#done, [done]];
  }

  async #lift(bet: BetView, amount?: number): Promise<Done | null> {
    const { seat } = this;
    if (!seat) return null;
    const { wager, stake } = bet;
    const part = { command: "take", seat: seat.seat, wager } as const;
    const taken = await this.ask({ ...part, amount: amount ?? null });
    return taken ? { ...part, amount: amount ?? stake } : null;
  }

  /** Chips dragged from one spot to another, or off the felt: all the way, or not at all. */
  async move(from: string, to: string | null): Promise<void> {
    if (to === null) return this.takeDown(from);
    await this.#settled();
    const { live } = this;
    const bet = this.seat?.bets.find((bet) => bet.wager === from);
    if (!bet || !live.table || !this.#open(live.table, live.offers.get(to))) return;
    const lifted = await this.#lift(bet);
    if (!lifted) return;
    const why = await this.#act([{ wager: to, amount: bet.stake }], [lifted]);
    if (why) return;
    // The refusal stands on the page; the chips go back to where they were.
    const refused = this.notice;
    this.#done = this.#done.slice(0, -1);
    await this.ask(undo(lifted));
    if (refused) this.say(refused.text, refused.kind);
  }

  async call(spot: string): Promise<void> {
    const { seat } = this;
    const bet = seat?.bets.find((bet) => bet.wager === spot);
    if (!seat || !bet) return;
    const call = bet.working ? "off" : "on";
    await this.ask({ command: "call", seat: seat.seat, wager: spot, call });
  }

  /** Undoes what was done last, all of it. */
  async undo(): Promise<void> {
    if (this.#acting) await this.#acting;
    const last = this.#done.at(-1);
    if (!last || !this.canUndo) return;
    this.#done = this.#done.slice(0, -1);
    for (const one of last.toReversed()) if (!(await this.ask(undo(one)))) break;
  }

  /** Takes down all that may come down. */
  async clear(): Promise<void> {
    await this.#settled();
    const bets = (this.seat?.bets ?? []).filter((bet) => this.live.offers.get(bet.wager)?.take);
    if (bets.length === 0) this.say("Nothing of yours may come down now.", "refused");
    const done: Done[] = [];
    for (const bet of bets) {
      // Odds come down with the bet in front of them.
      if (!this.seat?.bets.some(({ wager }) => wager === bet.wager)) continue;
      const lifted = await this.#lift(bet);
      if (lifted) done.push(lifted);
    }
    if (done.length > 0) this.#done = [...this.#done, done];
  }

  /** Puts down again what the last decisions took, to the cent. */
  async rebet(): Promise<void> {
    await this.#settled();
    const wishes = this.#lost.filter(({ wager }) => !this.live.offers.get(wager)?.why_not);
    if (wishes.length === 0) {
      this.say("Those bets cannot be made now.", "refused");
      return;
    }
    if (!this.#affords(wishes)) return;
    this.#lost = this.#lost.filter((wish) => !wishes.includes(wish));
    await this.#act(wishes);
  }

  /** Doubles a bet, or every place bet where none is chosen. */
  async press(spot: string | null): Promise<void> {
    await this.#settled();
    const bets = (this.seat?.bets ?? []).filter((bet) =>
      spot ? bet.wager === spot : bet.wager.startsWith("place "),
    );
    if (bets.length === 0) this.say("Choose a bet to press, or make a place bet first.", "refused");
    const wishes = bets.map((bet) => ({ wager: bet.wager, amount: bet.stake }));
    if (this.#affords(wishes)) await this.#act(wishes);
  }

  across = () => this.#place(ACROSS);
  inside = () => this.#place(INSIDE);

  async #place(numbers: number[]): Promise<void> {
    await this.#settled();
    if (!this.seat || !this.table) return;
    const wishes: Wish[] = [];
    for (const { wager, amount } of placing(numbers, this.chip, this.seat, this.table.hand.puck)) {
      const fitting = this.#fitting(wager, amount);
      if (fitting === null) return;
      wishes.push({ wager, amount: fitting });
    }
    if (this.#affords(wishes)) await this.#act(wishes);
  }

  /** Whether the rack holds all of it: a part is nobody's wish. */
  #affords(wishes: Wish[]): boolean {
    const sum = wishes.reduce((sum, { amount }) => sum + amount, 0);
    const rack = this.seat?.rack ?? 0;
    if (sum > rack)
      this.say(`That takes ${dollars(sum)} and you have ${dollars(rack)}.`, "refused");
    return sum <= rack;
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
    const mine = seatOf(before, session.me?.person)?.seat;
    for (const event of update.events)
      if (event.event === "left" && event.seat === mine)
        news.push(`You have left your seat with ${dollars(event.amount)}.`);
    // What is paid or held would tell how the dice fall.
    const won = update.events.some(({ event }) => event === "claim-paid" || event === "held");
    if (this.#held && won) this.#news.push(...news);
    else if (news.length > 0) this.#announce(news.join(" "));
  }

  #rolled(roll: RolledView, update: Update, before: TableView, late: boolean): void {
    const own = seatOf(before, session.me?.person);
    this.seen = [
      ...this.seen,
      {
        roll,
        commitment: before.hand.commitment,
        seq: update.seq,
        voided: false,
        own: own?.seat ?? null,
      },
    ].slice(-40);
    this.#done = [];
    const lost = own ? cameDown(roll, own.seat) : [];
    if (lost.length > 0) this.#lost = lost;
    if (late) return;
    if (settings.sound) rattle();
    if (settings.tumble && !document.hidden) {
      const { table, offers } = this.#held ?? { table: before, offers: this.live.offers };
      this.#held = { dice: roll.dice, table, offers };
    } else this.#tell();
  }

  #tell(): void {
    const seen = this.seen.at(-1);
    const { table } = this.live;
    if (!seen || !table) return;
    const { call } = seen.roll;
    const lines = seen.own === null ? [] : receipt(seen, seen.own, table);
    const net = lines.reduce((sum, line) => sum + (line.net ?? 0), 0);
    // What a claim decides is told with its share.
    const waits = lines.filter((line) => line.net === null).map(({ words }) => words);
    const result =
      net === 0 ? "" : ` ${net > 0 ? "You won" : "You lost"} ${dollars(Math.abs(net))}.`;
    this.#speak([`${call}.${result}`, ...waits].join(" "));
    if (settings.sound) say(call);
    const told = [...(net === 0 ? [] : [signed(net)]), ...waits];
    if (told.length > 0) this.say(`${call}: ${told.join("; ")}`);
  }

  /** The table's last roll does not count. */
  #takenBack(before: TableView): void {
    this.#done = [];
    this.#lost = [];
    this.seen = this.seen.map((seen) =>
      seen.roll.number === before.hand.rolls ? { ...seen, voided: true } : seen,
    );
  }

  #announce(text: string): void {
    this.#speak(text);
    this.say(text);
  }

  /** The same words twice are two announcements: a space tells them apart. */
  #speak(text: string): void {
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
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
      const shares = event.shares.map(
        ([seat, cents]) => `${nameOf(table, seat)} ${dollars(cents)}`,
      );
      return `Jackpot: ${shares.join(", ")}.`;
    }
    case "held":
      return `${nameOf(table, event.seat)}: ${dollars(event.amount)} on ${event.wager} waits to be confirmed.`;
    case "released":
      return `${nameOf(table, event.seat)}: ${dollars(event.amount)} on ${event.wager} is confirmed.`;
    case "claim-denied":
      return `What ${event.wager} won is not paid: ${event.reason}.`;
    case "given-up":
      return `${nameOf(table, event.seat)}'s seat is given up: ${event.reason}.`;
    case "returned":
      return `${nameOf(table, event.seat)} is handed back ${dollars(event.amount)} of ${event.wager}: ${event.reason}.`;
    default:
      return "";
  }
}
