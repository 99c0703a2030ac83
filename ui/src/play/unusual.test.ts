import { expect, test } from "vitest";
import { WAYS, average, chance, inWords } from "./unusual.ts";

test("36 rolls are on average as the dice have ways", () => {
  expect(average(36)).toEqual(WAYS);
});

test("what comes exactly so could not be less uneven", () => {
  expect(chance(WAYS.map((ways) => ways * 10))).toBe(1);
});

// Known quantiles of χ² with ten degrees of freedom: 9.342 halves it, 18.307 leaves 5 %, 23.209 1 %.
test.each([
  [9.342, 0.5],
  [18.307, 0.05],
  [23.209, 0.01],
])("a χ² of %f leaves %f", (square, tail) => {
  // One seven too many for one six too few: both differences are known.
  const rolls = 36_000;
  const counts = average(rolls);
  const [six, seven] = [counts[4]!, counts[5]!];
  const more = Math.sqrt(square / (1 / six + 1 / seven));
  counts[4] = six - more;
  counts[5] = seven + more;
  expect(chance(counts)).toBeCloseTo(tail, 3);
});

test("few rolls say nothing", () => {
  expect(inWords([0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0])).toMatch(/^Too few rolls/);
});

test("the words follow the measure", () => {
  expect(inWords(WAYS.map((ways) => ways * 5))).toMatch(/^Nothing unusual: almost all/);
  expect(inWords([5, 10, 15, 20, 25, 52, 25, 20, 15, 10, 5])).toMatch(
    /^Nothing unusual: about \d in 10/,
  );
  expect(inWords([15, 10, 15, 20, 25, 30, 25, 20, 15, 10, 5])).toMatch(
    /^A little uneven: about 1 in/,
  );
  expect(inWords([5, 10, 15, 20, 25, 90, 25, 20, 15, 10, 5])).toMatch(
    /^Rare: fewer than 1 in 100,000/,
  );
});
