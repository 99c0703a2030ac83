import { expect, test } from "vitest";
import { checkRoll, tableNumber, type Thrown } from "./dice.ts";
import { shooterBytes } from "./shooterBytes.ts";

// Three rolls that a server threw.
const ab = "ab".repeat(31);
const ROLLS: Thrown[] = [
  {
    table: "0zfhxdh",
    number: 1,
    commitment: "4e01a7cf618fd5befbe9b9366e51b4fa3f8d9ea6dc44548ab51769732d5454de",
    secret: "fbadbe666e46e861c33fbe27b5d71a04f228db4caa0b2e2c2621089861d66b2d",
    shooterBytes: `${ab}00`,
    dice: "4-2",
  },
  {
    table: "0zfhxdh",
    number: 2,
    commitment: "e46f56cb937e45f4997e85e04acaa9820732ffb19ebde9ee03d401198a38d9fe",
    secret: "17a0a02140b44ba51a9b52895ac817db14058f382e3457919dc09b8f48987304",
    shooterBytes: `${ab}01`,
    dice: "2-6",
  },
  {
    table: "0zfhxdh",
    number: 3,
    commitment: "8e7a87bce3690c4de441d7d4f260314e5fe5c0d22a474cf3f151b2370a8d6095",
    secret: "e7a98455c9d30a6fb6d2fef130c312e4d5b6a60daded704549872666b135a699",
    shooterBytes: `${ab}02`,
    dice: "1-3",
  },
];

test.each(ROLLS)("roll $number follows from its secret", (roll) => {
  expect(checkRoll(roll)).toMatchObject({ committed: true, followed: true, dice: roll.dice });
});

test("another secret is noticed", () => {
  const [one, other] = ROLLS as [Thrown, Thrown];
  expect(checkRoll({ ...one, secret: other.secret }).committed).toBe(false);
});

test("other dice are noticed", () => {
  expect(checkRoll({ ...ROLLS[0]!, dice: "6-6" }).followed).toBe(false);
});

test("a table's number", () => {
  expect(tableNumber("0000010")).toBe(32);
  expect(tableNumber("000000z")).toBe(31);
});

test("a shooter's bytes are 32, and new each time", () => {
  expect(shooterBytes()).toMatch(/^[0-9a-f]{64}$/);
  expect(shooterBytes()).not.toBe(shooterBytes());
});
