import { expect, test } from "vitest";
import { layout } from "./layout.ts";

test.each([
  ["a phone", 390, 844, true, "tall"],
  ["a phone on its side", 844, 390, true, "side"],
  ["a small phone on its side", 640, 360, true, "side"],
  ["a desk at twice the size", 640, 360, false, "tall"],
  ["a larger desk at twice the size", 720, 450, false, "tall"],
  ["a large desk at twice the size", 960, 540, false, "stack"],
  ["a tablet", 768, 1024, true, "stack"],
  ["a desk", 1280, 720, false, "desk"],
  ["a wall", 2560, 1440, false, "desk"],
] as const)("%s", (_, width, height, touch, is) => expect(layout(width, height, touch)).toBe(is));
