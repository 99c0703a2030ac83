// A socket of this server that is opened again whenever it breaks: soon, later where it breaks
// again and again, and at once when the browser or its reader is back.

/** One that has stood this long, in milliseconds, is a good one. */
const STEADY = 3_000;
/** Where nothing at all comes for so long after something was sent, in milliseconds, the way there
 * has gone silent without breaking. */
const SILENT = 10_000;
/** The server ends a socket with this where too many watch. */
export const NO_ROOM = 4002;
/** It is no use to come again sooner than this, in milliseconds. */
const NO_ROOM_WAIT = 30_000;

interface Keeper<Frame> {
  /** Where it leads, as of now. */
  path: () => string;
  /** How long until the next attempt, in milliseconds, by how many have failed. */
  waits: readonly [number, ...number[]];
  heard: (frame: Frame) => void;
  /** It broke with this code, after so many failures; whether it is opened again. */
  lost: (code: number, failures: number) => boolean;
  /** It is opened at once, because somebody is back. */
  hurried?: () => void;
}

export class ReconnectingSocket<Frame> {
  readonly #keeper: Keeper<Frame>;
  #socket: WebSocket | null = null;
  #failures = 0;
  #isDown = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #steady: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(keeper: Keeper<Frame>) {
    this.#keeper = keeper;
    this.#connect();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  /** Ends it for good. */
  close(): void {
    this.#isClosed = true;
    this.#forgetTimers();
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  /** Opens another in its place, at once. */
  renew(): void {
    this.#failures = 0;
    this.#connect();
  }

  /** What was to be heard first has been: it stands. */
  stands(): void {
    this.#isDown = false;
    this.#steady ??= setTimeout(() => (this.#failures = 0), STEADY);
  }

  /** Sends, or does nothing while there is no connection; whether it sent. */
  send(frame: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    this.#silence ??= setTimeout(() => {
      this.#socket?.close();
      this.#lost(1006);
    }, SILENT);
    return true;
  }

  #hurry = (): void => {
    if (!this.#isDown || document.hidden) return;
    this.renew();
    this.#keeper.hurried?.();
  };

  #connect(): void {
    if (this.#isClosed) return;
    this.#forgetTimers();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.#keeper.path()}`);
    this.#socket?.close();
    this.#socket = socket;
    socket.onmessage = (message) => {
      if (socket !== this.#socket) return;
      this.#isAlive();
      this.#keeper.heard(JSON.parse(String(message.data)) as Frame);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket && !this.#isClosed) this.#lost(code);
    };
  }

  #lost(code: number): void {
    this.#socket = null;
    this.#forgetTimers();
    this.#isDown = this.#keeper.lost(code, this.#failures);
    if (!this.#isDown) return;
    const { waits } = this.#keeper;
    const soon = waits[Math.min(this.#failures, waits.length - 1)] ?? waits[0];
    const wait = code === NO_ROOM ? NO_ROOM_WAIT : soon;
    this.#failures += 1;
    // Not everybody at once.
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #isAlive(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #forgetTimers(): void {
    this.#isAlive();
    clearTimeout(this.#timer);
    clearTimeout(this.#steady);
    this.#steady = undefined;
  }
}
