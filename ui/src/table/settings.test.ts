import { beforeEach, expect, test, vi } from "vitest";

const kept = new Map<string, string>();
let heard: ((event: { key: string | null }) => void) | null = null;

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  vi.stubGlobal("addEventListener", (name: string, hear: typeof heard) => {
    if (name === "storage") heard = hear;
  });
});

const fresh = async () => (await import("./settings.svelte.ts")).settings;

test("a browser that has kept nothing is quiet, lets dice tumble and puts nothing by itself", async () => {
  const settings = await fresh();
  const { sound, tumble, stayUp, sameBets, muted } = settings;
  expect([sound, tumble, stayUp, sameBets, muted]).toEqual([false, true, false, false, false]);
  expect(settings.isChosen("stayUp")).toBe(false);
});

test("what was chosen is remembered", async () => {
  (await fresh()).set("sound", true);
  vi.resetModules();
  expect((await fresh()).sound).toBe(true);
});

test("what is chosen in one window holds in another", async () => {
  kept.set("boxman.stayUp", "true");
  const settings = await fresh();
  expect(settings.stayUp).toBe(true);
  kept.set("boxman.stayUp", "false");
  heard!({ key: "boxman.stayUp" });
  expect(settings.stayUp).toBe(false);
  expect(settings.isChosen("sameBets")).toBe(false);
});
