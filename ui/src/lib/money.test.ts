import { expect, test } from "vitest";
import { cents, dollars, grouped, notAnAmount, onChip, signed, withDollars } from "./money.ts";

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
  ["1,234.50", 123_450],
  ["$999,999,999", 99_999_999_900],
  ["1234.50", 123_450],
  // A comma that stands before anything but three digits: nobody knows what was meant.
  ["12,50", null],
  ["1,25", null],
  ["1,2345", null],
  ["1234,567", null],
  ["0,500", null],
  ["1.234,50", null],
  [",500", null],
  ["1,", null],
  ["1,000,000,000", null],
])("%j is %s", (text, amount) => expect(cents(text)).toBe(amount));

test("what is no amount is told with the forms that are", () => {
  expect(notAnAmount("12,50")).toBe(
    "“12,50” is not an amount in dollars. Write it as 12.50 or 1,234.50.",
  );
  expect(notAnAmount(" ")).toBe("Give an amount in dollars, such as 12.50 or 1,234.50.");
  expect(notAnAmount("$0.00")).toBe("The amount must be more than $0.");
});

test.each([
  ["that takes 500.00 and you have 1234.50", "that takes $500 and you have $1,234.50"],
  ["the minimum on this bet is 5.00", "the minimum on this bet is $5"],
  ["the most that may be is $5000.00", "the most that may be is $5,000"],
  ["12.50%, $1,200.50 or 1.250", "12.50%, $1,200.50 or 1.250"],
])("%s", (said, text) => expect(withDollars(said)).toBe(text));

test("whole dollars of a paytable", () => {
  expect(grouped("$1000 each")).toBe("$1,000 each");
  expect(grouped("$50")).toBe("$50");
  expect(grouped("30 to 1")).toBe("30 to 1");
});
