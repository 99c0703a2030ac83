import { expect, test } from "vitest";
import { firstFree, ring } from "./seatRing.ts";

test.each([
  [1, 540],
  [8, 300],
  [16, 290],
  [16, 584],
  [24, 290],
])("%i seats around a table of %i pixels touch neither each other nor the edge", (seats, width) => {
  const { places, size } = ring(seats, width, 176, 34);
  expect(places).toHaveLength(seats);
  // Small fingers and large ones.
  expect(size).toBeGreaterThanOrEqual(20);
  for (const [seat, { x, y }] of places.entries()) {
    expect(x).toBeGreaterThanOrEqual(size / 2);
    expect(x).toBeLessThanOrEqual(width - size / 2);
    expect(y).toBeGreaterThanOrEqual(size / 2);
    expect(y).toBeLessThanOrEqual(176 - size / 2);
    for (const other of places.slice(seat + 1))
      expect(Math.hypot(x - other.x, y - other.y)).toBeGreaterThanOrEqual(size - 1);
  }
});

test("the first seat is left of the crew and the last right of it", () => {
  const { places } = ring(16, 540, 176, 34);
  expect(places[0]!.x).toBeLessThan(270);
  expect(places[0]!.y).toBeLessThan(88);
  expect(places[15]!.x).toBeGreaterThan(270);
});

test("the first free seat", () => {
  expect(firstFree(3, new Map())).toBe(0);
  expect(firstFree(3, new Map([[0, "Ann"]]))).toBe(1);
  expect(firstFree(1, new Map([[0, "Ann"]]))).toBeNull();
});
