import type { MeterView } from "$wire";
import { describe, expect, test } from "vitest";
import { adjusted, closed, millionths, moved, termsInWords, termsOf, termsSet } from "./asks.ts";

const meter = {
  seed: 100_000,
  increment: 125_000,
  reserve: 50_000,
  ceiling: 2_500_000,
} as MeterView;

test("shares are typed in percent", () => {
  expect(["15", "12.5%", "0.0001 %", "100"].map(millionths)).toEqual([
    150_000, 125_000, 1, 1_000_000,
  ]);
  expect(["", "101", "1,5", "-1", "12.34567"].map(millionths)).toEqual(Array(5).fill(null));
});

describe("what is asked of a meter", () => {
  const typed = {
    amount: "5,000.75",
    adds: false,
    kind: "paid-outside" as const,
    table: " 0tv9y4b ",
    record: "17",
    reason: " paid at the cage ",
  };

  test("an adjustment says which way, of what kind and what it is about", () => {
    expect(adjusted(typed)).toEqual({
      command: {
        command: "adjust",
        amount: -500_075,
        kind: "paid-outside",
        table: "0tv9y4b",
        record: 17,
        reason: "paid at the cage",
      },
    });
    expect(adjusted({ ...typed, adds: true, table: "", record: "" })).toEqual({
      command: {
        command: "adjust",
        amount: 500_075,
        kind: "paid-outside",
        reason: "paid at the cage",
      },
    });
  });

  test("what makes no command says why", () => {
    expect(adjusted({ ...typed, amount: "12,50" })).toHaveProperty("problem");
    expect(adjusted({ ...typed, record: "x" })).toHaveProperty("problem");
    expect(adjusted({ ...typed, reason: " " })).toHaveProperty("problem");
    expect(moved("", "", false, "why")).toHaveProperty("problem");
    expect(moved("uptown", "1,5", false, "why")).toHaveProperty("problem");
    expect(closed("", false, "")).toHaveProperty("problem");
  });

  test("money that moves, some or all of it", () => {
    expect(moved("uptown", "12.50", true, "why")).toEqual({
      command: {
        command: "move",
        to: "uptown",
        amount: 1_250,
        other_paytable: true,
        reason: "why",
      },
    });
    expect(moved("uptown", "", false, "why")).toEqual({
      command: { command: "move", to: "uptown", reason: "why" },
    });
  });

  test("a meter that closes says where the players' money goes", () => {
    expect(closed("", false, "why")).toEqual({
      command: { command: "close", players: { goes: "kept" }, reason: "why" },
    });
    expect(closed("uptown", true, "why")).toEqual({
      command: {
        command: "close",
        players: { goes: "meter", to: "uptown", other_paytable: true },
        reason: "why",
      },
    });
  });

  test("terms have a ceiling, or none", () => {
    const terms = { ...termsOf(meter), reason: "why" };
    const command = { command: "set-terms", seed: 100_000, increment: 125_000, reserve: 50_000 };
    expect(termsSet(terms)).toEqual({ command: { ...command, ceiling: 2_500_000, reason: "why" } });
    expect(termsSet({ ...terms, ceiling: "" })).toEqual({ command: { ...command, reason: "why" } });
    expect(termsSet({ ...terms, ceiling: "much" })).toHaveProperty("problem");
    expect(termsSet({ ...terms, increment: "101" })).toHaveProperty("problem");
  });
});

test("the terms of a meter in words", () => {
  expect(termsInWords(meter)).toBe(
    "Starts at $1,000; 12.5 % of each bet, 5 % for the next start; shows at most $25,000.",
  );
  expect(termsInWords({ ...meter, ceiling: null })).toContain("no ceiling");
});
