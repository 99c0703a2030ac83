import { expect, test } from "vitest";
import { firstFree, seatPlace } from "./seatRing.ts";

test.each([1, 2, 16, 24])("%i seats lie around the table, apart from each other", (seats) => {
  const places = Array.from({ length: seats }, (_, seat) => seatPlace(seat, seats));
  for (const { x, y } of places) {
    expect(x).toBeGreaterThanOrEqual(5);
    expect(x).toBeLessThanOrEqual(95);
    expect(y).toBeGreaterThanOrEqual(11);
    expect(y).toBeLessThanOrEqual(89);
  }
  expect(new Set(places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size).toBe(seats);
});

test("the first seat is left of the crew and the last right of it", () => {
  expect(seatPlace(0, 16).x).toBeLessThan(50);
  expect(seatPlace(0, 16).y).toBeLessThan(50);
  expect(seatPlace(15, 16).x).toBeGreaterThan(50);
});

test("the first free seat", () => {
  expect(firstFree(3, new Map())).toBe(0);
  expect(firstFree(3, new Map([[0, "Ann"]]))).toBe(1);
  expect(firstFree(1, new Map([[0, "Ann"]]))).toBeNull();
});
