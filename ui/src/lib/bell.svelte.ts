// The bell of the crew: what waits for this person at any table or meter of the house, heard on one
// socket for all pages, and an optional sound when something new comes.

import type { FromBell, WaitingView } from "$wire";
import { ReconnectingSocket } from "./reconnectingSocket.ts";

/** How long until the next attempt, in milliseconds, by how many have failed. */
const WAITS = [250, 1_000, 4_000, 15_000] as const;
/** The server ends a socket with this where its session has ended. */
const LOGGED_OUT = 4001;
/** A page that opens soon after another one closed hears on the same socket, in milliseconds. */
const LINGER = 2_000;
/** Other tabs of this browser leave a sound to the first one for so long, in milliseconds. */
const ECHO = 1_500;
const KEPT = "boxman.bell";

/** What tells one thing that waits from another. */
export const keyOf = ({ at, id, kind, number }: WaitingView): string =>
  `${at} ${id} ${kind} ${number}`;

/** What waits for the person who is logged in. */
export class WaitingFeed {
  /** What waits, once it is known. */
  items = $state.raw<WaitingView[] | null>(null);
  /** Whether the server can be heard: if not, what was known may be old. */
  heard = $state(false);

  readonly #socket: ReconnectingSocket<FromBell>;
  #known: ReadonlySet<string> | null = null;

  /** `fresh` is called when something comes that did not wait before. */
  constructor(fresh: () => void) {
    this.#socket = new ReconnectingSocket<FromBell>({
      path: () => "/api/waiting/socket",
      waits: WAITS,
      heard: ({ waiting }) => {
        this.#socket.stands();
        this.heard = true;
        this.items = waiting;
        const known = this.#known;
        this.#known = new Set(waiting.map(keyOf));
        if (known && waiting.some((item) => !known.has(keyOf(item)))) fresh();
      },
      lost: (code) => {
        this.heard = false;
        return code !== LOGGED_OUT;
      },
    });
  }

  close(): void {
    this.#socket.close();
  }
}

/** The one bell of this page. */
class Bell {
  /** Whether it may be heard: not until this person says so. */
  sound = $state(kept());
  feed = $state.raw<WaitingFeed | null>(null);

  #person = "";
  #holders = 0;
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    globalThis.addEventListener?.("storage", ({ key }) => {
      if (key === null || key === KEPT) this.sound = kept();
    });
  }

  /** Listens for a person, until what it returns is called. */
  hold(person: string): () => void {
    clearTimeout(this.#closing);
    if (!this.feed || this.#person !== person) {
      this.feed?.close();
      this.feed = new WaitingFeed(() => this.#ring());
      this.#person = person;
    }
    const { feed } = this;
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
      if (this.#holders > 0 || this.feed !== feed) return;
      this.#closing = setTimeout(() => {
        feed.close();
        this.feed = null;
      }, LINGER);
    };
  }

  setSound(sound: boolean): void {
    this.sound = sound;
    try {
      localStorage.setItem(KEPT, String(sound));
    } catch {
      // A browser that keeps nothing forgets this as well.
    }
    if (sound) void play();
  }

  #ring(): void {
    if (this.sound) void alone(play);
  }
}

async function play(): Promise<void> {
  const { bell } = await import("../table/sound.ts");
  bell();
}

/** Plays in one tab only, of those that may be heard at all. */
async function alone(play: () => Promise<void>): Promise<void> {
  const { locks, userActivation } = navigator;
  if (!userActivation?.hasBeenActive) return;
  if (!locks) return play();
  await locks.request(KEPT, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await play();
    await new Promise((over) => setTimeout(over, ECHO));
  });
}

function kept(): boolean {
  try {
    return localStorage.getItem(KEPT) === "true";
  } catch {
    return false;
  }
}

export const bell = new Bell();
