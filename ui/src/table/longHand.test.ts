import { expect, test } from "vitest";
import { hand, table } from "../testing/fakeSocket.ts";
import { longHand } from "./longHand.ts";

const after = (hand_rolls: number, shooter: number | null = 0) =>
  longHand(table({ hand: hand({ hand_rolls, shooter }) }));

test("the tenth roll of a hand is noticed, and every fifth after it", () => {
  expect(after(10)).toBe("Ann has held the dice for 10 rolls");
  expect(after(15)).toBe("Ann has held the dice for 15 rolls");
  for (const rolls of [0, 5, 9, 11, 14]) expect(after(rolls)).toBeNull();
});

test("whoever has no name here is called by the seat, and nobody is nobody", () => {
  expect(after(20, 3)).toBe("Seat 4 has held the dice for 20 rolls");
  expect(after(20, null)).toBeNull();
});
