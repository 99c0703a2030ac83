import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { IDLE_SECONDS } from "../lib/lock.svelte.ts";
import { idleSeconds } from "./idle.svelte.ts";

test.each([
  ["", IDLE_SECONDS],
  ["?idle=10", 10],
  ["?idle=0", 2],
  ["?idle=-5", 2],
  ["?idle=soon", IDLE_SECONDS],
  // An address may make the console stricter, never laxer.
  ["?idle=86400", IDLE_SECONDS],
])("%s locks after %i seconds", (search, seconds) => expect(idleSeconds(search)).toBe(seconds));

type Heard = (event: { key: string; newValue: string | null }) => void;

/** A browser whose tabs share what it keeps. Its tabs are loaded one by one, each with modules of
 * its own; a storage event goes to all tabs but the one that wrote. */
class Browser {
  kept = new Map<string, string>();
  tabs: Map<string, Set<Heard>>[] = [];
  current = new Map<string, Set<Heard>>();

  constructor() {
    vi.stubGlobal("addEventListener", (type: string, heard: Heard) => {
      const all = this.current.get(type) ?? new Set();
      this.current.set(type, all.add(heard));
    });
    vi.stubGlobal("removeEventListener", (type: string, heard: Heard) => {
      for (const tab of this.tabs) tab.get(type)?.delete(heard);
    });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => this.kept.get(key) ?? null,
      setItem: (key: string, value: string) => this.#changed(key, value),
      removeItem: (key: string) => this.#changed(key, null),
    });
  }

  #changed(key: string, newValue: string | null): void {
    if (newValue === null) this.kept.delete(key);
    else this.kept.set(key, newValue);
    const writer = this.current;
    for (const tab of this.tabs)
      if (tab !== writer) this.in(tab, () => this.hear(tab, "storage", { key, newValue }));
  }

  hear(
    tab: Map<string, Set<Heard>>,
    type: string,
    event = { key: "", newValue: "" as string | null },
  ) {
    for (const heard of tab.get(type) ?? []) heard(event);
  }

  in<T>(tab: Map<string, Set<Heard>>, does: () => T): T {
    const before = this.current;
    this.current = tab;
    try {
      return does();
    } finally {
      this.current = before;
    }
  }

  /** Opens a console of a person. */
  async open(person: string) {
    const tab = new Map<string, Set<Heard>>();
    this.tabs.push(tab);
    this.current = tab;
    vi.resetModules();
    const [{ Idle }, inUse, { lock }] = await Promise.all([
      import("./idle.svelte.ts"),
      import("../lib/inUse.ts"),
      import("../lib/lock.svelte.ts"),
    ]);
    const idle = new Idle(person, IDLE_SECONDS);
    return {
      get locked() {
        return lock.holder === person;
      },
      touch: () => this.in(tab, () => this.hear(tab, "pointerdown")),
      unlock: () =>
        this.in(tab, () => {
          inUse.prove(person);
          idle.unlock();
        }),
      onProof: (heard: (person: string) => void) => this.in(tab, () => inUse.onProof(heard)),
      close: () => idle.close(),
    };
  }

  /** Opens another page: whoever is at it touches this browser too. */
  async openPage(person: string) {
    vi.resetModules();
    const { touch } = await import("../lib/inUse.ts");
    return { touch: () => touch(person, IDLE_SECONDS * 1_000) };
  }
}

/** Seconds. */
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);

describe("tabs of one browser", () => {
  let browser: Browser;
  beforeEach(() => {
    vi.useFakeTimers();
    browser = new Browser();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("an idle tab does not lock a tab in use", async () => {
    const idle = await browser.open("p-ann");
    const used = await browser.open("p-ann");
    for (let minute = 0; minute < 12; minute++) {
      pass(60);
      used.touch();
    }
    expect([idle.locked, used.locked]).toEqual([false, false]);
    // Both are idle: the browser is locked, all of it.
    pass(IDLE_SECONDS - 5);
    expect([idle.locked, used.locked]).toEqual([false, false]);
    pass(6);
    expect([idle.locked, used.locked]).toEqual([true, true]);
  });

  test("any other page of theirs keeps a console open", async () => {
    const console = await browser.open("p-ann");
    const history = await browser.openPage("p-ann");
    for (let minute = 0; minute < 12; minute++) {
      pass(60);
      history.touch();
    }
    expect(console.locked).toBe(false);
  });

  test("another person's touch does not", async () => {
    const console = await browser.open("p-ann");
    const other = await browser.open("p-bob");
    for (let minute = 0; minute < 6; minute++) {
      pass(59);
      other.touch();
    }
    expect([console.locked, other.locked]).toEqual([true, false]);
  });

  test("unlocking one tab unlocks the others, and they stay unlocked", async () => {
    const one = await browser.open("p-ann");
    const other = await browser.open("p-ann");
    pass(IDLE_SECONDS + 60);
    expect([one.locked, other.locked]).toEqual([true, true]);
    one.unlock();
    expect([one.locked, other.locked]).toEqual([false, false]);
    pass(30);
    expect([one.locked, other.locked]).toEqual([false, false]);
    pass(IDLE_SECONDS);
    expect([one.locked, other.locked]).toEqual([true, true]);
  });

  test("a password in one tab is heard of in the others", async () => {
    const one = await browser.open("p-ann");
    const other = await browser.open("p-ann");
    const heard = vi.fn();
    const stop = one.onProof(heard);
    other.touch();
    pass(5);
    other.touch();
    expect(heard).not.toHaveBeenCalled();
    other.unlock();
    expect(heard.mock.calls).toEqual([["p-ann"]]);
    stop();
    other.unlock();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test("the first touch after a sleep locks, in whichever tab it is", async () => {
    const console = await browser.open("p-ann");
    const history = await browser.openPage("p-ann");
    history.touch();
    // The machine sleeps: the clock goes on and no timer rings.
    vi.setSystemTime(Date.now() + 3_600_000);
    history.touch();
    pass(1);
    expect(console.locked).toBe(true);
  });

  test("a browser that keeps nothing locks each tab by itself", async () => {
    const refuse = () => {
      throw new Error("not here");
    };
    const console = await browser.open("p-ann");
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: vi.fn() });
    pass(IDLE_SECONDS - 10);
    console.touch();
    pass(IDLE_SECONDS - 10);
    expect(console.locked).toBe(false);
    pass(20);
    expect(console.locked).toBe(true);
  });
});
