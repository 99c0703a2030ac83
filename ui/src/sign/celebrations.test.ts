import type { Happened, MeterView, Update } from "$wire";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { text } from "../testing/rendered.ts";
import Celebration from "./Celebration.svelte";
import { CELEBRATED, Celebrations, paid, paidByMeter } from "./celebrations.svelte.ts";
import MeterPanel from "./MeterPanel.svelte";

const update = (...events: Happened[]) => ({ events }) as Update;
const NONE = { hand: { claims: [] } };
const WAITING = { hand: { claims: [{ claim: 4, paytable: "P", seats: [0, 2] }] } };
const ROLLED = { event: "rolled", claims: [[4, "P", [0, 2]]] } as unknown as Happened;
const PAID: Happened = {
  event: "claim-paid",
  claim: 4,
  amount: 500_072,
  shares: [
    [0, 250_036],
    [2, 250_036],
  ],
};
const DENIED = {
  event: "claim-denied",
  claim: 4,
  wager: "P",
  amount: 0,
  shares: [],
  reason: "late",
};
const meter = (more: Partial<MeterView>) =>
  ({ meter: "m", paytable: "P", amount: 500_075, hits: [], damaged: false, ...more }) as MeterView;

describe("a jackpot that waits to be confirmed", () => {
  test("is not celebrated: it is a claim", () => {
    expect(paid(update(ROLLED), NONE)).toEqual([]);
  });

  test("is celebrated once it is paid", () => {
    const hit = { claim: 4, paytable: "P", winners: 2, paid: 500_072 };
    expect(paid(update(PAID), WAITING)).toEqual([hit]);
    expect(paid(update(ROLLED, PAID), NONE)).toEqual([hit]);
  });

  test("goes quietly once it is denied", () => {
    expect(paid(update(DENIED as Happened), WAITING)).toEqual([]);
  });

  test("stands on its meter's panel", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const panel = (meter: MeterView, claims = 0) =>
      text(MeterPanel, { meter, wager: undefined, claims, many: 1, open: true });
    const says = "Jackpot claimed, being verified";
    expect(panel(meter({ hits: [500_075] }))).toContain(`${says}: $5,000.75`);
    // The meter of another node has not answered yet.
    expect(panel(meter({}), 1)).toContain(says);
    expect(panel(meter({}))).not.toContain("Jackpot");
    vi.unstubAllGlobals();
  });
});

describe("a meter", () => {
  const before = meter({ amount: 100_012, hits: [500_075] });

  test("has paid what is no longer among its hits", () => {
    expect(paidByMeter(before, meter({ amount: 100_015 }))).toBe(500_075);
    expect(paidByMeter(before, before)).toBeNull();
    const two = meter({ amount: 100_012, hits: [500_075, 500_075] });
    expect(paidByMeter(before, two)).toBeNull();
    expect(paidByMeter(two, before)).toBe(500_075);
  });

  test("has not paid what came back to it, nor what nobody can say", () => {
    expect(paidByMeter(before, meter({ amount: 500_075 }))).toBeNull();
    expect(paidByMeter(before, meter({ amount: 500_090 }))).toBeNull();
    expect(paidByMeter(before, meter({ amount: 0, damaged: true }))).toBeNull();
  });
});

describe("celebrations", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("follow one another, each in full", () => {
    const hit = (claim: number) => ({ claim, paytable: "P", winners: 1, paid: 100 });
    const all = new Celebrations();
    all.add(hit(1));
    vi.advanceTimersByTime(CELEBRATED - 1);
    all.add(hit(2));
    expect(all.now?.claim).toBe(1);
    vi.advanceTimersByTime(1);
    expect(all.now?.claim).toBe(2);
    vi.advanceTimersByTime(CELEBRATED - 1);
    expect(all.now?.claim).toBe(2);
    vi.advanceTimersByTime(1);
    expect(all.now).toBeNull();
    all.add(hit(3));
    expect(all.now?.claim).toBe(3);
    all.close();
  });

  test("say that it is paid, and how many won", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const shown = (winners: number | null) =>
      text(Celebration, { title: "Fire", amount: 500_072, winners });
    expect(shown(2)).toContain("2 winners, paid");
    expect(shown(null)).toMatch(/Fire .* paid/);
    vi.unstubAllGlobals();
  });
});
