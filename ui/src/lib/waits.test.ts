import type { WaitingView } from "$wire";
import { expect, test } from "vitest";
import { doorTo, howMany, waits, whereAndWhy } from "./waits.ts";

const ITEM: WaitingView = {
  at: "table",
  id: "3x9",
  name: "Pit 4",
  kind: "request",
  number: 7,
  what: "fill of $50,000",
  lines: [],
  reason: "over 10000.00 in a day",
  by: "Mx. dan",
  amount: null,
  until: 1,
};

test.each<[Partial<WaitingView>, string]>([
  [{}, "Fill of $50,000"],
  [{ what: "another configuration" }, "Another configuration"],
  [{ what: "deny claim 1" }, "Deny claim 1"],
  [
    { kind: "claim", what: "jackpot of PT-BJS-FUP-05" },
    "Jackpot of PT-BJS-FUP-05: confirm or deny",
  ],
  [
    { kind: "claim", what: "award on all-small", amount: 310_000 },
    "Award on all-small, $3,100: confirm or deny",
  ],
])("%o waits as %s", (more, words) => expect(waits({ ...ITEM, ...more })).toBe(words));

test("it is told where it waits, who asked and why", () => {
  expect(whereAndWhy(ITEM)).toBe("Pit 4, asked by Mx. dan: “over 10000.00 in a day”");
  expect(whereAndWhy({ ...ITEM, by: null, reason: null })).toBe("Pit 4");
  expect(whereAndWhy({ ...ITEM, at: "meter", name: "PT-X", reason: null })).toBe(
    "Meter PT-X, asked by Mx. dan",
  );
});

test("each has a door", () => {
  expect(doorTo(ITEM)).toBe("/deal/3x9");
  expect(doorTo({ ...ITEM, at: "meter", id: "a b" })).toBe("/meters");
  expect([0, 1, 2].map(howMany)).toEqual([
    "Nothing waits for you",
    "1 waits for you",
    "2 wait for you",
  ]);
});
