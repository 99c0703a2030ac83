import { expect, test, vi } from "vitest";
import { KEYS, isShortcut, pressKey } from "./keys.ts";
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
  };
  const seat = { bets: [{ wager: "place 6" }] };
  return { acts, play: { ...acts, chip: 500, seat } as unknown as Play };
}

test.each([
  ["r", "roll"],
  ["R", "roll"],
  ["u", "undo"],
  ["c", "clear"],
  ["b", "rebet"],
  ["p", "press"],
  ["i", "inside"],
  ["a", "across"],
] as const)("%s: %s", (key, does) => {
  const { acts, play } = fake();
  pressKey(key, play, null);
  const done = Object.entries(acts).filter(([, act]) => act.mock.calls.length > 0);
  expect(done.map(([name]) => name)).toEqual([does]);
  expect(play.chip).toBe(500);
});

test("figures choose a chip, and no other key does anything", () => {
  const { acts, play } = fake();
  for (const key of ["0", "7", "x", "Enter", " ", "ArrowUp", "constructor"])
    pressKey(key, play, "pass");
  expect(play.chip).toBe(500);
  expect(Object.values(acts).flatMap((act) => act.mock.calls)).toEqual([]);
  pressKey("1", play, null);
  expect(play.chip).toBe(100);
  pressKey("6", play, null);
  expect(play.chip).toBe(100_000);
});

test("a bet is pressed where there is one, and every place bet where there is none", () => {
  const { acts, play } = fake();
  for (const spot of ["place 6", "pass", null]) pressKey("p", play, spot);
  expect(acts.press.mock.calls).toEqual([["place 6"], [null], [null]]);
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
  for (const letter of "RUCBPIAO?") expect(named).toContain(letter);
});
