// What is asked of the table for the seat that is played, and what of it was done since the last
// roll, each act of the player's in one piece: an undo undoes all of it.

import type { BetView, Command, SeatView } from "$wire";
import { sentence } from "../lib/api.ts";
import { undo, type Done, type Wish } from "../lib/betting.ts";
import { newId, type Live, type Moment } from "../lib/live.svelte.ts";
import { tooLate } from "../lib/tooLate.ts";
import { named } from "../lib/words.ts";
import type { Notices } from "./notices.svelte.ts";

/** One act of the player's. */
interface Act {
  seat: number;
  done: Done[];
}

export class Acts {
  readonly #live: Live;
  readonly #notices: Notices;
  readonly #seat: () => SeatView | null;
  /** In the order they were begun; of one that is not done yet nothing is known. */
  #done = $state.raw<Act[]>([]);
  /** Commands that are not answered yet. */
  #asking = new Set<Promise<boolean>>();
  /** The last record that came of them. */
  #reached = 0;
  #acting: Promise<unknown> | null = null;

  canUndo = $derived.by(() => this.#last() >= 0);

  constructor(live: Live, notices: Notices, seat: () => SeatView | null) {
    this.#live = live;
    this.#notices = notices;
    this.#seat = seat;
  }

  /** Asks the table; a refusal is shown in its own words. `moment` is the one that the player saw
   * when they asked, if that was earlier. */
  ask(command: Command, moment = this.#live.moment, id = newId()): Promise<boolean> {
    const live = this.#live;
    const was = live.line;
    const asking = live.ask(command, id, moment).then(
      (record) => {
        this.#reached = record;
        return true;
      },
      (error: unknown) => {
        const late = tooLate(error, "your");
        if (late) {
          this.#notices.tellLate(late);
          return false;
        }
        const said = sentence(error);
        const spot = "wager" in command ? command.wager : null;
        const wagers = live.table?.wagers ?? [];
        const text = spot ? sentence(new Error(named(wagers, spot, said))) : said;
        const still = this.#notices.whileClosed();
        this.#notices.refuse(text, () => still() && (live.line === was || live.line !== "open"));
        return false;
      },
    );
    this.#asking.add(asking);
    void asking.then(() => this.#asking.delete(asking));
    return asking;
  }

  /** Everything asked is answered, and what may be done now is known. */
  async settled(): Promise<void> {
    await Promise.all(this.#asking);
    await this.#live.settled(this.#reached);
  }

  /** What is being done, if anything is: the dice wait for it. */
  get acting(): Promise<unknown> | null {
    return this.#acting;
  }

  /** Does this once nothing else is being done: an undo would undo what was done before, and bets
   * that are put by what is up would be put twice. */
  async afterwards<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#acting;
    const turn = async () => {
      if (running) await running;
      return work();
    };
    return this.during(turn());
  }

  /** Has others wait for this. */
  during<T>(work: Promise<T>): Promise<T> {
    const acting = Promise.allSettled([this.#acting, work]).then(() => {
      if (this.#acting === acting) this.#acting = null;
    });
    this.#acting = acting;
    return work;
  }

  /** Puts these down, one after the other up to the first refusal, as one act. */
  put(wishes: Wish[], moment = this.#live.moment): Promise<boolean> {
    const done: Done[] = [];
    const remember = this.begin();
    return this.during(this.carryOut(wishes, done, moment).finally(() => remember(done)));
  }

  /** Puts these down and adds to `done` what was; `after` is the roll they are put again after. */
  async carryOut(wishes: Wish[], done: Done[], moment: Moment, after?: number): Promise<boolean> {
    const seat = this.#seat();
    if (!seat) return false;
    for (const { wager, amount } of wishes) {
      // A roll is the end of it: what was wished was wished before.
      if (this.#live.moment.roll !== moment.roll) return false;
      const command = { command: "put", seat: seat.seat, wager, amount } as const;
      // What every page of this player would put by itself after a roll is put by one.
      const id = after && `again-${after}-${seat.seat}-${wager.replaceAll(" ", "_")}`;
      if (!(await this.ask(command, moment, id || undefined))) return false;
      done.push(command);
    }
    return true;
  }

  /** Takes bets down, or so much of one, as one act. */
  take(bets: BetView[], amount?: number): Promise<void> {
    const { moment } = this.#live;
    const work = async () => {
      const done: Done[] = [];
      for (const bet of bets) {
        const lifted = await this.lift(bet, moment, amount);
        if (lifted) done.push(lifted);
      }
      remember(done);
    };
    const remember = this.begin();
    return this.during(work());
  }

  /** Takes a bet down, or so much of it. */
  async lift(bet: BetView, moment: Moment, amount?: number): Promise<Done | null> {
    const seat = this.#seat();
    if (!seat) return null;
    const { wager, stake, call } = bet;
    const part = { command: "take", seat: seat.seat, wager } as const;
    const taken = await this.ask({ ...part, amount: amount ?? null }, moment);
    if (!taken) return null;
    return { ...part, amount: amount ?? stake, ...(amount === undefined ? { call } : {}) };
  }

  /** Begins an act; what is called with all that was done ends it. */
  begin(): (done: Done[]) => void {
    const begun: Act = { seat: this.#seat()?.seat ?? -1, done: [] };
    this.#done = [...this.#done, begun];
    return (done) => {
      const ended = done.length > 0 ? [{ ...begun, done }] : [];
      this.#done = this.#done.flatMap((act) => (act === begun ? ended : [act]));
    };
  }

  /** Nothing can be undone from here on. */
  forget(): void {
    this.#done = [];
  }

  /** Which act an undo would undo: the last of this seat. */
  #last(): number {
    const seat = this.#seat()?.seat;
    return this.#done.findLastIndex((act) => act.done.length > 0 && act.seat === seat);
  }

  /** Undoes what was done last, all of it. */
  undo(): Promise<void> {
    const { moment } = this.#live;
    return this.afterwards(() => this.#undo(moment));
  }

  async #undo(moment: Moment): Promise<void> {
    const at = this.#last();
    const act = this.#done[at];
    if (!act) return void this.#notices.refuse("Nothing to undo since the last roll.");
    this.#done = this.#done.toSpliced(at, 1);
    for (const command of act.done.toReversed().flatMap(undo))
      if (!(await this.ask(command, moment))) break;
  }
}
