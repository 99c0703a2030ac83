import { expect, test } from "vitest";
import { firstRoll, inWords } from "./rule.ts";

const PASS = "first roll 7, 11; then the number before 7";
const DONT = "first roll 7, 11; then the number before 7; first roll 12 pushes";

test("what a first roll decides", () => {
  const dont = { wins: "first roll 2, 3; then 7 before the number", loses: DONT };
  expect(firstRoll(dont)).toEqual({ wins: "2 or 3", loses: "7 or 11", pushes: "12" });
  const pass = { wins: PASS, loses: "first roll 2, 3, 12; then 7 before the number" };
  expect(firstRoll(pass)).toEqual({ wins: "7 or 11", loses: "2, 3 or 12", pushes: null });
  expect(firstRoll({ wins: "the number", loses: "7" })).toBeNull();
});

test.each([
  [PASS, "7 or 11 on the first roll; after that its number before a 7"],
  [
    DONT,
    "7 or 11 on the first roll; after that its number before a 7; 12 on the first roll pushes",
  ],
  ["7 before the number", "a 7 before its number"],
  ["7", "a 7"],
  ["7, the number the easy way", "a 7, or the number the easy way"],
  ["2, 3, 12", "2, 3 or 12"],
  ["all of 2, 3, 4, 5, 6 before 7", "2, 3, 4, 5 and 6, all before a 7"],
  ["different numbers of 2, 3, 12", "rolls without a repeat: 2, 3 or 12"],
  ["ends on 7 or a repeat", "it ends on a 7 or a repeat"],
  ["rolls that follow 6-5-4 or 8-9-10", "rolls in the order 6-5-4 or 8-9-10"],
  ["ends on the first miss", "it ends on the first miss"],
  ["anything else", "anything else"],
])("%s", (written, said) => expect(inWords(written)).toBe(said));

test("a bet on a number names it", () => {
  expect(inWords("the number the hard way", 8)).toBe("8 the hard way");
  expect(inWords("7 before the number", 6)).toBe("a 7 before 6");
});
