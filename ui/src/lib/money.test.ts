import { expect, test } from "vitest";
import { cents, dollars, onChip, signed } from "./money.ts";

test.each([
  [0, "$0"],
  [500, "$5"],
  [1_750, "$17.50"],
  [123_456_789, "$1,234,567.89"],
  [-500, "−\u2060$5"],
])("%i cents is %s", (amount, text) => expect(dollars(amount)).toBe(text));

test("results carry their sign, and a line never ends behind it", () => {
  expect(signed(500)).toBe("+\u2060$5");
  expect(signed(-500)).toBe("−\u2060$5");
  expect(signed(0)).toBe("$0");
});

test.each([
  [500, "5"],
  [750, "7.50"],
  [125_000, "1250"],
  [1_000_000, "10K"],
  [1_259_900, "12.5K"],
  [300_000_000, "3M"],
])("%i cents fits on a chip as %s", (amount, text) => expect(onChip(amount)).toBe(text));

test.each([
  ["12", 1_200],
  [" $1,200.5 ", 120_050],
  ["0.07", 7],
  ["", null],
  ["-5", null],
  ["5.005", null],
  ["five", null],
  ["1e9", null],
])("%j is %s", (text, amount) => expect(cents(text)).toBe(amount));
