import { expect, test } from "vitest";
import type { Came, Problem } from "$wire";
import { bookedMeanwhile, keyedTwice } from "./keyedTwice.ts";

const came = (what: string, dice: string | null): Came => ({
  record: 61,
  what,
  dice,
  by: "p-dee",
  name: "Dee",
  at: 0,
});
const problem = (...all: Came[]): Problem => ({
  type: "about:blank",
  status: 409,
  code: "other-roll",
  detail: "no",
  came: all,
});

test("dice that were keyed twice are told apart from the same dice", () => {
  const booked = problem(came("rolled", "2-4"));
  expect(keyedTwice(booked, "5-3", "p-sam")).toEqual({
    words: "Dee keyed 2-4 for this throw, you keyed 5-3",
    correct: { of: 61, dice: "5-3" },
  });
  const already = "Dee has keyed 2-4 for this throw already.";
  expect(keyedTwice(booked, "4-2", "p-sam")).toEqual({ words: already, correct: null });
  expect(keyedTwice(booked, "4-2", "p-dee")?.words).toBe(
    "You have keyed 2-4 for this throw already.",
  );
  expect(keyedTwice(problem(came("no-roll", null)), "4-2", "p-sam")).toBeNull();
  expect(keyedTwice({ ...booked, code: "betting-open" }, "4-2", "p-sam")).toBeNull();
});

test("dice that another console overtook are told with those that were booked", () => {
  expect(bookedMeanwhile(came("rolled", "4-3"), "5-2", "p-sam")).toEqual({
    words: "Dee keyed 4-3 for this throw, you keyed 5-2",
    correct: { of: 61, dice: "5-2" },
  });
  expect(bookedMeanwhile(null, "5-2", "p-sam")).toEqual({
    words: "Another round has begun: the 5-2 that was keyed here is not booked.",
    correct: null,
  });
});
