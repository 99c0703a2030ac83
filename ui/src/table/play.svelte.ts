// Playing at a table: the seat, the amount in the hand, what was done since the last roll, and the
// dice that have not come to rest yet.

import type { BetView, Command, OfferView, RolledView, SeatView, TableView, Update } from "$wire";
import { oddsBehind } from "../felt/plan.ts";
import { sentence } from "../lib/api.ts";
import {
  ACROSS,
  EVEN,
  INSIDE,
  amountFor,
  amountUpFor,
  misfit,
  missing,
  onTheWay,
  placing,
  pressing,
  shut,
  takeFor,
  undo,
  whyNot,
  wonLines,
  type Done,
  type Part,
  type Wish,
} from "../lib/betting.ts";
import { shooterBytes } from "../lib/shooterBytes.ts";
import type { Live } from "../lib/live.svelte.ts";
import { cents, dollars, signed } from "../lib/money.ts";
import { rounded, uneven } from "../lib/rounded.ts";
import { nameOf, rolled, seatsOf } from "../lib/table.ts";
import { session } from "../lib/session.svelte.ts";
import { listed, named, title, wagerOf } from "../lib/words.ts";
import { figures, typedAfter } from "./keys.ts";
import { after, forget, keep, recall, type Kept } from "./memory.ts";
import { receipt, type Award } from "./receipt.ts";
import { settings } from "./settings.svelte.ts";
import { rattle, say } from "./sound.ts";
import { tidings } from "./tidings.ts";

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
  /** A refusal, news, or what a roll brought you. */
  kind: "refused" | "news" | "won" | "lost";
  /** Told anew even where the words are the same. */
  id: number;
}

/** The chips of the rack, in cents. */
export const CHOICE = [100, 500, 2_500, 10_000, 50_000, 100_000];

/** How long a notice stays. */
const STAYS = 6_000;

/** News this soon after a roll is told together with it. */
const SOON = 2_000;

/** What a refusal is about: it goes when that is no longer so. */
type Holds = () => boolean;

export class Play {
  readonly live: Live;
  /** The chip in the hand, in cents. */
  #chip = $state(500);
  /** Dollars typed instead of a chip. */
  typed = $state("");
  /** Whether they have been bet: the next figure starts another amount. */
  #used = $state(false);
  /** Whether what the next roll would do is shown. */
  wondering = $state(false);
  /** What a screen reader is told. */
  spoken = $state("");
  seen = $state.raw<Seen[]>([]);
  #notice = $state.raw<(Notice & { holds: Holds }) | null>(null);
  /** The dice on their way, and the table as it was when they left the hand. */
  #held = $state.raw<{
    dice: string;
    table: TableView;
    offers: Live["offers"];
    news: string[];
  } | null>(null);
  /** Which of several seats is played. */
  #chosen = $state<number | null>(null);
  /** What was done since the last roll, each act of the player's in one piece. */
  #done = $state.raw<Done[][]>([]);
  /** What is known of the bets of each seat. */
  #kept = $state.raw<ReadonlyMap<number, Kept>>(new Map());
  /** What shall be put again after a roll, as soon as betting is open. */
  #due: { seat: number; roll: number; seq: number; wishes: Wish[] } | null = null;
  /** Commands that are not answered yet. */
  #asking = new Set<Promise<boolean>>();
  /** The last record that came of them. */
  #reached = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said = 0;
  #toldAt = -SOON;

  tumbling = $derived(this.#held?.dice ?? null);
  table = $derived.by(() => this.#held?.table ?? this.live.table);
  offers = $derived.by(() => this.#held?.offers ?? this.live.offers);
  /** All the seats of the player, and the one that is played. */
  seats = $derived.by(() => (this.table ? seatsOf(this.table, session.me?.person) : []));
  seat = $derived.by(
    () => this.seats.find(({ seat }) => seat === this.#chosen) ?? this.seats[0] ?? null,
  );
  pending = $derived.by(() =>
    this.seat ? onTheWay(this.live.waiting, this.seat.seat) : new Map<string, number>(),
  );
  notice = $derived.by<Notice | null>(() => (this.#notice?.holds() ? this.#notice : null));
  canUndo = $derived.by(() => this.#lastAct() >= 0);
  canRebet = $derived.by(() => this.#toRebet().length > 0);

  constructor(live: Live) {
    this.live = live;
    live.onUpdate((update, before, late) => this.#heard(update, before, late));
    live.onFresh(() => {
      this.#done = [];
      this.#due = null;
      this.#kept = new Map();
    });
  }

  /** Plays another of the player's seats. */
  choose(seat: number): void {
    this.#chosen = seat;
  }

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
    return cents(this.typed.replace(/\.$/, "")) ?? this.#chip;
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

  /** The dice have come to rest, or are wished to. */
  rest(): void {
    if (this.#held === null) return;
    const { news } = this.#held;
    this.#held = null;
    this.#tell(news);
    this.#again();
  }

  /** Says something for a while: as long as it holds, and not beyond the next roll. */
  say(text: string, kind: Notice["kind"] = "news", holds: Holds = () => true): number {
    const rolls = this.live.table?.hand.rolls;
    const both = () => this.live.table?.hand.rolls === rolls && holds();
    this.#notice = { text, kind, id: ++this.#said, holds: both };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#notice = null), STAYS);
    return this.#said;
  }

  /** Where betting is closed now: for as long as it is. */
  #whileShut(): Holds {
    const why = () => (this.live.table ? shut(this.live.table) : null);
    const now = why();
    return () => now === null || why() === now;
  }

  #refuse(text: string, holds?: Holds): null {
    this.say(text, "refused", holds);
    return null;
  }

  /** Asks the table; a refusal is shown in its own words. */
  ask(command: Command, id?: string): Promise<boolean> {
    const { live } = this;
    const was = live.line;
    const asking = live.ask(command, id).then(
      (record) => {
        this.#reached = record;
        return true;
      },
      (error: unknown) => {
        const said = sentence(error);
        const spot = "wager" in command ? command.wager : null;
        const text = spot ? sentence(new Error(named(this.#wagers, spot, said))) : said;
        const still = this.#whileShut();
        this.#refuse(text, () => still() && (live.line === was || live.line !== "open"));
        return false;
      },
    );
    this.#asking.add(asking);
    void asking.then(() => this.#asking.delete(asking));
    return asking;
  }

  get #wagers() {
    return this.live.table?.wagers ?? [];
  }

  /** Everything asked is answered, and what may be done now is known. */
  async #settled(): Promise<void> {
    this.rest();
    await Promise.all(this.#asking);
    await this.live.settled(this.#reached);
  }

  /** The spot that a chip goes to: a bet that has travelled grows by its odds. */
  takes(spot: string): string {
    const odds = oddsBehind(spot);
    return odds && this.live.offers.has(odds) ? odds : spot;
  }

  /** Puts the amount in the hand on a spot: a chip is rounded to what is paid in whole dollars
   * there, and why is said. */
  async put(on: string): Promise<void> {
    this.rest();
    this.#unsay();
    const spot = this.takes(on);
    const { amount: wished, typed } = this;
    const stake = this.#coming(spot);
    const offer = this.live.offers.get(spot);
    const amount = this.#fitting(spot, wished, typed === "" ? amountFor : (exactly) => exactly);
    this.#used = true;
    if (amount === null) return;
    const why =
      offer &&
      (rounded(wished, amount, stake, offer, this.title(spot)) ??
        this.#nudge(uneven(amount, stake, offer, this.title(spot))));
    if (why) this.#ofPut = this.say(why);
    await this.#act([{ wager: spot, amount }]);
  }

  /** The notice about the last chip that was put. */
  #ofPut = 0;

  /** What was said of one chip is not said of the next. */
  #unsay(): void {
    if (this.#notice?.id === this.#ofPut) this.#notice = null;
  }

  /** What has been suggested: once is enough. */
  #nudged = new Set<string>();

  #nudge(text: string | null): string | null {
    if (text === null || this.#nudged.has(text)) return null;
    this.#nudged.add(text);
    return text;
  }

  /** What an amount comes to on a spot; where nothing fits, why is said. */
  #fitting(spot: string, wished: number, fit: typeof amountFor): number | null {
    const { seat, live } = this;
    if (!seat || !live.table || !this.#isOpen(spot)) return null;
    const rack = this.#free();
    if (wished > rack)
      return this.#refuse(`You have ${dollars(rack)} in your rack.`, () => this.#free() === rack);
    const offer = live.offers.get(spot);
    if (!offer) return wished;
    const ahead = this.#ahead(offer, spot);
    const amount = fit(wished, this.#coming(spot), ahead);
    const why = misfit(amount ?? 0, ahead, this.title(spot));
    return why ? this.#refuse(why) : amount;
  }

  /** What is in the rack and not on its way to the felt. */
  #free(): number {
    const coming = [...this.pending.values()].reduce((sum, amount) => sum + amount, 0);
    return Math.max((this.seat?.rack ?? 0) - coming, 0);
  }

  /** What is being done: an undo waits for it, or it would undo what was done before, and so do
   * the dice. */
  #acting: Promise<unknown> | null = null;

  #doing<T>(work: Promise<T>): Promise<T> {
    const acting = work.finally(() => {
      if (this.#acting === acting) this.#acting = null;
    });
    this.#acting = acting;
    return acting;
  }

  /** Puts these down, one after the other up to the first refusal, as one act. */
  #act(wishes: Wish[], first: Done[] = []): Promise<boolean> {
    const done = [...first];
    return this.#doing(this.#carryOut(wishes, done).finally(() => this.#remember(done)));
  }

  #remember(done: Done[]): void {
    if (done.length > 0) this.#done = [...this.#done, done];
  }

  async #carryOut(wishes: Wish[], done: Done[], after?: number): Promise<boolean> {
    const { seat } = this;
    if (!seat) return false;
    for (const { wager, amount } of wishes) {
      const command = { command: "put", seat: seat.seat, wager, amount } as const;
      // What every page of this player would put by itself after a roll is put by one.
      const id = after && `again-${after}-${seat.seat}-${wager.replaceAll(" ", "_")}`;
      if (!(await this.ask(command, id || undefined))) return false;
      done.push(command);
    }
    return true;
  }

  /** Puts down what can be, as one act; what cannot be is told with the reason. */
  async #putAll(wishes: Wish[], after?: number): Promise<{ put: Wish[]; why: string[] }> {
    const done: Done[] = [];
    const put: Wish[] = [];
    let why: string[] = [];
    let left = wishes;
    const rolls = () => this.live.table?.hand.rolls;
    const before = rolls();
    // A bet may open the way for another: a side bet waits for a line bet. What has been put is
    // not put again, whatever the player does with it meanwhile, and a roll is the end of it.
    for (let rounds = 0; rounds < 4 && left.length > 0; rounds++) {
      await this.#settled();
      if (rolls() !== before) break;
      const { can, cannot } = this.#sorted(left);
      why = [...new Set(cannot.map(({ why }) => why))];
      left = wishes.filter(({ wager }) => cannot.some(({ wish }) => wish.wager === wager));
      if (can.length === 0 || !(await this.#carryOut(can, done, after))) break;
      put.push(...can);
    }
    this.#remember(done);
    return { put, why };
  }

  /** What these lack and can be given now, and why the others cannot. */
  #sorted(wishes: Wish[]): { can: Wish[]; cannot: { wish: Wish; why: string }[] } {
    const can: Wish[] = [];
    const cannot: { wish: Wish; why: string }[] = [];
    const { table, offers } = this.live;
    if (!table) return { can, cannot };
    let rack = this.#free();
    const short: Wish[] = [];
    for (const wish of missing(wishes, (spot) => this.#coming(spot))) {
      const offer = offers.get(wish.wager);
      const name = this.title(wish.wager);
      const closed = whyNot(table, offer);
      if (!closed && wish.amount > rack) {
        short.push(wish);
        continue;
      }
      const why = closed ?? (offer && misfit(wish.amount, this.#ahead(offer, wish.wager), name));
      if (why) cannot.push({ wish, why });
      else {
        can.push(wish);
        rack -= wish.amount;
      }
    }
    const why = this.#tooLittle(short, rack);
    cannot.push(...short.map((wish) => ({ wish, why })));
    return { can, cannot };
  }

  /** What the rack is too small for, in one sentence. */
  #tooLittle(wishes: Wish[], rack: number): string {
    const names = listed(wishes.map(({ wager }) => this.title(wager)));
    const [only] = wishes;
    return only && wishes.length === 1
      ? `${names} takes ${dollars(only.amount)} and you have ${dollars(rack)}.`
      : `You have ${dollars(rack)} left: too little for ${names}.`;
  }

  /** What may still be put where chips are on their way already. */
  #ahead(offer: OfferView, spot: string): OfferView {
    const coming = this.pending.get(spot) ?? 0;
    if (coming === 0 || offer.most === null || offer.least === null || offer.step === null)
      return offer;
    return { ...offer, least: offer.step, most: Math.max(offer.most - coming, 0) };
  }

  /** Whether bets are taken, there where a spot is named; where not, why is said. */
  #isOpen(spot?: string): boolean {
    const why = () => {
      const { table, offers } = this.live;
      if (!table) return null;
      return shut(table) ?? (spot === undefined ? null : whyNot(table, offers.get(spot)));
    };
    const now = why();
    if (now) this.#refuse(now, () => why() === now);
    return now === null;
  }

  /** A click on bare cloth: what it takes to bet. */
  nowhere(): void {
    if (this.#isOpen())
      this.say(`No bet lies there. Click a box to put ${dollars(this.amount)} on it.`);
  }

  #stake(spot: string): number {
    return this.seat?.bets.find((bet) => bet.wager === spot)?.stake ?? 0;
  }

  /** What lies on a spot or is on its way there. */
  #coming(spot: string): number {
    return this.#stake(spot) + (this.pending.get(spot) ?? 0);
  }

  /** Takes the amount in the hand off a bet. */
  async take(spot: string): Promise<void> {
    this.rest();
    const bet = this.seat?.bets.find((bet) => bet.wager === spot);
    const wager = this.table && wagerOf(this.table.wagers, spot);
    if (!bet || !wager) return;
    const even = this.typed ? wager.unit : this.live.offers.get(spot)?.even;
    this.#used = true;
    const done = await this.#lift(bet, takeFor(this.amount, bet, wager, even));
    if (done) this.#remember([done]);
  }

  /** Takes a bet down. */
  async takeDown(spot: string): Promise<void> {
    this.rest();
    const bet = this.seat?.bets.find((bet) => bet.wager === spot);
    const done = bet && (await this.#lift(bet));
    if (done) this.#remember([done]);
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
    const bet = this.seat?.bets.find((bet) => bet.wager === from);
    if (!bet || !this.#isOpen(to)) return;
    const lifted = await this.#lift(bet);
    if (!lifted) return;
    if (await this.#act([{ wager: to, amount: bet.stake }], [lifted])) return;
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

  /** Which act an undo would undo: the last of this seat. */
  #lastAct(): number {
    return this.#done.findLastIndex(([first]) => first?.seat === this.seat?.seat);
  }

  /** Undoes what was done last, all of it. */
  async undo(): Promise<void> {
    if (this.#acting) await this.#acting;
    const at = this.#lastAct();
    const act = this.#done[at];
    if (!act) return;
    this.#done = this.#done.toSpliced(at, 1);
    for (const one of act.toReversed()) if (!(await this.ask(undo(one)))) break;
  }

  /** Takes down all that may come down. */
  async clear(): Promise<void> {
    await this.#settled();
    const bets = (this.seat?.bets ?? []).filter((bet) => this.live.offers.get(bet.wager)?.take);
    if (bets.length === 0) this.#refuse("Nothing of yours may come down now.");
    const done: Done[] = [];
    for (const bet of bets) {
      // Odds come down with the bet in front of them.
      if (!this.seat?.bets.some(({ wager }) => wager === bet.wager)) continue;
      const lifted = await this.#lift(bet);
      if (lifted) done.push(lifted);
    }
    this.#remember(done);
  }

  /** What the last decisions took and nobody has put down again. */
  #toRebet(): Wish[] {
    const down = this.seat ? this.#keptOf(this.seat).down : [];
    return missing([...down], (spot) => this.#coming(spot));
  }

  /** Puts down again what the last decisions took, to the cent. */
  async rebet(): Promise<void> {
    this.rest();
    if (!this.#isOpen()) return;
    const wishes = this.seat ? [...this.#keptOf(this.seat).down] : [];
    if (this.#toRebet().length === 0) {
      this.#refuse("Nothing to put down again: no bet of yours has come down.");
      return;
    }
    const { why } = await this.#doing(this.#putAll(wishes));
    if (why.length > 0) this.#refuse(why.join(" "));
  }

  /** Raises a bet, or every place bet where none is chosen. */
  async press(spot: string | null, part: Part): Promise<void> {
    await this.#settled();
    const all = this.seat?.bets ?? [];
    const chosen = all.filter((bet) => bet.wager === spot);
    const bets = chosen.length > 0 ? chosen : all.filter(({ wager }) => wager.startsWith("place "));
    if (bets.length === 0) this.#refuse("Choose a bet to press, or make a place bet first.");
    const wishes: Wish[] = [];
    for (const { wager, stake } of bets) {
      if (!this.#isOpen(wager)) return;
      const offer = this.live.offers.get(wager);
      const amount = offer ? pressing(stake, part, offer) : stake;
      const why = offer && misfit(amount ?? 0, offer, this.title(wager));
      if (why) return void this.#refuse(why);
      wishes.push({ wager, amount: amount ?? 0 });
    }
    if (this.#affords(wishes)) await this.#act(wishes);
  }

  across = () => this.#place(ACROSS);
  inside = () => this.#place(INSIDE);
  even = () => this.#place(EVEN);

  /** The amount in the hand on each of these numbers, rounded to what it is paid evenly on. */
  async #place(numbers: number[]): Promise<void> {
    await this.#settled();
    if (!this.seat || !this.table) return;
    const wishes: Wish[] = [];
    this.#used = true;
    for (const { wager, amount } of placing(
      numbers,
      this.amount,
      this.seat,
      this.table.hand.puck,
    )) {
      const fitting = this.#fitting(wager, amount, amountUpFor);
      if (fitting === null) return;
      wishes.push({ wager, amount: fitting });
    }
    if (this.#affords(wishes)) await this.#act(wishes);
  }

  /** Whether the rack holds all of it: a part is nobody's wish. */
  #affords(wishes: Wish[]): boolean {
    const sum = wishes.reduce((sum, { amount }) => sum + amount, 0);
    const rack = this.seat?.rack ?? 0;
    if (sum > rack) this.#refuse(`That takes ${dollars(sum)} and you have ${dollars(rack)}.`);
    return sum <= rack;
  }

  /** Throws the dice, once; while they tumble it only has them rest. The server lets others throw
   * for a shooter who has gone: only it knows who has. */
  async roll(): Promise<void> {
    if (this.tumbling !== null) return this.rest();
    if (this.#acting) await this.#acting;
    if (this.live.waiting.some(({ command }) => command === "roll")) return;
    const thrown = await this.ask({ command: "roll", shooter_bytes: shooterBytes() });
    const { table } = this.live;
    const shooter = table?.hand.shooter ?? null;
    if (thrown || !table || shooter === null) return;
    if (!this.seats.some(({ seat }) => seat === shooter))
      this.#refuse(`${nameOf(table, shooter)} has the dice.`);
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

  /** What is kept of a seat. */
  #keptOf(seat: SeatView): Kept {
    return this.#kept.get(seat.seat) ?? recall(this.live.table!, seat);
  }

  #keep(seat: number, kept: Kept): void {
    this.#kept = new Map(this.#kept).set(seat, kept);
    keep(this.live.id, seat, kept);
  }

  #forget(seat: number): void {
    const kept = new Map(this.#kept);
    kept.delete(seat);
    this.#kept = kept;
    forget(this.live.id, seat);
  }

  #heard(update: Update, before: TableView, late: boolean): void {
    const mine = seatsOf(before, session.me?.person);
    const seats = mine.map(({ seat }) => seat);
    for (const event of update.events) {
      if (event.event === "voided" || event.event === "corrected") this.#takenBack(before, seats);
      if (event.event === "left" || event.event === "given-up") this.#forget(event.seat);
    }
    const roll = rolled(update);
    if (roll) this.#rolled(roll, update, before, mine, late);
    if (late) return;
    const news = update.events
      // Dice that have rolled say themselves that betting was closed.
      .filter(({ event }) => !roll || event !== "betting-closed")
      .map((event) => tidings(event, before, seats))
      .filter(Boolean);
    // What comes of dice that tumble is told when they rest.
    if (this.#held) this.#held.news.push(...news);
    else if (roll) this.#tell(news);
    else if (news.length > 0) this.#announce(news.join(" "));
    if (!this.#held) this.#again();
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
    this.#done = [];
    for (const seat of mine) this.#keep(seat.seat, after(this.#keptOf(seat), roll, before, seat));
    this.#due = null;
    if (late) return;
    if (update.events.some(({ event }) => event === "rolled")) this.#wish(roll, update.seq);
    if (settings.sound) rattle();
    if (!settings.tumble || document.hidden) return;
    const { table, offers, news } = this.#held ?? {
      table: before,
      offers: this.live.offers,
      news: [],
    };
    this.#held = { dice: roll.dice, table, offers, news };
  }

  /** What the player wants up again after a roll, by the choices they have made. */
  #wish(roll: RolledView, seq: number): void {
    const { seat } = this;
    if (!seat || this.live.table?.hand.puck !== null) return;
    const wishes = [
      ...(settings.stayUp ? wonLines(roll, seat.seat) : []),
      ...(settings.sameBets ? (this.#keptOf(seat).start?.bets ?? []) : []),
    ];
    if (wishes.length > 0) this.#due = { seat: seat.seat, roll: roll.number, seq, wishes };
  }

  /** Puts up what is due, once betting is open; for somebody who looks away nothing is bet. */
  #again(): void {
    const { table, line } = this.live;
    if (!this.#due || !table || shut(table) !== null) return;
    const due = this.#due;
    this.#due = null;
    const present = !document.hidden && line === "open" && this.seat?.seat === due.seat;
    if (present && table.hand.rolls === due.roll) void this.#doing(this.#putAgain(due));
  }

  /** Puts up again what a roll took down. */
  putUp(won: { wishes: Wish[]; seq: number }): Promise<void> {
    return this.#doing(this.#putAgain(won));
  }

  async #putAgain({ wishes, seq }: { wishes: Wish[]; seq: number }): Promise<void> {
    const { put, why } = await this.#putAll(wishes, seq);
    const up = put.map(({ wager, amount }) => `${this.title(wager)} ${dollars(amount)}`);
    const said = [...(up.length > 0 ? [`Up again: ${listed(up)}.`] : []), ...why].join(" ");
    if (said) this.#addTo(said);
  }

  /** What the roll that came to rest was, what it brought, and what else there is to say. */
  #tell(news: string[]): void {
    const seen = this.seen.at(-1);
    const { table } = this.live;
    if (!seen || !table) return;
    const { call } = seen.roll;
    const lines = this.seats.map(({ seat }) => ({ seat, lines: receipt(seen, seat, table) }));
    const results = lines
      .map(({ seat, lines }) => ({
        seat,
        net: lines.reduce((sum, { net }) => sum + (net ?? 0), 0),
      }))
      .filter(({ net }) => net !== 0);
    // What a claim decides is told with its share.
    const waits = lines
      .flatMap(({ lines }) => lines.filter(({ net }) => net === null))
      .map(({ words }) => words);
    const net = results.reduce((sum, result) => sum + result.net, 0);
    const many = this.seats.length > 1;
    const words = results.map(({ seat, net }) => {
      const amount = dollars(Math.abs(net));
      return `You ${net > 0 ? "won" : "lost"} ${amount}${many ? ` at seat ${seat + 1}` : ""}.`;
    });
    this.#speak([`${call}.`, ...words, ...waits, ...news].join(" "));
    this.#toldAt = Date.now();
    if (settings.sound) say(call);
    const told = [...(results.length > 0 ? [signed(net)] : []), ...waits].join("; ");
    const all = [...(told ? [`${call}: ${told}`] : []), ...news];
    if (all.length === 0) return;
    this.say(all.join(" · "), net > 0 ? "won" : net < 0 ? "lost" : "news");
  }

  /** The table's last roll does not count. */
  #takenBack(before: TableView, mine: number[]): void {
    this.#done = [];
    this.#due = null;
    for (const seat of mine) this.#forget(seat);
    this.seen = this.seen.map((seen) =>
      seen.roll.number === before.hand.rolls ? { ...seen, voided: true } : seen,
    );
  }

  #announce(text: string): void {
    if (Date.now() - this.#toldAt < SOON) return this.#addTo(text);
    this.#speak(text);
    this.say(text, "news", this.#whileShut());
  }

  /** Says more about the roll that was just told. */
  #addTo(text: string): void {
    const { notice } = this;
    this.#speak(`${this.spoken.trim()} ${text}`);
    this.say(notice ? `${notice.text} · ${text}` : text, notice?.kind);
  }

  /** The same words twice are two announcements: a space tells them apart. */
  #speak(text: string): void {
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
  }
}
