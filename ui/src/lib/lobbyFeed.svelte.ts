// Every table of the house on one socket. Where there is none to be had the list is asked for
// again and again instead, and the socket is tried now and then.

import type { FromLobby, TableLine } from "$wire";
import { get, sentence } from "./api.ts";
import { ReconnectingSocket } from "./reconnectingSocket.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [250, 1_000, 4_000, 15_000, 30_000] as const;
/** How often the list is asked for without a socket. */
const POLL = 4_000;

/** Where there is most to see comes first, for whoever comes in; later nothing changes places. */
const busiestFirst = (tables: TableLine[]): TableLine[] =>
  tables.toSorted(
    (one, other) =>
      Number(other.status === "running") - Number(one.status === "running") ||
      other.players - one.players ||
      one.name.localeCompare(other.name),
  );

/** Tables where they were, and those that are new after them. */
function asBefore(before: TableLine[], tables: TableLine[]): TableLine[] {
  const ids = before.map(({ id }) => id);
  const known = ids.flatMap((id) => tables.filter((table) => table.id === id));
  return [...known, ...busiestFirst(tables.filter(({ id }) => !ids.includes(id)))];
}

export class LobbyFeed {
  /** The tables, once they are known. */
  tables = $state.raw<TableLine[] | null>(null);
  /** Why they are not, or no longer as they are now. */
  problem = $state("");

  readonly #socket: ReconnectingSocket<FromLobby>;
  #poll: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor() {
    this.#socket = new ReconnectingSocket<FromLobby>({
      path: () => "/api/lobby/socket",
      waits: WAITS,
      heard: (frame) => this.#read(frame),
      lost: () => {
        this.#startPolling();
        return true;
      },
      hurried: () => void this.#look(),
    });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    this.#socket.close();
  }

  #read(frame: FromLobby): void {
    switch (frame.type) {
      case "lobby":
        clearInterval(this.#poll);
        this.#poll = undefined;
        this.#socket.stands();
        this.problem = "";
        this.tables = busiestFirst(frame.tables);
        break;
      case "table": {
        const line = frame.table;
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
      const tables = await get<TableLine[]>("/api/tables");
      if (!polling()) return;
      this.tables = asBefore(this.tables ?? [], tables);
      this.problem = "";
    } catch (error) {
      if (polling()) this.problem = sentence(error);
    }
  }
}
