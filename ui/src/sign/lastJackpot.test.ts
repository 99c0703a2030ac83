import { beforeEach, expect, test, vi } from "vitest";
import { keepJackpot, lastJackpot } from "./lastJackpot.ts";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

test("none is known at first", () => {
  expect(lastJackpot("t")).toBeNull();
});

test("the last one is known again, at its own table", () => {
  keepJackpot("t", 501);
  keepJackpot("t", 1_234_567);
  expect(lastJackpot("t")).toBe(1_234_567);
  expect(lastJackpot("other")).toBeNull();
});

test.each(["", "much", "-5", "1e99", "12.5"])("what makes no sense (%j) is none", (text) => {
  keepJackpot("t", 1);
  const [address] = kept.keys();
  kept.set(address!, text);
  expect(lastJackpot("t")).toBeNull();
});

test("a browser that keeps nothing knows none", () => {
  const refuse = () => {
    throw new Error("not here");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  expect(() => keepJackpot("t", 501)).not.toThrow();
  expect(lastJackpot("t")).toBeNull();
});
