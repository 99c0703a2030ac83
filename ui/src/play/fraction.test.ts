import { expect, test } from "vitest";
import { ZERO, add, negative, parse, rounded, text, times } from "./fraction.ts";

const of = (written: string) => parse(written)!;

test("fractions are read and written in lowest terms", () => {
  expect(text(of("14/990"))).toBe("7/495");
  expect(text(of("-3/220"))).toBe("-3/220");
  expect(text(of("0"))).toBe("0");
  expect(text(of("6/3"))).toBe("2");
});

test.each(["", "x", "1/0", "1.5", "1/2/3", "/3"])("%j is none", (written) => {
  expect(parse(written)).toBeNull();
});

test("sums are exact, however odd the denominators", () => {
  // A thousand pass lines of $5, less the same: nothing is left over.
  let sum = ZERO;
  for (let bet = 0; bet < 1_000; bet += 1) sum = add(sum, times(of("7/495"), 500));
  expect(text(sum)).toBe("700000/99");
  sum = add(sum, of("4959941501491/24067258815600"));
  sum = add(sum, negative(of("4959941501491/24067258815600")));
  expect(text(add(sum, of("-700000/99")))).toBe("0");
});

test.each([
  ["1/2", 1],
  ["-1/2", -1],
  ["49/100", 0],
  ["-49/100", 0],
  ["700000/99", 7071],
])("%s is about %i", (written, whole) => {
  expect(Object.is(rounded(of(written)), whole)).toBe(true);
});
