import { expect, test, vi } from "vitest";
import { KEYS, figures, isShortcut, pressKey, typedAfter } from "./keys.ts";
import type { Play } from "./play.svelte.ts";

function fake() {
  const act = () => vi.fn(() => Promise.resolve());
  const acts = {
    roll: act(),
    undo: act(),
    clear: act(),
    rebet: act(),
    press: act(),
    inside: act(),
    across: act(),
    even: act(),
  };
  return { acts, play: acts as unknown as Play };
}

test.each([
  ["r", "roll"],
  ["R", "roll"],
  ["u", "undo"],
  ["c", "clear"],
  ["b", "rebet"],
  ["p", "press"],
  ["h", "press"],
  ["e", "even"],
  ["i", "inside"],
  ["a", "across"],
] as const)("%s: %s", (key, does) => {
  const { acts, play } = fake();
  pressKey(key, play, null);
  const done = Object.entries(acts).filter(([, act]) => act.mock.calls.length > 0);
  expect(done.map(([name]) => name)).toEqual([does]);
});

test("no other key does anything", () => {
  const { acts, play } = fake();
  for (const key of ["0", "7", "x", "Enter", " ", "ArrowUp", "constructor"])
    pressKey(key, play, "pass");
  expect(Object.values(acts).flatMap((act) => act.mock.calls)).toEqual([]);
});

test("a press is in full or by half, on the spot that is chosen", () => {
  const { acts, play } = fake();
  pressKey("p", play, "place 6");
  pressKey("H", play, null);
  expect(acts.press.mock.calls).toEqual([
    ["place 6", "full"],
    [null, "half"],
  ]);
});

test.each([
  // key, typed, used, becomes
  ["2", "", false, "2"],
  ["5", "2", false, "25"],
  ["5", "25", true, "5"],
  ["0", "", false, ""],
  ["0", "1", false, "10"],
  ["9", "1234567", false, "1234567"],
  [",", "12", false, "12,"],
  ["5", "12,", false, "12,5"],
  [",", "", false, null],
  [",", "12", true, null],
  [".", "12", false, "12."],
  ["Backspace", "25", false, "2"],
  ["Backspace", "2", false, ""],
  ["Backspace", "25", true, null],
  ["Backspace", "", false, null],
  ["Escape", "25", true, ""],
  ["Escape", "", false, null],
  ["r", "25", false, null],
  ["Enter", "25", false, null],
])("%s after %j, used %s: %j", (key, typed, used, becomes) => {
  expect(typedAfter(key, typed, used)).toBe(becomes);
});

test("an amount is figures and nothing else", () => {
  expect(figures("$1,250")).toBe("1,250");
  expect(figures("1234,567.89")).toBe("1234,567.89");
  expect(figures("12345678")).toBe("1234567");
  expect(figures("1,234,567,8")).toBe("1,234,567,");
  // Not $1,250 and not $50.
  expect(figures("12,50")).toBe("12,50");
  expect(figures("0,50")).toBe("0,50");
  expect(figures(",50")).toBe("0,50");
  expect(figures("12,,5")).toBe("12,");
  expect(figures("007")).toBe("7");
  expect(figures(".5")).toBe("0.5");
  expect(figures("-5e3")).toBe("53");
  expect(figures("2.5")).toBe("2.5");
  expect(figures("7.50")).toBe("7.50");
  expect(figures("7.505")).toBe("7.50");
  expect(figures("0")).toBe("");
});

test.each([
  [{}, true],
  [{ ctrlKey: true }, false],
  [{ metaKey: true }, false],
  [{ altKey: true }, false],
  [{ repeat: true }, false],
  [{ target: { matches: () => true } }, false],
])("%o is a shortcut: %s", (event, is) => {
  const target = { matches: () => false };
  expect(isShortcut({ target, ...event } as unknown as KeyboardEvent)).toBe(is);
});

test("the help names every letter", () => {
  const named = KEYS.map(([keys]) => keys).join(" ");
  for (const letter of "RUCBPHIAEO?") expect(named).toContain(letter);
});
