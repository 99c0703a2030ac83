import { expect, test } from "vitest";
import { beside, type Box } from "./bubble.ts";

const room = { width: 390, height: 844 };
const words = { width: 200, height: 60 };
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const at = (target: Box, ...clear: Box[]) => beside(target, words, room, 10, clear);

test("above what it tells of, or below where there is no room", () => {
  expect(at(box(100, 400, 100, 40))).toEqual({ left: 150, top: 330 });
  expect(at(box(100, 20, 100, 40))).toEqual({ left: 150, top: 70 });
});

test("not beyond the sides of the window", () => {
  expect(at(box(0, 400, 20, 40)).left).toBe(108);
  expect(at(box(370, 400, 20, 40)).left).toBe(282);
});

test("not over a chip", () => {
  expect(at(box(100, 400, 100, 40), box(140, 360, 30, 30)).top).toBe(450);
  const rack = box(0, 700, 390, 140);
  expect(at(rack, box(140, 600, 30, 50)).top).toBe(534);
  expect(at(rack, box(350, 600, 30, 50)).top).toBe(630);
});

test("in sight where nothing is free", () => {
  const { top } = at(box(0, 0, 390, 844));
  expect(top).toBeGreaterThanOrEqual(8);
  expect(top).toBeLessThanOrEqual(776);
});
