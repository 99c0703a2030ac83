// Dice that were keyed on two consoles for one throw, in words.

import type { Came, Problem } from "$wire";

/** Dice that were keyed for a throw which another console has booked. */
export interface KeyedTwice {
  words: string;
  /** The record of the booked roll, and the dice keyed here; only if they differ. */
  correct: { of: number; dice: string } | null;
}

/** What is said if dice were keyed for a throw that is booked already; `me` reads it. */
export function keyedTwice(problem: Problem, dice: string, me: string | null): KeyedTwice | null {
  const [first] = problem.came ?? [];
  if (problem.code !== "other-roll" || first?.what !== "rolled" || first.dice === null) return null;
  return twice({ ...first, dice: first.dice }, dice, me);
}

function twice(
  booked: Pick<Came, "record" | "by" | "name"> & { dice: string },
  dice: string,
  me: string | null,
): KeyedTwice {
  const who = booked.by === me ? "You" : (booked.name ?? "Another person");
  if (same(booked.dice, dice)) {
    const has = who === "You" ? "have" : "has";
    return { words: `${who} ${has} keyed ${booked.dice} for this throw already.`, correct: null };
  }
  const words = `${who} keyed ${booked.dice} for this throw, you keyed ${dice}`;
  return { words, correct: { of: booked.record, dice } };
}

/** What is said if another roll was booked while dice were keyed here and not confirmed; nothing
 * of a roll if the round ended without one. */
export function bookedMeanwhile(
  roll: Pick<Came, "record" | "dice" | "by" | "name"> | null,
  dice: string,
  me: string | null,
): KeyedTwice {
  if (!roll?.dice)
    return {
      words: `Another round has begun: the ${dice} that was keyed here is not booked.`,
      correct: null,
    };
  return twice({ ...roll, dice: roll.dice }, dice, me);
}

const same = (one: string, other: string) => sorted(one) === sorted(other);
const sorted = (dice: string) => dice.split("-").sort().join("-");
