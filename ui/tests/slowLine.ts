// A line to the server that takes a random while for whatever goes over it, each way and in order.

import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export class SlowLine {
  address = "";
  #server: Server;
  #wait: () => number;

  /** `wait` says how many milliseconds the next bytes take. */
  constructor(to: string, wait: () => number) {
    this.#wait = wait;
    const { hostname, port } = new URL(to);
    this.#server = createServer((here) => {
      const there = connect(Number(port), hostname);
      this.#pass(here, there);
      this.#pass(there, here);
    });
  }

  #pass(from: Socket, to: Socket): void {
    let last = Promise.resolve();
    /** After everything before it, and not before its own time. */
    const later = (act: () => void) => {
      const due = Date.now() + this.#wait();
      last = last.then(async () => {
        await pause(due - Date.now());
        if (!to.destroyed) act();
      });
    };
    from.on("data", (bytes) => later(() => to.write(bytes)));
    from.on("end", () => later(() => to.end()));
    from.on("error", () => to.destroy());
    from.on("close", () => later(() => to.destroy()));
  }

  async open(): Promise<this> {
    await new Promise<void>((open) => this.#server.listen(0, "127.0.0.1", open));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  close(): void {
    this.#server.close();
  }
}
