// A live table: one socket, kept open for as long as the page is. A command is sent until it is
// answered, always with the same id, so that it counts once however often the line breaks.

import type { Command, FromServer, OfferView, Problem, TableView, Update } from "$wire";
import { Refused } from "./api.ts";
import { apply, missed, type Missed } from "./table.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [0, 250, 500, 1_000, 2_000, 4_000];
/** Larger than any record: whoever resumes from here is sent the whole table. */
const AFRESH = Number.MAX_SAFE_INTEGER;

export type Line = "connecting" | "open" | "lost" | "ended";

interface Waiting {
  command: Command;
  resolve: (seq: number) => void;
  reject: (error: Refused) => void;
}

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
  /** What happened while the line was down. */
  missed = $state.raw<Missed | null>(null);
  /** Commands on their way. */
  waiting = $state.raw<ReadonlyMap<string, Command>>(new Map());

  #socket: WebSocket | null = null;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<string, Waiting>();
  #heard: ((update: Update, before: TableView) => void)[] = [];
  #catchingUp: { to: number; updates: Update[] } | null = null;
  #seat: number | null = null;
  #offersDue = false;
  #closed = false;

  constructor(id: string) {
    this.id = id;
    this.#connect();
    addEventListener("online", this.#again);
    document.addEventListener("visibilitychange", this.#again);
  }

  /** Ends the connection. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#again);
    document.removeEventListener("visibilitychange", this.#again);
    this.#socket?.close();
  }

  /** Connects again as whoever this browser is now. */
  renew(): void {
    this.#attempts = 0;
    this.#connect();
  }

  /** Calls back with every update, and the table before it. */
  onUpdate(heard: (update: Update, before: TableView) => void): void {
    this.#heard.push(heard);
  }

  /** Asks from now on what this seat may do. */
  follow(seat: number | null): void {
    if (seat === this.#seat) return;
    this.#seat = seat;
    this.offers = new Map();
    this.#askOffers();
  }

  /** Asks something of the table. Resolves with the record it became, once it is durable. */
  ask(command: Command): Promise<number> {
    const id = newId();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { command, resolve, reject });
      this.#waitingChanged();
      this.#send({ type: "command", id, command });
    });
  }

  #waitingChanged(): void {
    this.waiting = new Map([...this.#waiting].map(([id, { command }]) => [id, command]));
  }

  #again = (): void => {
    if (this.line !== "lost" || document.hidden) return;
    this.#attempts = 0;
    this.#reconnect();
  };

  #reconnect(): void {
    clearTimeout(this.#timer);
    const wait = WAITS[Math.min(this.#attempts, WAITS.length - 1)] ?? 4_000;
    this.#attempts += 1;
    // Not everybody at once.
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #connect(): void {
    if (this.#closed) return;
    const after = this.table ? `?after=${this.table.seq}` : "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket${after}`,
    );
    this.#socket?.close();
    this.#socket = socket;
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#read(JSON.parse(String(message.data)) as FromServer);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket || this.#closed) return;
      this.#socket = null;
      this.line = this.table ? "lost" : "connecting";
      // A table that was never there will not come: ask why, in words.
      if (!this.table && this.#attempts >= 1) void this.#why();
      if (event.reason.includes("logged out")) {
        this.line = "ended";
        return;
      }
      this.#reconnect();
    };
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
    switch (frame.type) {
      case "snapshot":
        this.table = frame.table;
        this.problem = null;
        this.#opened();
        break;
      case "resumed":
        this.#catchingUp = { to: frame.seq, updates: [] };
        this.#opened();
        this.#caughtUp();
        break;
      case "update":
        this.#update(frame);
        break;
      case "ack":
        this.#answer(frame.id)?.resolve(frame.seq);
        break;
      case "refused":
        this.#answer(frame.id)?.reject(new Refused(frame.problem));
        break;
      case "offers":
        if (frame.seat === this.#seat)
          this.offers = new Map(frame.offers.map((offer) => [offer.wager, offer]));
        break;
      case "meter":
        this.#meter(frame);
        break;
      case "problem":
        this.problem = frame.problem;
        break;
    }
  }

  /** The line stands: what was not answered is said again. */
  #opened(): void {
    this.line = "open";
    this.#attempts = 0;
    for (const [id, { command }] of this.#waiting) this.#send({ type: "command", id, command });
    this.#askOffers();
  }

  #update(update: Update): void {
    const before = this.table;
    if (!before || update.seq <= before.seq) return;
    if (update.seq !== before.seq + 1) {
      this.#send({ type: "resume", after: before.seq });
      return;
    }
    this.table = apply(before, update);
    // Other rules, other wagers: everything anew.
    if (update.events.some((event) => event.event === "configured"))
      this.#send({ type: "resume", after: AFRESH });
    if (this.#catchingUp) {
      this.#catchingUp.updates.push(update);
      this.#caughtUp();
    } else for (const heard of this.#heard) heard(update, before);
    if (update.hand || update.seats.some((seat) => seat.seat === this.#seat)) this.#askOffers();
  }

  #caughtUp(): void {
    const catching = this.#catchingUp;
    if (!catching || !this.table || this.table.seq < catching.to) return;
    this.#catchingUp = null;
    this.missed = missed(catching.updates, this.#seat);
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
      if (this.#seat !== null) this.#send({ type: "offers", seat: this.#seat });
    }, 15);
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

/** An id that nobody has used: 96 random bits. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
