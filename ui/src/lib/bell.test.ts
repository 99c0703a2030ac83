import type { WaitingView } from "$wire";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, install } from "../testing/fakeSocket.ts";

const rang = vi.fn();
vi.mock("../table/sound.ts", () => ({ bell: rang }));

const item = (number: number, more: Partial<WaitingView> = {}): WaitingView => ({
  at: "table",
  id: "t",
  name: "Pit 4",
  kind: "request",
  number,
  what: "fill of 50000.00",
  lines: [],
  reason: "over 10000.00 in a day",
  by: "Mx. dan",
  amount: null,
  until: 1,
  ...more,
});
const say = (...waiting: WaitingView[]) =>
  FakeSocket.last.say({ type: "waiting", waiting } as never);
const kept = new Map<string, string>();
/** Which tab rings, by the name of a lock. */
let free = true;

async function fresh() {
  vi.resetModules();
  return (await import("./bell.svelte.ts")).bell;
}

beforeEach(() => {
  install();
  rang.mockClear();
  kept.clear();
  free = true;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  const request = (_: string, __: object, act: (lock: object | null) => Promise<void>) =>
    act(free ? {} : null);
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true }, locks: { request } });
});

const settle = () => vi.advanceTimersByTimeAsync(50);

test("what waits is counted, and known to be old while the line is cut", async () => {
  const bell = await fresh();
  bell.hold("sue");
  expect(FakeSocket.last.url).toBe("ws://here/api/waiting/socket");
  expect([bell.feed?.items, bell.feed?.heard]).toEqual([null, false]);
  say(item(7), item(8));
  expect([bell.feed?.items?.length, bell.feed?.heard]).toEqual([2, true]);
  FakeSocket.last.drop();
  expect([bell.feed?.items?.length, bell.feed?.heard]).toEqual([2, false]);
  await vi.advanceTimersByTimeAsync(400);
  expect(FakeSocket.all.length).toBe(2);
  say(item(8));
  expect([bell.feed?.items?.length, bell.feed?.heard]).toEqual([1, true]);
});

test("it is quiet until somebody wants to hear it, and that is remembered", async () => {
  const bell = await fresh();
  bell.hold("sue");
  say();
  say(item(7));
  await settle();
  expect([bell.sound, rang.mock.calls.length]).toEqual([false, 0]);
  bell.setSound(true);
  await settle();
  // Once to hear what it is like.
  expect(rang).toHaveBeenCalledTimes(1);
  expect((await fresh()).sound).toBe(true);
});

test("it rings for what is new, once, and not for what was there", async () => {
  kept.set("boxman.bell", "true");
  const bell = await fresh();
  bell.hold("sue");
  say(item(7));
  await settle();
  expect(rang).not.toHaveBeenCalled();
  say(item(7), item(8));
  await settle();
  expect(rang).toHaveBeenCalledTimes(1);
  say(item(8));
  say(item(8, { what: "fill of 60000.00" }));
  await settle();
  expect(rang).toHaveBeenCalledTimes(1);
  // The same number at another table is something else.
  say(item(8), item(8, { id: "u" }));
  await settle();
  expect(rang).toHaveBeenCalledTimes(2);
  // What came while the line was cut is new.
  FakeSocket.last.drop();
  await vi.advanceTimersByTimeAsync(400);
  say(item(8), item(8, { id: "u" }), item(9, { kind: "claim" }));
  await settle();
  expect(rang).toHaveBeenCalledTimes(3);
});

test("of several tabs one rings", async () => {
  kept.set("boxman.bell", "true");
  free = false;
  const bell = await fresh();
  bell.hold("sue");
  say();
  say(item(7));
  await settle();
  expect(rang).not.toHaveBeenCalled();
});

test("one socket serves all pages, and each person has their own", async () => {
  const bell = await fresh();
  const first = bell.hold("sue");
  say(item(7));
  first();
  await vi.advanceTimersByTimeAsync(500);
  const second = bell.hold("sue");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([FakeSocket.all.length, bell.feed?.items?.length]).toEqual([1, 1]);
  const other = bell.hold("sam");
  expect([FakeSocket.all.length, bell.feed?.items]).toEqual([2, null]);
  expect(FakeSocket.all[0]?.readyState).toBe(3);
  second();
  other();
  await vi.advanceTimersByTimeAsync(3_000);
  expect([bell.feed, FakeSocket.last.readyState]).toEqual([null, 3]);
});

test("after a logout it does not come again", async () => {
  const bell = await fresh();
  bell.hold("sue");
  say(item(7));
  FakeSocket.last.drop(4001);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.all.length).toBe(1);
});
