import { expect, test } from "vitest";
import type { Came, Command, Problem } from "$wire";
import { Refused } from "./api.ts";
import { tooLate } from "./tooLate.ts";

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
  detail: "too late for that throw: Dee keyed 4-2",
  round: 61,
  came: all,
});
const put: Command = { command: "put", seat: 0, wager: "field", amount: 500 };
const refused = (command: Command, ...all: Came[]) =>
  new Refused(problem(...all), { command, moment: { roll: 16 } });

test("a bet that came too late is said to be back in the rack", () => {
  const late = refused(put, came("rolled", "4-2"));
  expect(tooLate(late, "your")).toBe("Too late for roll 16: your $5 is back in your rack.");
  expect(tooLate(late)).toBe("Too late for roll 16: the $5 is back in the rack.");
});

test("a round may end without a roll", () => {
  const late = (what: string, dice: string | null) =>
    tooLate(refused(put, came(what, dice)), "your");
  expect(late("voided", "4-2")).toBe(
    "Too late: the roll 4-2 was voided, and your $5 is back in your rack.",
  );
  expect(late("dice-passed", null)).toContain("the dice were passed");
  expect(late("configured", null)).toContain("other rules");
});

test("so is what else a player asked for", () => {
  const rolled = came("rolled", "4-2");
  expect(tooLate(refused({ command: "take", seat: 0, wager: "field" }, rolled), "your")).toBe(
    "Too late for roll 16: your bet was not taken down in time.",
  );
  expect(tooLate(refused({ command: "roll", shooter_bytes: "" }, rolled), "your")).toBe(
    "Too late for roll 16: the dice were not thrown again.",
  );
  // What a crew is told of dice is said elsewhere.
  expect(tooLate(refused({ command: "no-roll" }, rolled))).toBeNull();
  expect(tooLate(new Error("no"))).toBeNull();
});
