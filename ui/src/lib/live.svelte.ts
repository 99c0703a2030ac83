// A live table: one socket, kept open for as long as the page is. What has been sent is sent
// again until it is answered, always with the same id, so that it counts once however often the
// line breaks. A command that depends on the moment names the betting round that the page showed
// when it was asked for; the page never moves it to another round.

import type {
  Cheer,
  Command,
  FromClient,
  FromServer,
  IfRolledView,
  LimitsView,
  OfferView,
  Problem,
  TableView,
  Until,
  Update,
  WorkListView,
  WorstRollView,
} from "$wire";
import { Refused } from "./api.ts";
import { NO_ROOM, ReconnectingSocket } from "./reconnectingSocket.ts";
import { shooterBytes } from "./shooterBytes.ts";
import { apply, missed, missedBetween, type Missed } from "./table.ts";
import { workDone } from "./workDone.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [0, 250, 500, 1_000, 2_000, 4_000] as const;
/** Larger than any record: whoever resumes from here is sent the whole table. */
const AFRESH = Number.MAX_SAFE_INTEGER;
/** The server ends a socket with this where the session has ended. */
const LOGGED_OUT = 4001;

export type Line = "connecting" | "open" | "lost" | "ended";

/** What the next roll would do to a seat, or why nobody could throw. */
export interface IfItRolls {
  rolls: IfRolledView[];
  whyNot: Problem | null;
}

/** Hears of an update and the table before it; late where the line had been down. */
export type Heard = (update: Update, before: TableView, late: boolean) => void;

/** The moment that a command is meant for. */
export interface Moment {
  /** The betting round, as the table shows it. */
  round: number | undefined;
  /** Which roll of the table ends that round. */
  roll: number;
}

interface Waiting {
  command: Command;
  moment: Moment;
  /** What was sent: it is sent again as it is. */
  frame: Extract<FromClient, { type: "command" }>;
  /** Whether an update has shown it already. */
  shown: boolean;
  resolve: (seq: number) => void;
  reject: (error: Refused) => void;
}

const problem = (code: string, detail: string): Problem => ({
  type: "about:blank",
  status: 0,
  code,
  detail,
});
const UNSENT = problem("unsent", "there is no connection to the table, so nothing was sent");
const IN_DOUBT = problem(
  "in-doubt",
  "the line broke before the table answered, and the dice have rolled since: look at your chips",
);
/** Commands that mean one betting round and no other. */
const OF_A_ROUND: ReadonlySet<Command["command"]> = new Set<Command["command"]>([
  "put",
  "take",
  "call",
  "close-betting",
  "key-roll",
  "roll",
  "no-roll",
  "pass-dice",
  "open-betting",
]);
/** How long after it was asked for a roll may still be thrown, in milliseconds. */
const ROLL_LASTS = 3_000;
/** How many of the last updates are kept, so that a record can be looked up. */
const KEPT_UPDATES = 50;
const OVER = problem("ended", "you have been logged out, log in again to play on");
const FULL = problem("no-room", "too many watch at the moment; this page tries again now and then");

export class Live {
  readonly id: string;
  /** The table, once it is known. */
  table = $state.raw<TableView | null>(null);
  /** The connection. */
  line = $state<Line>("connecting");
  /** Why there is no table, or no more of it. */
  problem = $state.raw<Problem | null>(null);
  /** What the followed seat may do now, by spot. */
  offers = $state.raw<ReadonlyMap<string, OfferView>>(new Map());
  /** What the next roll would do to the followed seat, while somebody wants to know. */
  ifItRolls = $state.raw<IfItRolls | null>(null);
  /** Whether the shooter has no connection, so that others may throw. */
  shooterAway = $state(false);
  /** What happened while the line was down. */
  missed = $state.raw<Missed | null>(null);
  /** The crew's work that is left, oldest first. */
  work = $state.raw<readonly WorkListView[]>([]);
  /** What is left of the limits of the day, for the crew. */
  limits = $state.raw<LimitsView | null>(null);
  /** The roll that would take the most chips out of the tray, when it was asked for last. */
  worstRoll = $state.raw<WorstRollView | null>(null);
  /** Commands on their way that no update has shown yet. */
  waiting = $state.raw<readonly Command[]>([]);

  readonly #socket: ReconnectingSocket<FromServer>;
  #waiting = new Map<string, Waiting>();
  #heard: Heard[] = [];
  #fresh: (() => void)[] = [];
  #cheered: ((seat: number, cheer: Cheer) => void)[] = [];
  #catchingUp: { to: number; updates: Update[] } | null = null;
  #seat: number | null = null;
  #offersDue = false;
  #wondering = false;
  /** How far the server's clock is ahead of this browser's. */
  #ahead = 0;
  /** The clock of the server's run, and when it was heard by this browser's own. */
  #run: { now: Until; heard: number } | null = null;
  /** The last updates, to look a record up. */
  #updates: Update[] = [];
  /** Who waits for the update of a record. */
  #records: { seq: number; found: (update: Update | null) => void }[] = [];
  /** The record the offers are as of. */
  #offersSeq = 0;
  /** Who waits for the line to open again. */
  #renewed: (() => void)[] = [];
  /** Whether the whole table has to be sent: what was seen of it was seen by another. */
  #anew = false;

  constructor(id: string) {
    this.id = id;
    this.#socket = new ReconnectingSocket<FromServer>({
      path: () => this.#path(),
      waits: WAITS,
      heard: (frame) => this.#read(frame),
      lost: (code, failures) => this.#lost(code, failures),
    });
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.close();
    this.#giveUp(UNSENT);
  }

  /** Connects again as the person that this browser is now, who may see more of the table or less.
   * Resolves when the line is open again: what is asked before that is not sent. */
  renew(): Promise<void> {
    this.#giveUp(OVER);
    if (this.line === "ended") this.line = "lost";
    this.#anew = true;
    this.#socket.renew();
    return new Promise((open) => this.#renewed.push(open));
  }

  /** What the server's clock shows, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Calls back with every update, until what it returns is called. */
  onUpdate(heard: Heard): () => void {
    this.#heard = [...this.#heard, heard];
    return () => (this.#heard = this.#heard.filter((other) => other !== heard));
  }

  /** Calls back when the table was sent whole: nobody knows what happened before. Ends like
   * `onUpdate`. */
  onFresh(fresh: () => void): () => void {
    this.#fresh = [...this.#fresh, fresh];
    return () => (this.#fresh = this.#fresh.filter((other) => other !== fresh));
  }

  /** Calls back with whatever a player calls across the table. */
  onCheer(cheered: (seat: number, cheer: Cheer) => void): void {
    this.#cheered.push(cheered);
  }

  /** Calls something across the table. */
  cheer(cheer: Cheer): void {
    this.#socket.send({ type: "cheer", cheer });
  }

  /** Asks from now on what the next roll would do, or no longer. */
  wonder(wondering: boolean): void {
    if (wondering === this.#wondering) return;
    this.#wondering = wondering;
    this.ifItRolls = null;
    this.#askOffers();
  }

  /** Asks from now on what this seat may do. */
  follow(seat: number | null): void {
    if (seat === this.#seat) return;
    this.#seat = seat;
    this.offers = new Map();
    this.#offersSeq = 0;
    this.ifItRolls = null;
    this.#askOffers();
  }

  /** The moment that the table is in now. */
  get moment(): Moment {
    const hand = this.table?.hand;
    return { round: hand?.round, roll: (hand?.rolls ?? 0) + 1 };
  }

  /** Asks something of the table. Resolves with the record it became, once it is durable. What is
   * asked twice by the same id counts once, from wherever. `moment` is the one that the person
   * saw, if that was earlier. */
  ask(command: Command, id = newId(), moment = this.moment): Promise<number> {
    if (command.command !== "roll") return this.#ask(command, id, moment);
    return this.#throw(command.shooter_bytes, moment, this.#until());
  }

  /** Throws the dice. Bytes answer the commitment that was shown; where the house has committed
   * anew meanwhile, as after a crash, others are drawn for that one. */
  async #throw(bytes: string, moment: Moment, until?: Until, again = true): Promise<number> {
    const commitment = this.table?.hand.commitment ?? null;
    const command = { command: "roll", shooter_bytes: bytes, commitment } as const;
    try {
      return await this.#ask(command, newId(), moment, until);
    } catch (error) {
      const other = error instanceof Refused && error.problem.code === "other-commitment";
      if (!other || !again) throw error;
      return this.#throw(shooterBytes(), moment, until, false);
    }
  }

  /** The latest moment at which a roll that is asked for now may be thrown, by the server's own
   * clock. */
  #until(): Until | undefined {
    if (!this.#run) return undefined;
    const { now, heard } = this.#run;
    const at = Math.floor(now.at + (performance.now() - heard)) + ROLL_LASTS;
    return { run: now.run, at };
  }

  #ask(command: Command, id: string, moment: Moment, until?: Until): Promise<number> {
    if (this.line !== "open") return Promise.reject(new Refused(UNSENT));
    const round = OF_A_ROUND.has(command.command) ? moment.round : undefined;
    const frame = {
      type: "command" as const,
      id,
      ...(round === undefined ? {} : { round }),
      ...(until ? { until } : {}),
      command,
    };
    // What could not be sent is dropped: it is not kept for later.
    if (!this.#socket.send(frame)) return Promise.reject(new Refused(UNSENT));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { command, moment, frame, shown: false, resolve, reject });
      this.#waitingChanged();
    });
  }

  /** The update that a record brought, once it is here; nothing if the table was sent whole
   * instead. */
  record(seq: number): Promise<Update | null> {
    const known = this.#updates.find((update) => update.seq === seq);
    if (known || (this.table?.seq ?? 0) >= seq) return Promise.resolve(known ?? null);
    return new Promise((found) => this.#records.push({ seq, found }));
  }

  /** Ticks an item of a work list off, or no longer. While the line is down nothing is ticked: no
   * other console would know. */
  tick(list: number, item: number, on: boolean): void {
    if (this.line !== "open" || !this.#socket.send({ type: "tick", list, item, on })) {
      // The box shows again what it is.
      this.work = this.work.map((one) => ({ ...one, items: one.items.map((it) => ({ ...it })) }));
      return;
    }
    this.work = this.work.map((one) =>
      one.list === list
        ? { ...one, items: one.items.map((it) => (it.item === item ? { ...it, ticked: on } : it)) }
        : one,
    );
  }

  /** Asks which roll would take the most chips out of the tray. */
  askWorstRoll(): void {
    this.#socket.send({ type: "worst-roll" });
  }

  /** Waits until the offers are those of the table as it is, with this record; not for long. */
  async settled(record = 0): Promise<void> {
    for (let tries = 0; tries < 40; tries++) {
      const due = Math.max(this.table?.seq ?? 0, record);
      if (this.#seat === null || this.#offersSeq >= due) return;
      if (this.line !== "open") return;
      this.#askOffers();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  #waitingChanged(): void {
    const hidden = [...this.#waiting.values()].filter(({ shown }) => !shown);
    this.waiting = hidden.map(({ command }) => command);
  }

  /** Nothing that waits will be answered. */
  #giveUp(why: Problem): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#waitingChanged();
    for (const { reject } of all) reject(new Refused(why));
  }

  #path(): string {
    const after = this.table && !this.#anew ? `?after=${this.table.seq}` : "";
    return `/api/tables/${encodeURIComponent(this.id)}/socket${after}`;
  }

  /** The line broke; whether it is worth another attempt. */
  #lost(code: number, failures: number): boolean {
    if (code === LOGGED_OUT) {
      this.line = "ended";
      this.#giveUp(OVER);
      return false;
    }
    this.line = this.table ? "lost" : "connecting";
    // A table that was never there will not come: ask why, in words.
    if (!this.table && failures >= 1) void this.#why();
    if (code === NO_ROOM) this.problem = FULL;
    return true;
  }

  async #why(): Promise<void> {
    try {
      const response = await fetch(`/api/tables/${encodeURIComponent(this.id)}`);
      if (response.ok || response.status === 429) return;
      const problem = (await response.json()) as Problem;
      if (response.status === 404) {
        this.close();
        this.line = "ended";
      }
      this.problem = problem;
    } catch {
      // The server is away; the next attempt will tell.
    }
  }

  #read(frame: FromServer): void {
    if ("at" in frame) this.#ahead = frame.at - Date.now();
    if ("now" in frame) this.#run = { now: frame.now, heard: performance.now() };
    switch (frame.type) {
      case "snapshot":
        this.#catchingUp = null;
        this.shooterAway = false;
        this.#anew = false;
        if (this.table)
          this.missed = missedBetween(this.table, frame.table, this.#seat) ?? this.missed;
        this.table = frame.table;
        this.problem = null;
        this.#updates = [];
        this.#find();
        for (const fresh of this.#fresh) fresh();
        this.#opened();
        break;
      case "resumed":
        this.shooterAway = false;
        this.#catchingUp = { to: frame.seq, updates: [] };
        this.#caughtUp();
        break;
      case "update":
        this.#update(frame);
        break;
      case "ack":
        this.#answer(frame.id)?.resolve(frame.seq);
        break;
      case "refused": {
        const waiting = this.#answer(frame.id);
        waiting?.reject(new Refused(frame.problem, waiting));
        break;
      }
      case "work":
        this.work = frame.lists;
        break;
      case "limits":
        this.limits = frame.limits;
        break;
      case "worst-roll":
        this.worstRoll = frame.worst;
        break;
      case "offers":
        if (frame.seat !== this.#seat) break;
        this.#offersSeq = frame.seq;
        this.offers = new Map(frame.offers.map((offer) => [offer.wager, offer]));
        break;
      case "if-it-rolls":
        if (frame.seat === this.#seat && this.#wondering)
          this.ifItRolls = { rolls: frame.rolls, whyNot: frame.why_not };
        break;
      case "shooter-away":
        this.shooterAway = frame.away;
        break;
      case "cheer":
        for (const cheered of this.#cheered) cheered(frame.seat, frame.cheer);
        break;
      case "meter":
        this.#meter(frame);
        break;
      case "problem":
        this.problem = frame.problem;
        break;
    }
  }

  /** The line stands and the table is as it is now: what was not answered is said again. */
  #opened(): void {
    this.line = "open";
    this.#socket.stands();
    const { roll } = this.moment;
    for (const [id, { command, moment, frame }] of this.#waiting) {
      // If it names its round, the server knows whether it comes too late.
      const told = frame.round !== undefined || !OF_A_ROUND.has(command.command);
      if (told || moment.roll === roll) this.#socket.send(frame);
      else this.#answer(id)?.reject(new Refused(IN_DOUBT));
    }
    for (const open of this.#renewed.splice(0)) open();
    this.#askOffers();
  }

  #update(update: Update): void {
    const before = this.table;
    if (!before || update.seq <= before.seq) return;
    if (update.seq !== before.seq + 1) {
      this.#socket.send({ type: "resume", after: before.seq });
      return;
    }
    this.table = apply(before, update);
    this.work = workDone(this.work, update, this.table.hand.round);
    this.problem = null;
    this.#show(update);
    this.#updates = [...this.#updates, update].slice(-KEPT_UPDATES);
    this.#find();
    // Other rules, other wagers: everything anew.
    if (update.events.some((event) => event.event === "configured"))
      this.#socket.send({ type: "resume", after: AFRESH });
    const late = this.#catchingUp !== null;
    this.#catchingUp?.updates.push(update);
    for (const heard of this.#heard) heard(update, before, late);
    if (late) this.#caughtUp();
    else if (this.#concerns(update)) this.#askOffers();
  }

  /** Tells who waits for a record, once it is here. */
  #find(): void {
    const { table } = this;
    const here = this.#records.filter(({ seq }) => table && seq <= table.seq);
    this.#records = this.#records.filter((record) => !here.includes(record));
    for (const { seq, found } of here)
      found(this.#updates.find((update) => update.seq === seq) ?? null);
  }

  /** Whether an update may change what the followed seat may do, or what a roll would do to it:
   * a jackpot is shared with others. */
  #concerns(update: Update): boolean {
    const own = update.seats.some((seat) => seat.seat === this.#seat);
    return update.hand !== null || own || (this.#wondering && update.seats.length > 0);
  }

  /** Chips that an update shows are no longer on their way, though the answer is yet to come. */
  #show(update: Update): void {
    for (const event of update.events) {
      if (event.event !== "put") continue;
      for (const waiting of this.#waiting.values()) {
        const { command, shown } = waiting;
        if (shown || command.command !== "put" || command.seat !== event.seat) continue;
        if (command.wager !== event.wager || command.amount !== event.amount) continue;
        waiting.shown = true;
        break;
      }
    }
    this.#waitingChanged();
  }

  #caughtUp(): void {
    const catching = this.#catchingUp;
    if (!catching || !this.table || this.table.seq < catching.to) return;
    this.#catchingUp = null;
    this.missed = missed(catching.updates, this.#seat);
    this.#opened();
  }

  #meter(frame: Extract<FromServer, { type: "meter" }>): void {
    const table = this.table;
    if (!table) return;
    const meters = table.meters.map((meter) =>
      meter.meter === frame.meter.meter ? frame.meter : meter,
    );
    this.table = { ...table, meters };
  }

  #answer(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#waitingChanged();
    return waiting;
  }

  /** Asks for offers, once for however much happens in one go. */
  #askOffers(): void {
    if (this.#seat === null || this.#offersDue) return;
    this.#offersDue = true;
    setTimeout(() => {
      this.#offersDue = false;
      if (this.#seat === null) return;
      this.#socket.send({ type: "offers", seat: this.#seat });
      if (this.#wondering) this.#socket.send({ type: "if-it-rolls", seat: this.#seat });
    }, 15);
  }
}

/** An id that nobody has used: 96 random bits. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
