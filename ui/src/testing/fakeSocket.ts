// A server for unit tests: whatever sockets a page opens end up here.

import type { FromServer, HandView, SeatView, TableView, Update } from "$wire";
import { vi } from "vitest";

/** The server's clock, as its first frame on a socket tells it. */
export const NOW = { run: "run", at: 10_000 };

export interface Sent {
  type: string;
  id?: string;
  round?: number;
  until?: { run: string; at: number };
  list?: number;
  item?: number;
  on?: boolean;
  command?: { command: string; [key: string]: unknown };
  after?: number;
  seat?: number;
}

export class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 1;
  sent: Sent[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }

  close(): void {
    this.readyState = 3;
  }

  /** The server says something. */
  say(frame: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  /** The line breaks. */
  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: "" });
  }

  get commands(): Sent[] {
    return this.sent.filter(({ type }) => type === "command");
  }
}

/** Puts the fake in the browser's place. */
export function install(): void {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "here", href: "http://here/" });
  const listens = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal("document", { ...listens, hidden: false });
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  vi.stubGlobal("localStorage", { getItem: () => "false", setItem: vi.fn() });
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
}

export const ann: SeatView = { seat: 0, name: "Ann", person: "ann", rack: 50_000, bets: [] };

export const hand = (more: Partial<HandView> = {}): HandView =>
  ({
    status: "running",
    betting: true,
    phase: "open",
    round: 40,
    last_roll: null,
    tray: null,
    fill_needed: null,
    puck: null,
    shooter: 0,
    rolls: 3,
    hand_rolls: 0,
    players: 1,
    commitment: "c",
    claims: [],
    proposals: [],
    ...more,
  }) as HandView;

export const table = (more: Partial<TableView> = {}): TableView =>
  ({
    id: "t",
    seq: 50,
    seats: [ann],
    wagers: [],
    recent: [],
    meters: [],
    config: { dice: "house", betting_seconds: null, practice: true },
    hand: hand(),
    ...more,
  }) as TableView;

export const update = (
  seq: number,
  more: Partial<Update> = {},
): Extract<FromServer, { type: "update" }> => ({
  type: "update",
  seq,
  at: 0,
  by: "ann",
  events: [],
  seats: [],
  hand: null,
  ...more,
});

/** An update that brings a roll. */
export const roll = (
  seq: number,
  number: number,
  lines: object[] = [],
): ReturnType<typeof update> =>
  update(seq, {
    events: [
      {
        event: "rolled",
        dice: "3-4",
        total: 7,
        number,
        shooter: 0,
        call: "seven",
        point: null,
        lines,
        envy: 0,
        claims: [],
        thrown: null,
      } as never,
    ],
    hand: hand({ rolls: number, round: seq }),
  });
