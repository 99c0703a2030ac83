import type { ClaimView, TrackerView, WagerView } from "$wire";
import { expect, test } from "vitest";
import { boardWork, lammers } from "./lammers.ts";

function board(wager: string, shape: string, on_bonus = false, spots = [wager]): WagerView {
  return { wager, spots, title: wager.toUpperCase(), board: { shape, on_bonus } } as WagerView;
}

function tracker(wager: string, marks: number[], matched = 0): TrackerView {
  const count = matched || marks.length;
  const told = { progress: `${count} so far`, count, of: null, lammers: [] };
  return { wager, marks, matched, ...told, bets: 1, riding: "standing" };
}

const WAGERS = [
  board("small", "collect"),
  board("fired", "sequence"),
  board("mea", "distinct", true),
];

test("what a roll marks is placed", () => {
  const boards = lammers([tracker("small", [2])], [tracker("small", [2, 5])], WAGERS);
  expect(boards).toEqual([
    {
      wager: "small",
      title: "SMALL",
      place: [5],
      clear: [],
      marked: true,
      matched: null,
      progress: null,
    },
  ]);
});

test("a seven clears every board that had lammers", () => {
  const before = [tracker("small", [2, 5]), tracker("fired", [])];
  const boards = lammers(before, [tracker("small", []), tracker("fired", [])], WAGERS);
  expect(boards).toEqual([
    {
      wager: "small",
      title: "SMALL",
      place: [],
      clear: [2, 5],
      marked: false,
      matched: null,
      progress: null,
    },
  ]);
});

test("a sequence says how far it is", () => {
  const boards = lammers([tracker("fired", [6], 1)], [tracker("fired", [5, 6], 2)], WAGERS);
  expect(boards[0]).toMatchObject({ place: [5], matched: 2, progress: null });
});

test("a side bet with a spot for each number has lammers on each", () => {
  const wagers = [board("twice", "collect", false, ["twice 6", "twice 8"])];
  const boards = lammers([tracker("twice 6", [])], [tracker("twice 6", [6])], wagers);
  expect(boards).toMatchObject([{ wager: "twice 6", title: "TWICE 6", place: [6] }]);
});

test("a progressive on the Bonus Craps circles has no board of its own", () => {
  expect(lammers([tracker("mea", [])], [tracker("mea", [4])], WAGERS)).toEqual([]);
});

test("nothing changed, nothing to do", () => {
  expect(lammers([tracker("small", [2])], [tracker("small", [2])], WAGERS)).toEqual([]);
});

test("what is counted without numbers is told in words, once it changes", () => {
  const wagers = [board("ride", "count")];
  const told = lammers([tracker("ride", [], 1)], [tracker("ride", [], 2)], wagers);
  expect(told.map(({ progress }) => progress)).toEqual(["2 so far"]);
  expect(lammers([tracker("ride", [], 2)], [tracker("ride", [], 2)], wagers)).toEqual([]);
});

test("what is to be done on a board is said, and lammers that won what is held stay", () => {
  const work = (before: number[], after: number[], ...claims: Partial<ClaimView>[]) => {
    const [one] = lammers([tracker("small", before)], [tracker("small", after)], WAGERS);
    return boardWork(one!, claims as ClaimView[], WAGERS);
  };
  expect(work([2], [2, 5])).toBe("place a lammer on 5");
  expect(work([2, 9], [2, 10])).toBe("place a lammer on 10; take the lammer off 9");
  expect(work([2, 9], [2])).toBe("take the lammer off 9");
  expect(work([2, 5], [])).toBe("clear the board");
  const held = { claim: 1, paytable: null, wager: "small" };
  expect(work([2, 5], [], { ...held, wager: "fired" })).toBe("clear the board");
  expect(work([2, 5], [], held)).toBe(
    "leave the lammers until claim 1 (SMALL) is answered, then clear the board",
  );
});
