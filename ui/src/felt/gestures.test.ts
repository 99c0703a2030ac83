import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Gestures } from "./gestures.svelte.ts";

/** What was asked for, in order. */
let told: string[];
let gestures: Gestures<string>;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  gestures = new Gestures({
    mayDrag: (what, pointer) => what !== "empty" && pointer !== "touch",
    onlift: (what) => told.push(`lift ${what}`),
    ondrop: (what, spot) => told.push(`drop ${what} on ${spot}`),
    onlong: (what) => told.push(`long ${what}`),
  });
  // The felt begins at 100; left of it there is no spot.
  const field = { closest: () => ({ dataset: { spot: "field" } }) };
  const elementFromPoint = (x: number) => (x < 100 ? null : field);
  vi.stubGlobal("document", { elementFromPoint });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const at = (x: number, more: object = {}) =>
  ({
    type: "pointer",
    button: 0,
    pointerId: 1,
    pointerType: "mouse",
    clientX: x,
    clientY: 0,
    ...more,
  }) as unknown as PointerEvent;
const click = () => gestures.isOver({ type: "click" } as MouseEvent);
const menu = () => gestures.isOver({ type: "contextmenu" } as MouseEvent);

test("a tap is a click and nothing else", () => {
  gestures.down(at(100), "place 6");
  gestures.move(at(105));
  gestures.up(at(105));
  expect(told).toEqual([]);
  expect(click()).toBe(false);
});

test("what is dragged is lifted once and let go over a spot, or over none", () => {
  for (const end of [200, 50]) {
    gestures.down(at(150), "place 6");
    gestures.move(at(end - 1));
    gestures.move(at(end));
    expect(gestures.drag).toEqual({ what: "place 6", x: end, y: 0 });
    gestures.up(at(end));
    expect(gestures.drag).toBeNull();
    expect(click()).toBe(true);
    expect(click()).toBe(false);
  }
  const twice = ["field", "null"].flatMap((spot) => ["lift place 6", `drop place 6 on ${spot}`]);
  expect(told).toEqual(twice);
});

test("what may not be dragged stays, and so does what another finger does", () => {
  gestures.down(at(100), "empty");
  gestures.move(at(200));
  gestures.up(at(200));
  gestures.down(at(100, { pointerType: "touch" }), "place 6");
  gestures.move(at(200, { pointerType: "touch" }));
  gestures.up(at(200));
  gestures.down(at(100), "place 6");
  gestures.move(at(200, { pointerId: 2 }));
  expect(gestures.drag).toBeNull();
  gestures.cancel();
  gestures.down(at(100, { button: 2 }), "place 6");
  gestures.move(at(200));
  vi.runAllTimers();
  expect(told).toEqual([]);
});

test("a finger that stays takes, once; the click and the menu after it are not heard", () => {
  gestures.down(at(100, { pointerType: "touch" }), "place 6");
  vi.advanceTimersByTime(480);
  expect(told).toEqual(["long place 6"]);
  expect(menu()).toBe(true);
  gestures.up(at(100));
  expect(click()).toBe(true);
  // The next press begins anew.
  gestures.down(at(100), "place 6");
  gestures.up(at(100));
  expect(click()).toBe(false);
});

test("a finger that leaves in time, scrolls or is called off takes nothing", () => {
  const ends = [
    () => gestures.up(at(100)),
    () => gestures.move(at(120, { pointerType: "touch" })),
    () => gestures.cancel(),
  ];
  for (const end of ends) {
    gestures.down(at(100, { pointerType: "touch" }), "place 6");
    vi.advanceTimersByTime(400);
    end();
    vi.runAllTimers();
  }
  gestures.down(at(100), "a mouse does not");
  vi.runAllTimers();
  expect(told).toEqual([]);
});
