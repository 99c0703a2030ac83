// The socket of one meter, kept open for as long as the sign hangs.

import type { FromServer, MeterView } from "$wire";
import { NO_ROOM, NO_ROOM_WAIT, socketAddress } from "../lib/live.svelte.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [250, 500, 1_000, 2_000, 4_000];

export class MeterLine {
  readonly id: string;
  /** The meter as it was last heard of. */
  meter = $state.raw<MeterView>() as MeterView;
  open = $state(false);

  #socket: WebSocket | null = null;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(meter: MeterView) {
    this.id = meter.meter;
    this.meter = meter;
    this.#connect();
    addEventListener("online", this.#again);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#again);
    this.#socket?.close();
  }

  #again = (): void => {
    if (this.open) return;
    this.#attempts = 0;
    clearTimeout(this.#timer);
    this.#connect();
  };

  #connect(): void {
    if (this.#closed) return;
    const socket = new WebSocket(
      socketAddress(`/api/meters/${encodeURIComponent(this.id)}/socket`),
    );
    this.#socket?.close();
    this.#socket = socket;
    socket.onmessage = (message) => {
      const frame = JSON.parse(String(message.data)) as FromServer;
      if (socket !== this.#socket || frame.type !== "meter") return;
      this.meter = frame.meter;
      this.open = true;
      this.#attempts = 0;
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket || this.#closed) return;
      this.open = false;
      const soon = WAITS[Math.min(this.#attempts, WAITS.length - 1)] ?? 4_000;
      const wait = event.code === NO_ROOM ? NO_ROOM_WAIT : soon;
      this.#attempts += 1;
      // Not every sign of the house at once.
      this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
    };
  }
}
