import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WagerEdge } from "$wire";
import { Priced, advantages } from "./priced.svelte.ts";

const line = (title: string, edge: string | null, edge_percent: number | null, meter?: number) =>
  ({ title, edge, edge_percent, meter: meter ?? null }) as WagerEdge;
const PASS = line("Pass Line", "7/495", 1.414);
const FIRED = line("Fired Up", "-6557/314928", -2.0821, 9_000_000);

test("only what favours the player is told, in words", () => {
  const odds = line("Odds", "0", 0);
  const unknown = line("Unpriced", null, null);
  const tiny = line("Place 6", "-1/1000000", -0.0001);
  expect(advantages([PASS, odds, unknown])).toEqual([]);
  expect(advantages([PASS, FIRED, tiny])).toEqual([
    "Fired Up, with its meter at $90,000: players win 2.082 % of what they bet.",
    "Place 6: players win less than 0.001 % of what they bet.",
  ]);
});

const answers = new Map<string, WagerEdge[] | null>([
  ["/fair", [PASS]],
  ["/generous", [PASS, FIRED]],
  ["/away", null],
]);

beforeEach(() => {
  vi.stubGlobal("fetch", (path: string) => {
    const edges = answers.get(path);
    return edges
      ? Promise.resolve(new Response(JSON.stringify(edges)))
      : Promise.reject(new TypeError("away"));
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a tick is asked for by the rules that favour the player, and holds for them alone", async () => {
  const priced = new Priced();
  expect(await priced.know("/generous")).toBe(true);
  expect(priced.favours("/generous")).toHaveLength(1);
  expect(priced.isAccepted("/generous")).toBe(false);
  priced.accept("/generous", true);
  expect(priced.isAccepted("/generous")).toBe(true);
  // Other rules, not priced yet: nothing is known of them, and nothing was accepted.
  expect(priced.favours("/fair")).toEqual([]);
  expect(priced.isAccepted("/fair")).toBe(false);
  expect(await priced.know("/fair")).toBe(true);
  expect(priced.favours("/fair")).toEqual([]);
  priced.accept("/generous", false);
  expect(priced.isAccepted("/generous")).toBe(false);
});

test("rules that cannot be priced are not known, and why is told", async () => {
  const priced = new Priced();
  await priced.know("/fair");
  expect(await priced.know("/away")).toBe(false);
  expect(priced.trouble).toContain("cannot be reached");
  expect(priced.favours("/away")).toEqual([]);
  expect(await priced.know("/generous")).toBe(true);
  expect(priced.trouble).toBe("");
});

test("rules are priced once they are no longer being changed", () => {
  vi.useFakeTimers();
  const fetched = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal("fetch", fetched);
  const priced = new Priced();
  priced.ask("/fair")();
  priced.ask("/generous");
  vi.advanceTimersByTime(1_000);
  expect(fetched.mock.calls.map(([path]: unknown[]) => path)).toEqual(["/generous"]);
  vi.useRealTimers();
});
