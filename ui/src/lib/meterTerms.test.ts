import { expect, test } from "vitest";
import { optionsLine, ownTermsOptions, suggestedTerms, termsOptions } from "./meterTerms.ts";

const plain = { suggested: {} };
const fired = {
  suggested: {
    "fired-up.meter.seed": "1000",
    "fired-up.meter.increment": "15%",
    "fired-up.meter.reserve": "5%",
  },
};

test("terms start from what is suggested", () => {
  expect(suggestedTerms([plain])).toEqual({});
  expect(suggestedTerms([plain, fired])).toEqual({ seed: "1000", increment: "15%", reserve: "5%" });
  expect(termsOptions([plain, fired], {})).toEqual(fired.suggested);
  expect(termsOptions([plain], { seed: "500" })).toEqual({});
});

test("what somebody changes is an option of every meter", () => {
  const other = { suggested: { "all.meter.seed": "1000" } };
  expect(termsOptions([fired, other], { seed: " 5 000 ", increment: "20", reserve: "" })).toEqual({
    "fired-up.meter.seed": "5000",
    "fired-up.meter.increment": "20%",
    "fired-up.meter.reserve": "5%",
    "all.meter.seed": "5000",
  });
});

test("each meter of a new table has terms of its own, with a ceiling", () => {
  const meters = [
    { name: "PT-1", ...fired },
    { name: "PT-2", suggested: { "all.meter.seed": "1000", "all.meter.increment": "15%" } },
  ];
  expect(ownTermsOptions(meters, { "PT-1": { seed: "5,000", ceiling: " 50,000 " } })).toEqual({
    "fired-up.meter.seed": "5,000",
    "fired-up.meter.increment": "15%",
    "fired-up.meter.reserve": "5%",
    "fired-up.meter.ceiling": "50,000",
    "all.meter.seed": "1000",
    "all.meter.increment": "15%",
  });
});

test("an option that is written out holds", () => {
  expect(optionsLine({ a: "1", b: "2" })).toBe("a=1 b=2");
  expect(optionsLine({ a: "1", b: "2" }, " b=3  c=4 ")).toBe("a=1 b=3 c=4");
});
