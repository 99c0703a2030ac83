import { expect, test } from "vitest";
import { hand, table } from "../testing/fakeSocket.ts";
import { atTheRail } from "./rail.ts";

test("the shooter is marked, and whether they have gone", () => {
  const at = table({ hand: hand({ shooter: 2 }) });
  expect(atTheRail(at, 2, false)).toBe("shoots");
  expect(atTheRail(at, 2, true)).toBe("away with the dice");
  expect(atTheRail(at, 1, true)).toBe("");
  const dealt = table({ hand: hand({ shooter: 2 }), config: { dice: "dealer" } as never });
  expect(atTheRail(dealt, 2, true)).toBe("shoots");
});
