import { afterEach, describe, expect, test, vi } from "vitest";
import type { Session } from "./session.ts";
import { AccountStore, BrowserStore, MOST, OpenSession, type Shelf } from "./store.ts";

/** A browser's storage, with room for so many keys. */
function shelf(room = Infinity): Shelf & { keys: () => string[] } {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (place) => [...kept.keys()][place] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      if (!kept.has(key) && kept.size >= room) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}

const session = (started: number, more: Partial<Session> = {}): Session =>
  ({
    id: `s${started}`,
    last: started,
    table: "t",
    person: "ann",
    started,
    ended: null,
    rolls: Array<number>(11).fill(0),
    line: [],
    hands: [],
    wagers: {},
    shooting: {},
    dice: {},
    ...more,
  }) as unknown as Session;

const ids = (sessions: Session[]) => sessions.map(({ id }) => id);

describe("in the browser", () => {
  test("sessions are kept, replaced and read newest first", async () => {
    const store = new BrowserStore(shelf(), "guest");
    for (const started of [2, 1, 3]) await store.save(session(started));
    await store.save(session(2, { result: 500 }));
    const all = await store.all();
    expect(ids(all)).toEqual(["s3", "s2", "s1"]);
    expect(all[1]!.result).toBe(500);
  });

  test("the oldest goes when there are too many", async () => {
    const store = new BrowserStore(shelf(), "guest");
    for (let started = 1; started <= MOST + 2; started += 1) await store.save(session(started));
    const all = await store.all();
    expect(all).toHaveLength(MOST);
    expect(all.at(-1)!.id).toBe("s3");
  });

  test("the oldest makes way where the browser's room is used up", async () => {
    const store = new BrowserStore(shelf(3), "guest");
    for (let started = 1; started <= 5; started += 1) await store.save(session(started));
    expect(ids(await store.all())).toEqual(["s5", "s4", "s3"]);
  });

  test("what others wrote there is passed over, and stays", async () => {
    const there = shelf();
    there.setItem("boxman.tumble", "true");
    there.setItem("boxman.play/guest/x", "{half");
    there.setItem("boxman.play/guest/y", '{"id":"y"}');
    const [guest, ann] = [new BrowserStore(there, "guest"), new BrowserStore(there, "p-ann")];
    await guest.save(session(1));
    await ann.save(session(2));
    expect(ids(await guest.all())).toEqual(["s1"]);
    await guest.forgetAll();
    expect(there.keys()).toEqual(["boxman.tumble", "boxman.play/p-ann/s2"]);
  });

  test("what is forgotten does not go on", async () => {
    const there = shelf();
    const open = (person: string, table: string) => new OpenSession(there, person, table);
    open("guest-1", "t").write(session(1));
    open("guest-1", "u").write(session(2));
    open("p-ann", "t").write(session(3));
    const store = new BrowserStore(there, "guest");
    await store.forget("s1");
    expect(open("guest-1", "t").read()).toBeNull();
    expect(open("guest-1", "u").read()?.id).toBe("s2");
    await store.forgetAll();
    expect(there.keys()).toEqual(["boxman.playing/p-ann/t"]);
  });

  test("the session going on is found again, and not once it has ended", () => {
    const there = shelf();
    const open = new OpenSession(there, "ann", "t");
    open.write(session(1));
    expect(new OpenSession(there, "ann", "t").read()?.id).toBe("s1");
    expect(new OpenSession(there, "bob", "t").read()).toBeNull();
    open.write(session(1, { ended: 9 }));
    expect(open.read()).toBeNull();
  });

  test("those of guests who have not come back for a day go when another is written", () => {
    const there = shelf();
    const HOUR = 60 * 60 * 1000;
    const write = (guest: string, seen: number) =>
      new OpenSession(there, guest, "t").write(session(1, { seen }));
    there.setItem("boxman.play/guest/s1", "a session that was saved");
    write("guest-1", 0);
    write("guest-2", 2 * HOUR);
    write("guest-3", 24 * HOUR);
    expect(there.keys()).toHaveLength(4);
    write("guest-3", 25 * HOUR);
    expect(there.keys()).toEqual([
      "boxman.play/guest/s1",
      "boxman.playing/guest-2/t",
      "boxman.playing/guest-3/t",
    ]);
  });
});

describe("with the account", () => {
  afterEach(() => vi.unstubAllGlobals());

  function server(answer: (method: string, path: string) => Response) {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string, { method = "GET" }: RequestInit) => {
      asked.push(`${method} ${path}`);
      return Promise.resolve(answer(method, path));
    });
    return asked;
  }
  const none = () => new Response(null, { status: 204 });
  const make = () => {
    const here = new BrowserStore(shelf(), "p-ann");
    return { here, store: new AccountStore(here) };
  };

  test("it is asked for what it keeps, and what was just saved counts", async () => {
    const kept = { sessions: [{ id: "s1", at: 0, session: session(1) }] };
    const asked = server((method) => (method === "GET" ? Response.json(kept) : none()));
    const { here, store } = make();
    await store.save(session(1, { result: 700 }), true);
    await store.save(session(2));
    const all = await store.all();
    expect(ids(all)).toEqual(["s2", "s1"]);
    expect(all[1]!.result).toBe(700);
    await store.forget("s1");
    await store.forgetAll();
    expect(asked).toEqual([
      "PUT /api/me/play/s1",
      "PUT /api/me/play/s2",
      "GET /api/me/play",
      "DELETE /api/me/play/s1",
      "DELETE /api/me/play",
    ]);
    expect(await here.all()).toEqual([]);
    expect(store.place).toBe("account");
  });

  test("what another browser has counted further counts", async () => {
    const kept = { sessions: [{ id: "s1", at: 0, session: session(1, { last: 90, result: 5 }) }] };
    server((method) => (method === "GET" ? Response.json(kept) : none()));
    const { store } = make();
    await store.save(session(1, { last: 80, result: 3 }));
    expect((await store.all())[0]!.result).toBe(5);
  });

  test("a server that keeps none leaves it to the browser, and is asked once", async () => {
    const asked = server(() => new Response(null, { status: 404 }));
    const { here, store } = make();
    await store.save(session(1));
    await store.save(session(2));
    expect(ids(await store.all())).toEqual(["s2", "s1"]);
    expect(ids(await here.all())).toEqual(["s2", "s1"]);
    expect(asked).toEqual(["PUT /api/me/play/s1"]);
    expect(store.place).toBe("browser");
    await store.forgetAll();
    expect(await store.all()).toEqual([]);
  });

  test("a server in trouble is no such server", async () => {
    server(() => new Response(null, { status: 503 }));
    const { here, store } = make();
    await expect(store.save(session(1))).rejects.toThrow("503");
    await expect(store.all()).rejects.toThrow("503");
    expect(await here.all()).toEqual([]);
  });
});
