// Every table of the house on one socket. Where there is none to be had the list is asked for
// again and again instead, and the socket is tried now and then.

import { lineOf, type Line, type Sent } from "../lobby/line.ts";
import { get, sentence } from "./api.ts";
import { NO_ROOM, NO_ROOM_WAIT, socketAddress } from "./live.svelte.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [250, 1_000, 4_000, 15_000, 30_000];
/** How often the list is asked for without a socket. */
const POLL = 4_000;

type Frame =
  { type: "lobby"; tables: Sent[] } | { type: "table"; table: Sent } | { type: "gone"; id: string };

export class LobbyFeed {
  /** The tables, once they are known. */
  tables = $state.raw<Line[] | null>(null);
  /** Why they are not, or no longer as they are now. */
  problem = $state("");

  #socket: WebSocket | null = null;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor() {
    this.#connect();
    addEventListener("online", this.#again);
    document.addEventListener("visibilitychange", this.#again);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    removeEventListener("online", this.#again);
    document.removeEventListener("visibilitychange", this.#again);
    this.#socket?.close();
  }

  #again = (): void => {
    if (this.#poll === undefined || document.hidden) return;
    this.#attempts = 0;
    this.#connect();
    void this.#look();
  };

  #connect(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    const socket = new WebSocket(socketAddress("/api/lobby/socket"));
    this.#socket?.close();
    this.#socket = socket;
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#read(JSON.parse(String(message.data)) as Frame);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket || this.#closed) return;
      this.#socket = null;
      const soon = WAITS[Math.min(this.#attempts, WAITS.length - 1)] ?? 30_000;
      const wait = event.code === NO_ROOM ? NO_ROOM_WAIT : soon;
      this.#attempts += 1;
      // Not everybody at once.
      this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
      this.#startPolling();
    };
  }

  #read(frame: Frame): void {
    switch (frame.type) {
      case "lobby":
        clearInterval(this.#poll);
        this.#poll = undefined;
        this.#attempts = 0;
        this.problem = "";
        this.tables = frame.tables.map(lineOf);
        break;
      case "table": {
        const line = lineOf(frame.table);
        const tables = this.tables ?? [];
        const known = tables.some((other) => other.id === line.id);
        this.tables = known
          ? tables.map((other) => (other.id === line.id ? line : other))
          : [...tables, line];
        break;
      }
      case "gone":
        this.tables = (this.tables ?? []).filter((line) => line.id !== frame.id);
        break;
    }
  }

  #startPolling(): void {
    if (this.#poll !== undefined) return;
    this.#poll = setInterval(() => document.hidden || void this.#look(), POLL);
    void this.#look();
  }

  async #look(): Promise<void> {
    const polling = () => this.#poll !== undefined && !this.#closed;
    try {
      const tables = await get<Sent[]>("/api/tables");
      if (!polling()) return;
      this.tables = tables.map(lineOf);
      this.problem = "";
    } catch (error) {
      if (polling()) this.problem = sentence(error);
    }
  }
}
