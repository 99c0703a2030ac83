// What puts bets again: rebet, when the player asks for it, and after a roll by itself, where they
// have chosen that winning line bets stay up or that each hand starts with the same bets.

import type { RolledView, SeatView, TableView } from "$wire";
import { misfit, missing, whyNot, wonLines, type Done, type Wish } from "../lib/betting.ts";
import { closed } from "../lib/closed.ts";
import type { Moment } from "../lib/live.svelte.ts";
import { dollars } from "../lib/money.ts";
import { listed } from "../lib/words.ts";
import type { Acts } from "./acts.svelte.ts";
import { after, forget, keep, recall, type Kept } from "./memory.ts";
import type { Play } from "./play.svelte.ts";
import { settings } from "./settings.svelte.ts";

/** What shall be put again after a roll. */
interface Due {
  seat: number;
  /** The betting round that this roll began. */
  moment: Moment;
  /** The record of that roll. */
  seq: number;
  wishes: Wish[];
  /** When it rolled. */
  since: number;
}

/** So long a dealer has to see that the wrong dice were keyed. */
const PATIENCE = 4_000;

export class Rebet {
  readonly #play: Play;
  readonly #acts: Acts;
  /** What is known of the bets of each seat. */
  #kept = $state.raw<ReadonlyMap<number, Kept>>(new Map());
  /** What is put as soon as betting is open. */
  #due: Due | null = null;
  /** The last notice about it. */
  #told = 0;

  /** Whether the last decisions took anything that nobody has put down again. */
  isPossible = $derived.by(
    () => missing(this.#down(), (spot) => this.#play.chips.coming(spot)).length > 0,
  );

  constructor(play: Play, acts: Acts) {
    this.#play = play;
    this.#acts = acts;
  }

  /** What the last decisions took. */
  #down(): Wish[] {
    const { seat } = this.#play;
    return seat ? [...this.#keptOf(seat).down] : [];
  }

  /** Puts down again what the last decisions took, to the cent. */
  async put(): Promise<void> {
    const play = this.#play;
    play.rest();
    const { moment } = play.live;
    await this.#acts.afterwards(async () => {
      if (!play.isOpen()) return;
      if (!this.isPossible) {
        play.notices.refuse("Nothing to put down again: no bet of yours has come down.");
        return;
      }
      const { put, why } = await this.#putAll(this.#down(), moment);
      const told = [this.#upAgain(put), ...why].filter(Boolean).join(" ");
      if (why.length > 0) play.notices.say(told, put.length > 0 ? "news" : "refused");
    });
  }

  /** A roll has decided bets of these seats, and what was to be put before it is not any more. */
  rolled(roll: RolledView, before: TableView, seats: SeatView[]): void {
    for (const seat of seats) this.#keep(seat.seat, after(this.#keptOf(seat), roll, before, seat));
    this.#due = null;
  }

  /** What the player wants up again after a roll, by the choices they have made. */
  wish(roll: RolledView, seq: number): void {
    const { seat, live } = this.#play;
    const { moment } = live;
    if (!seat || live.table?.hand.puck !== null) return;
    const wishes = [
      ...(settings.stayUp ? wonLines(roll, seat.seat) : []),
      ...(settings.sameBets ? (this.#keptOf(seat).start?.bets ?? []) : []),
    ];
    if (wishes.length > 0) {
      const since = Date.now();
      this.#due = { seat: seat.seat, moment, seq, wishes, since };
    }
  }

  /** Puts up what is due, once betting is open; for somebody who looks away nothing is bet. */
  putDue(): void {
    const { live, seat } = this.#play;
    const { table, line } = live;
    if (!this.#due || !table || closed(table)) return;
    const due = this.#due;
    // Chips that move keep a roll from being taken back, and a dealer may have keyed a wrong one.
    const early = due.since + PATIENCE - Date.now();
    if (table.config.dice === "dealer" && early > 0) {
      setTimeout(() => this.putDue(), early);
      return;
    }
    this.#due = null;
    const present = !document.hidden && line === "open" && seat?.seat === due.seat;
    const same = live.moment.roll === due.moment.roll && live.moment.round === due.moment.round;
    if (present && same) void this.putUp(due.wishes, due.seq);
  }

  /** Puts up again what a roll took down; `seq` where every page of the player does so. */
  putUp(wishes: Wish[], seq?: number): Promise<void> {
    const { live } = this.#play;
    const { moment } = live;
    return this.#acts.afterwards(async () => {
      if (live.moment.roll === moment.roll) await this.#putAgain(wishes, moment, seq);
    });
  }

  async #putAgain(wishes: Wish[], moment: Moment, seq?: number): Promise<void> {
    const { put, why } = await this.#putAll(wishes, moment, seq);
    const said = [this.#upAgain(put), ...why].filter(Boolean).join(" ");
    if (said) this.#told = this.#play.notices.add(said);
  }

  /** It was undone: what was said of it is not so any more. */
  unsay(): void {
    this.#play.notices.unsay(this.#told);
  }

  #upAgain(put: Wish[]): string {
    const up = put.map(({ wager, amount }) => `${this.#play.title(wager)} ${dollars(amount)}`);
    return up.length > 0 ? `Up again: ${listed(up)}.` : "";
  }

  /** Puts down what can be, as one act; what cannot be is told with the reason. */
  async #putAll(
    wishes: Wish[],
    moment: Moment,
    after?: number,
  ): Promise<{ put: Wish[]; why: string[] }> {
    const done: Done[] = [];
    const remember = this.#acts.begin();
    const put: Wish[] = [];
    let why: string[] = [];
    let left = wishes;
    // A bet may open the way for another: a side bet waits for a line bet. What has been put is
    // not put again, whatever the player does with it meanwhile, and a roll is the end of it.
    for (let rounds = 0; rounds < 4 && left.length > 0; rounds++) {
      await this.#play.settled();
      if (this.#play.live.moment.roll !== moment.roll) break;
      const { can, cannot } = this.#sorted(left);
      why = [...new Set(cannot.map(({ why }) => why))];
      left = wishes.filter(({ wager }) => cannot.some(({ wish }) => wish.wager === wager));
      if (can.length === 0 || !(await this.#acts.carryOut(can, done, moment, after))) break;
      put.push(...can);
    }
    remember(done);
    return { put, why };
  }

  /** What these lack and can be given now, and why the others cannot. */
  #sorted(wishes: Wish[]): { can: Wish[]; cannot: { wish: Wish; why: string }[] } {
    const can: Wish[] = [];
    const cannot: { wish: Wish; why: string }[] = [];
    const play = this.#play;
    const { table, offers } = play.live;
    if (!table) return { can, cannot };
    let rack = play.chips.free();
    const short: Wish[] = [];
    for (const wish of missing(wishes, (spot) => play.chips.coming(spot))) {
      const offer = offers.get(wish.wager);
      const name = play.title(wish.wager);
      const closed = whyNot(table, offer);
      if (!closed && wish.amount > rack) {
        short.push(wish);
        continue;
      }
      const why = closed ?? (offer && misfit(wish.amount, play.chips.ahead(offer), name));
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
    const names = wishes.map(
      ({ wager, amount }) => `${this.#play.title(wager)} ${dollars(amount)}`,
    );
    return `You have ${dollars(rack)} left: too little for ${listed(names)}.`;
  }

  /** What is kept of a seat. */
  #keptOf(seat: SeatView): Kept {
    return this.#kept.get(seat.seat) ?? recall(this.#play.live.table!, seat);
  }

  #keep(seat: number, kept: Kept): void {
    this.#kept = new Map(this.#kept).set(seat, kept);
    keep(this.#play.live.id, seat, kept);
  }

  /** Whoever had this seat has left it. */
  forget(seat: number): void {
    const kept = new Map(this.#kept);
    kept.delete(seat);
    this.#kept = kept;
    forget(this.#play.live.id, seat);
  }

  /** The last roll of these seats does not count. */
  takenBack(seats: number[]): void {
    this.#due = null;
    for (const seat of seats) this.forget(seat);
  }

  /** The table was sent whole: what this tab has kept is looked at anew. */
  reset(): void {
    this.#due = null;
    this.#kept = new Map();
  }
}
