// Where sessions are kept: with the account, or in this browser for guests and where the server
// keeps none. The session that is going on is always in this browser too, to go on after a reload.

import type { Me } from "$wire";
import { isSession, type Session } from "./session.ts";

/** As many sessions are kept in a browser, and as many bytes of each. */
export const MOST = 200;
export const BYTES = 16_384;

const PATH = "/api/me/play";
const GOING = "boxman.playing/";
/** A session not seen for this long goes on no more, in milliseconds. */
const STALE = 24 * 60 * 60 * 1000;

/** The part of the browser's storage that is used here. */
export type Shelf = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

export interface Store {
  /** Where it is, for people. */
  place: "account" | "browser";
  /** Every session, newest first. */
  all(): Promise<Session[]>;
  /** Keeps one; whoever is leaving the page does not wait. */
  save(session: Session, leaving?: boolean): Promise<void>;
  forget(id: string): Promise<void>;
  forgetAll(): Promise<void>;
}

/** A session in so few bytes that it is taken: old hands go first, then points of the line. */
export function compact(session: Session, most = BYTES): string {
  let kept = session;
  for (let tries = 0; tries < 12; tries += 1) {
    const written = JSON.stringify(kept);
    if (new TextEncoder().encode(written).length <= most) return written;
    const { hands, line } = kept;
    const thin = line.filter((_, place) => place % 2 === 0 || place === line.length - 1);
    kept =
      hands.length > 8
        ? { ...kept, hands: hands.slice(hands.length / 2) }
        : { ...kept, line: thin };
  }
  return JSON.stringify({ ...kept, hands: [], line: [], undo: null });
}

/** What lies on a shelf under names that begin so. */
function keysOf(shelf: Shelf, prefix: string): string[] {
  const all = Array.from({ length: shelf.length }, (_, place) => shelf.key(place));
  return all.filter((key) => key !== null).filter((key) => key.startsWith(prefix));
}

const newestFirst = (one: Session, other: Session) => other.started - one.started;

/** Sessions in the browser, a key for each so that saving one writes no more than that. */
export class BrowserStore implements Store {
  readonly place = "browser";
  #shelf: Shelf;
  #prefix: string;
  /** Where the sessions going on are: a guest's person begins as their owner is called. */
  #going: string;

  constructor(shelf: Shelf, owner: string) {
    this.#shelf = shelf;
    this.#prefix = `boxman.play/${owner}/`;
    this.#going = GOING + owner;
  }

  all(): Promise<Session[]> {
    return Promise.resolve(this.#read());
  }

  save(session: Session): Promise<void> {
    const key = this.#prefix + session.id;
    const isNew = this.#shelf.getItem(key) === null;
    const others = () => this.#read().filter(({ id }) => id !== session.id);
    if (isNew) for (const old of others().slice(MOST - 1)) this.#drop(old.id);
    for (let tries = 0; tries < MOST; tries += 1) {
      try {
        this.#shelf.setItem(key, compact(session));
        break;
      } catch {
        // The browser's room is used up: the oldest makes way.
        const oldest = others().at(-1);
        if (!oldest) break;
        this.#drop(oldest.id);
      }
    }
    return Promise.resolve();
  }

  forget(id: string): Promise<void> {
    this.#drop(id);
    for (const key of keysOf(this.#shelf, this.#going))
      if (parsed(this.#shelf.getItem(key))?.id === id) this.#shelf.removeItem(key);
    return Promise.resolve();
  }

  forgetAll(): Promise<void> {
    for (const prefix of [this.#prefix, this.#going])
      for (const key of keysOf(this.#shelf, prefix)) this.#shelf.removeItem(key);
    return Promise.resolve();
  }

  #drop(id: string): void {
    this.#shelf.removeItem(this.#prefix + id);
  }

  #read(): Session[] {
    return keysOf(this.#shelf, this.#prefix)
      .map((key) => parsed(this.#shelf.getItem(key)))
      .filter((session) => session !== null)
      .sort(newestFirst);
  }
}

/** Sessions with the account. */
export class AccountStore implements Store {
  #here: BrowserStore;
  /** Whether the server keeps sessions; it is asked once. */
  #away = false;
  /** What was saved from this page, which an answer on its way may not know yet. */
  #saved = new Map<string, Session>();

  constructor(here: BrowserStore) {
    this.#here = here;
  }

  get place(): "account" | "browser" {
    return this.#away ? "browser" : "account";
  }

  async all(): Promise<Session[]> {
    const answer = await this.#ask("GET", "");
    if (!answer) return this.#here.all();
    const { sessions } = (await answer.json()) as { sessions: { session: unknown }[] };
    const kept = sessions.map(({ session }) => session).filter(isSession);
    const all = new Map(kept.map((session) => [session.id, session]));
    for (const [id, session] of this.#saved)
      if (session.last >= (all.get(id)?.last ?? 0)) all.set(id, session);
    return [...all.values()].sort(newestFirst);
  }

  async save(session: Session, leaving = false): Promise<void> {
    this.#saved.set(session.id, session);
    const kept = await this.#ask("PUT", `/${session.id}`, {
      headers: { "content-type": "application/json" },
      body: compact(session),
      keepalive: leaving,
    });
    if (!kept) await this.#here.save(session);
  }

  async forget(id: string): Promise<void> {
    this.#saved.delete(id);
    await this.#ask("DELETE", `/${id}`);
    await this.#here.forget(id);
  }

  async forgetAll(): Promise<void> {
    this.#saved.clear();
    await this.#ask("DELETE", "");
    await this.#here.forgetAll();
  }

  /** The server's answer; nothing where it keeps no sessions. */
  async #ask(method: string, path: string, init: RequestInit = {}): Promise<Response | null> {
    if (this.#away) return null;
    const answer = await fetch(PATH + path, { ...init, method });
    if (answer.ok) return answer;
    if (answer.status !== 404) throw new Error(`the server said ${answer.status}`);
    // One session that is gone already is no sign that none are kept.
    if (method === "DELETE" && path !== "") return answer;
    this.#away = true;
    return null;
  }
}

/** The session going on at a table, so that a reload goes on with it. */
export class OpenSession {
  #shelf: Shelf;
  #key: string;

  constructor(shelf: Shelf, person: string, table: string) {
    this.#shelf = shelf;
    this.#key = `${GOING}${person}/${table}`;
  }

  read(): Session | null {
    return parsed(this.#shelf.getItem(this.#key));
  }

  write(session: Session): void {
    this.#tidy(session.seen);
    try {
      if (session.ended === null) this.#shelf.setItem(this.#key, compact(session));
      else this.#shelf.removeItem(this.#key);
    } catch {
      // A browser without room begins anew after a reload.
    }
  }

  /** Whoever does not come back ends no session: what was left so long ago is dropped. */
  #tidy(now: number): void {
    for (const key of keysOf(this.#shelf, GOING)) {
      const left = parsed(this.#shelf.getItem(key));
      if (left === null || now - left.seen > STALE) this.#shelf.removeItem(key);
    }
  }
}

function parsed(written: string | null): Session | null {
  if (written === null) return null;
  try {
    const kept: unknown = JSON.parse(written);
    return isSession(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** Nothing is kept where a browser forbids it. */
export function shelf(): Shelf {
  try {
    return localStorage;
  } catch {
    return {
      length: 0,
      key: () => null,
      getItem: () => null,
      setItem: () => {},
      removeItem: () => {},
    };
  }
}

const stores = new Map<string, Store>();

/** The store of whoever is at this browser; what guests played belongs to the browser. */
export function storeOf(me: Me | null): Store {
  const owner = me && !me.roles.includes("guest") ? me.person : "guest";
  let store = stores.get(owner);
  if (!store) {
    const here = new BrowserStore(shelf(), owner);
    store = owner === "guest" ? here : new AccountStore(here);
    stores.set(owner, store);
  }
  return store;
}
