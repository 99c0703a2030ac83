// The socket of one meter, kept open for as long as the sign hangs.

import type { FromServer, MeterView } from "$wire";
import { ReconnectingSocket } from "../lib/reconnectingSocket.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [250, 500, 1_000, 2_000, 4_000] as const;

export class MeterLine {
  readonly id: string;
  /** The meter as it was last heard of. */
  meter = $state.raw<MeterView>() as MeterView;
  open = $state(false);

  readonly #socket: ReconnectingSocket<FromServer>;

  constructor(meter: MeterView) {
    this.id = meter.meter;
    this.meter = meter;
    this.#socket = new ReconnectingSocket<FromServer>({
      path: () => `/api/meters/${encodeURIComponent(this.id)}/socket`,
      waits: WAITS,
      heard: (frame) => this.#read(frame),
      lost: () => {
        this.open = false;
        return true;
      },
    });
  }

  close(): void {
    this.#socket.close();
  }

  #read(frame: FromServer): void {
    if (frame.type !== "meter") return;
    this.meter = frame.meter;
    this.open = true;
    this.#socket.stands();
  }
}
