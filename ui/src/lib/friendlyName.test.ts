import { expect, test } from "vitest";
import { friendlyName } from "./friendlyName.ts";

test("names are made of a mood, an animal and two digits", () => {
  expect(friendlyName(() => 0)).toBe("Lucky Otter 10");
  expect(friendlyName(() => 0.999_999)).toBe("Swift Turtle 99");
});

test("whatever comes up is a name that fits at a table", () => {
  for (let step = 0; step < 2_000; step++) {
    const name = friendlyName();
    expect(name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d$/);
    expect(name.length).toBeLessThanOrEqual(24);
  }
});
