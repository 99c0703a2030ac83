// Playing at a table: the seat, what the player does with its chips, and the dice that have not
// come to rest yet.

import type { BetView, Command, RolledView, SeatView, TableView, Update } from "$wire";
import { oddsBehind } from "../felt/plan.ts";
import {
  EVEN,
  INSIDE,
  amountFor,
  amountUpFor,
  misfit,
  placing,
  pressing,
  takeFor,
  undo,
  whyNot,
  type Done,
  type Part,
  type Wish,
} from "../lib/betting.ts";
import { whyClosed } from "../lib/closed.ts";
import { shooterBytes } from "../lib/shooterBytes.ts";
import type { Live, Moment } from "../lib/live.svelte.ts";
import { dollars } from "../lib/money.ts";
import { rounded, uneven } from "../lib/rounded.ts";
import { nameOf, rolled, seatsOf } from "../lib/table.ts";
import { session } from "../lib/session.svelte.ts";
import { points, title, wagerOf } from "../lib/words.ts";
import { Acts } from "./acts.svelte.ts";
import { InHand } from "./inHand.svelte.ts";
import { Notices } from "./notices.svelte.ts";
import { OwnChips } from "./ownChips.svelte.ts";
import { Rebet } from "./rebet.svelte.ts";
import type { Award } from "./receipt.ts";
import { settings } from "./settings.svelte.ts";
import { rattle } from "./sound.ts";
import { decides, tidings } from "./tidings.ts";
import { turn } from "./turn.ts";

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

export class Play {
  readonly live: Live;
  readonly notices: Notices;
  readonly inHand = new InHand();
  readonly chips: OwnChips;
  readonly #acts: Acts;
  readonly #rebet: Rebet;
  /** Whether what the next roll would do is shown. */
  wondering = $state(false);
  seen = $state.raw<Seen[]>([]);
  /** The dice on their way, and the table as it was when they left the hand. */
  #held = $state.raw<{
    dice: string;
    table: TableView;
    offers: Live["offers"];
    news: string[];
  } | null>(null);
  /** Which of several seats is played. */
  #chosen = $state<number | null>(null);

  tumbling = $derived(this.#held?.dice ?? null);
  table = $derived.by(() => this.#held?.table ?? this.live.table);
  offers = $derived.by(() => this.#held?.offers ?? this.live.offers);
  /** All the seats of the player, and the one that is played. */
  seats = $derived.by(() => (this.table ? seatsOf(this.table, session.me?.person) : []));
  seat = $derived.by(
    () => this.seats.find(({ seat }) => seat === this.#chosen) ?? this.seats[0] ?? null,
  );
  canUndo = $derived.by(() => this.#acts.canUndo);
  canRebet = $derived.by(() => this.#rebet.isPossible);

  constructor(live: Live) {
    this.live = live;
    this.notices = new Notices(live);
    this.chips = new OwnChips(live, () => this.seat);
    this.#acts = new Acts(live, this.notices, () => this.seat);
    this.#rebet = new Rebet(this, this.#acts);
    live.onUpdate((update, before, late) => this.#heard(update, before, late));
    live.onFresh(() => {
      this.#acts.forget();
      this.#rebet.reset();
    });
  }

  /** Plays another of the player's seats. */
  choose(seat: number): void {
    this.#chosen = seat;
  }

  /** The dice have come to rest, or are wished to. */
  rest(): void {
    if (this.#held === null) return;
    const { news } = this.#held;
    this.#held = null;
    this.#tell(news);
    this.#rebet.putDue();
  }

  /** Asks the table; a refusal is shown in its own words. */
  ask(command: Command, moment?: Moment): Promise<boolean> {
    return this.#acts.ask(command, moment);
  }

  /** Everything asked is answered, and what may be done now is known. */
  async settled(): Promise<void> {
    this.rest();
    await this.#acts.settled();
  }

  /** The spot that a chip goes to: a bet that has travelled grows by its odds. Where none stands
   * and one may be put straight on the number, the chip is that bet. */
  takes(spot: string): string {
    const odds = oddsBehind(spot);
    if (!odds || !this.live.offers.has(odds)) return spot;
    const open = this.live.offers.get(spot)?.why_not === null;
    return open && this.chips.coming(spot) === 0 ? spot : odds;
  }

  /** Puts the amount in the hand on a spot: a chip is rounded to what is paid in whole dollars
   * there, and why is said. */
  async put(on: string): Promise<void> {
    this.rest();
    // What was said of one chip is not said of the next.
    this.notices.unsay(this.#ofPut);
    this.notices.unsayRefusal();
    const spot = this.takes(on);
    if (!this.#isAmount()) return;
    const { amount: wished, typed } = this.inHand;
    const stake = this.chips.coming(spot);
    const offer = this.live.offers.get(spot);
    const amount = this.#fitting(spot, wished, typed === "" ? amountFor : (exactly) => exactly);
    this.inHand.used();
    if (amount === null) return;
    const why =
      offer &&
      (rounded(wished, amount, stake, offer, this.title(spot)) ??
        this.#nudge(uneven(amount, stake, offer, this.title(spot))));
    if (why) this.#ofPut = this.notices.say(why);
    await this.#acts.put([{ wager: spot, amount }]);
  }

  /** The notice about the last chip that was put. */
  #ofPut = 0;

  /** What has been suggested: once is enough. */
  #nudged = new Set<string>();

  #nudge(text: string | null): string | null {
    if (text === null || this.#nudged.has(text)) return null;
    this.#nudged.add(text);
    return text;
  }

  /** What an amount comes to on a spot; where nothing fits, why is said. */
  #fitting(spot: string, wished: number, fit: typeof amountFor): number | null {
    const { seat, live, chips } = this;
    if (!seat || !live.table || !this.isOpen(spot)) return null;
    const rack = chips.free();
    if (wished > rack)
      return this.notices.refuse(
        `You have ${dollars(rack)} in your rack.`,
        () => chips.free() === rack,
      );
    const offer = live.offers.get(spot);
    if (!offer) return wished;
    const ahead = chips.ahead(offer);
    const amount = fit(wished, chips.coming(spot), ahead);
    const why = misfit(amount ?? 0, ahead, this.title(spot));
    return why ? this.notices.refuse(why) : amount;
  }

  /** Whether bets are taken, there where a spot is named; where not, why is said. */
  isOpen(spot?: string): boolean {
    const why = () => {
      const { table, offers } = this.live;
      if (!table) return null;
      return whyClosed(table) ?? (spot === undefined ? null : whyNot(table, offers.get(spot)));
    };
    const now = why();
    if (now) this.notices.refuse(now, () => why() === now);
    return now === null;
  }

  /** A click on bare cloth: what it takes to bet. */
  nowhere(): void {
    if (this.isOpen() && this.#isAmount())
      this.notices.say(
        `No bet lies there. Click a box to put ${dollars(this.inHand.amount)} on it.`,
      );
  }

  /** Takes the amount in the hand off a bet. */
  async take(spot: string): Promise<void> {
    this.rest();
    const bet = this.#betOn(spot);
    const wager = this.table && wagerOf(this.table.wagers, spot);
    if (!bet || !wager || !this.#isAmount()) return;
    const even = this.inHand.typed ? wager.unit : this.live.offers.get(spot)?.even;
    this.inHand.used();
    await this.#acts.take([bet], takeFor(this.inHand.amount, bet, wager, even));
  }

  /** Whether the hand holds an amount; what was typed may be none, and that is said. */
  #isAmount(): boolean {
    const { problem } = this.inHand;
    if (problem) this.notices.refuse(problem, () => this.inHand.problem === problem);
    return problem === null;
  }

  /** The bet of the player there; where there is none, that is said. */
  #betOn(spot: string): BetView | null {
    const bet = this.chips.bet(spot);
    if (!bet) this.notices.refuse(`You have no bet on ${this.title(spot)}.`);
    return bet ?? null;
  }

  /** Takes a bet down. */
  async takeDown(spot: string): Promise<void> {
    this.rest();
    const bet = this.#betOn(spot);
    if (bet) await this.#acts.take([bet]);
  }

  /** Chips dragged from one spot to another, or off the felt: all the way, or not at all. */
  move(from: string, to: string | null): Promise<void> {
    return to === null ? this.takeDown(from) : this.#acts.during(this.#move(from, to));
  }

  async #move(from: string, to: string): Promise<void> {
    const { moment } = this.live;
    await this.settled();
    const bet = this.chips.bet(from);
    if (!bet || !this.isOpen(to)) return;
    const lifted = await this.#acts.lift(bet, moment);
    if (!lifted) return;
    const done = [lifted];
    if (await this.#acts.carryOut([{ wager: to, amount: bet.stake }], done, moment)) {
      this.#acts.begin()(done);
      return;
    }
    // The refusal stands on the page; the chips go back to where they were.
    const refused = this.notices.shown;
    for (const command of undo(lifted)) await this.ask(command, moment);
    if (refused) this.notices.say(refused.text, refused.kind);
  }

  async call(spot: string): Promise<void> {
    const { seat } = this;
    const bet = seat && this.#betOn(spot);
    if (!seat || !bet) return;
    const call = bet.working ? "off" : "on";
    await this.ask({ command: "call", seat: seat.seat, wager: spot, call });
  }

  undo(): Promise<void> {
    this.notices.unsay(this.#ofPut);
    this.notices.unsayRefusal();
    this.#rebet.unsay();
    return this.#acts.undo();
  }

  rebet(): Promise<void> {
    return this.#rebet.put();
  }

  /** Puts up again what a roll took down. */
  putUp(wishes: Wish[]): Promise<void> {
    return this.#rebet.putUp(wishes);
  }

  /** Takes down all that may come down. */
  clear(): Promise<void> {
    return this.#acts.during(this.#clear());
  }

  async #clear(): Promise<void> {
    const remember = this.#acts.begin();
    const { moment } = this.live;
    await this.settled();
    const bets = (this.seat?.bets ?? []).filter((bet) => this.live.offers.get(bet.wager)?.take);
    if (bets.length === 0) this.notices.refuse("Nothing of yours may come down now.");
    const done: Done[] = [];
    for (const bet of bets) {
      // Odds come down with the bet in front of them.
      if (!this.chips.bet(bet.wager)) continue;
      const lifted = await this.#acts.lift(bet, moment);
      if (lifted) done.push(lifted);
    }
    remember(done);
  }

  /** Raises a bet, or every place bet where none is chosen. */
  async press(spot: string | null, part: Part): Promise<void> {
    const { moment } = this.live;
    await this.settled();
    const all = this.seat?.bets ?? [];
    // A bet that takes no more now is not the one that is meant.
    const takesMore = ({ wager }: BetView) => !this.live.offers.get(wager)?.why_not;
    const chosen = all.filter((bet) => bet.wager === spot && takesMore(bet));
    const bets = chosen.length > 0 ? chosen : all.filter(({ wager }) => wager.startsWith("place "));
    if (bets.length === 0) this.notices.refuse("Choose a bet to press, or make a place bet first.");
    const wishes: Wish[] = [];
    for (const { wager, stake } of bets) {
      if (!this.isOpen(wager)) return;
      const offer = this.live.offers.get(wager);
      const amount = offer ? pressing(stake, part, offer) : stake;
      const why = offer && misfit(amount ?? 0, offer, this.title(wager));
      if (why) return void this.notices.refuse(why);
      wishes.push({ wager, amount: amount ?? 0 });
    }
    if (this.#affords(wishes)) await this.#acts.put(wishes, moment);
  }

  /** Every number the puck can lie on. */
  across = () => this.#place(points(this.table?.wagers ?? []));
  inside = () => this.#place(INSIDE);
  even = () => this.#place(EVEN);

  /** The amount in the hand on each of these numbers, rounded to what it is paid evenly on. */
  async #place(numbers: number[]): Promise<void> {
    const { moment } = this.live;
    await this.settled();
    if (!this.seat || !this.table || !this.#isAmount()) return;
    const wishes: Wish[] = [];
    this.inHand.used();
    for (const { wager, amount } of placing(
      numbers,
      this.inHand.amount,
      this.seat,
      this.table.hand.puck,
    )) {
      const fitting = this.#fitting(wager, amount, amountUpFor);
      if (fitting === null) return;
      wishes.push({ wager, amount: fitting });
    }
    if (this.#affords(wishes)) await this.#acts.put(wishes, moment);
  }

  /** Whether the rack holds all of it: a part is nobody's wish. */
  #affords(wishes: Wish[]): boolean {
    const sum = wishes.reduce((sum, { amount }) => sum + amount, 0);
    const rack = this.seat?.rack ?? 0;
    if (sum > rack)
      this.notices.refuse(
        `That takes ${dollars(sum)} and you have ${dollars(rack)}.`,
        () => this.seat?.rack === rack,
      );
    return sum <= rack;
  }

  /** Throws the dice, once; while they tumble it only has them rest. The server lets others throw
   * for a shooter who has gone: only it knows who has. */
  async roll(): Promise<void> {
    if (this.tumbling !== null) return this.rest();
    const now =
      this.live.table && turn(this.live.table, this.seats, this.live.line, this.live.shooterAway);
    if (now?.yours && now.off) return void this.notices.refuse(now.off);
    const { moment } = this.live;
    while (this.#acts.acting) await this.#acts.acting;
    if (this.live.waiting.some(({ command }) => command === "roll")) return;
    const roll = { command: "roll", shooter_bytes: shooterBytes() } as const;
    const thrown = await this.ask(roll, moment);
    const { table } = this.live;
    const shooter = table?.hand.shooter ?? null;
    if (thrown || !table || shooter === null) return;
    if (!this.seats.some(({ seat }) => seat === shooter))
      this.notices.refuse(`${nameOf(table, shooter)} has the dice.`);
  }

  /** Shows what the next roll would do, or no longer. */
  wonder(wondering = !this.wondering): void {
    this.wondering = wondering;
    this.live.wonder(wondering);
  }

  /** Has every seat of the player called by the name they have now. */
  async rename(): Promise<void> {
    for (const { seat } of this.seats) await this.live.ask({ command: "rename", seat });
  }

  /** How a spot is called. */
  title(spot: string): string {
    return title(this.table?.wagers ?? [], spot);
  }

  #heard(update: Update, before: TableView, late: boolean): void {
    const mine = seatsOf(before, session.me?.person);
    const seats = mine.map(({ seat }) => seat);
    for (const event of update.events) {
      if (event.event === "voided" || event.event === "corrected") this.#takenBack(before, seats);
      if (event.event === "left" || event.event === "given-up") {
        this.#rebet.forget(event.seat);
        if (seats.includes(event.seat)) this.#acts.forget();
      }
    }
    const roll = rolled(update);
    if (roll) this.#rolled(roll, update, before, mine, late);
    if (late) return;
    const news = update.events
      // Dice that have rolled say themselves that betting was closed.
      .filter(({ event }) => !roll || event !== "betting-closed")
      .map((event) => tidings(event, before, seats, this.live.table ?? before))
      .filter(Boolean);
    // What comes of dice that tumble is told when they rest.
    if (this.#held) this.#held.news.push(...news);
    else if (roll) this.#tell(news);
    else if (news.length > 0) this.notices.announce(news.join(" "), decides(update));
    if (!this.#held) this.#rebet.putDue();
  }

  #rolled(
    roll: RolledView,
    update: Update,
    before: TableView,
    mine: SeatView[],
    late: boolean,
  ): void {
    const played = mine.find(({ seat }) => seat === this.#chosen) ?? mine[0];
    this.seen = [
      ...this.seen,
      {
        roll,
        commitment: before.hand.commitment,
        seq: update.seq,
        voided: false,
        own: played?.seat ?? null,
      },
    ].slice(-40);
    this.#acts.forget();
    this.#rebet.rolled(roll, before, mine);
    if (late) return;
    if (update.events.some(({ event }) => event === "rolled")) this.#rebet.wish(roll, update.seq);
    if (settings.sound) rattle();
    if (!settings.tumble || document.hidden) return;
    const { table, offers, news } = this.#held ?? {
      table: before,
      offers: this.live.offers,
      news: [],
    };
    this.#held = { dice: roll.dice, table, offers, news };
  }

  /** The dice that have come to rest, and what else there is to say. */
  #tell(news: string[]): void {
    const seen = this.seen.at(-1);
    if (seen) this.notices.tellRoll(seen, this.seats, news);
  }

  /** The table's last roll does not count. */
  #takenBack(before: TableView, mine: number[]): void {
    this.#acts.forget();
    this.#rebet.takenBack(mine);
    this.seen = this.seen.map((seen) =>
      seen.roll.number === before.hand.rolls ? { ...seen, voided: true } : seen,
    );
  }
}
