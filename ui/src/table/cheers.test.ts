import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "../testing/fakeSocket.ts";
import { sitDown } from "../testing/playing.ts";
import { Cheers } from "./cheers.svelte.ts";

let cheers: Cheers;
beforeEach(() => {
  cheers = new Cheers(sitDown().live);
});
const hear = (seat: number, cheer: "ouch" | "yo") =>
  FakeSocket.last.say({ type: "cheer", seat, cheer });
const heard = () => [...cheers.heard];

test("a call is heard for a moment", () => {
  hear(2, "ouch");
  expect(heard()).toEqual([[2, "ouch"]]);
  vi.advanceTimersByTime(4_000);
  expect(heard()).toEqual([]);
});

test.each(["ouch", "yo"] as const)("another call (%s) has a time of its own", (next) => {
  hear(2, "ouch");
  hear(4, "ouch");
  vi.advanceTimersByTime(3_000);
  hear(2, next);
  vi.advanceTimersByTime(3_999);
  expect(heard()).toEqual([[2, next]]);
  vi.advanceTimersByTime(1);
  expect(heard()).toEqual([]);
});

test("whoever mutes the others hears none, from now on", () => {
  hear(2, "ouch");
  cheers.mute(true);
  hear(4, "yo");
  expect(heard()).toEqual([]);
  cheers.mute(false);
  hear(4, "yo");
  expect(heard()).toEqual([[4, "yo"]]);
});
