import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, NOW, hand, install, table, update } from "../testing/fakeSocket.ts";
import { Live } from "../lib/live.svelte.ts";
import { DEAD_TIME, DeadTime } from "./deadTime.svelte.ts";

let live: Live;
beforeEach(() => {
  install();
  live = new Live("t");
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
});

test("buttons that another person changes are dead for a moment, one's own are not", () => {
  const dead = new DeadTime(live, ({ by }) => by === "me");
  FakeSocket.last.say(update(51, { hand: hand({ players: 2 }) }));
  expect(dead.on).toBe(false);
  const closed = hand({ phase: "closed", betting: false });
  FakeSocket.last.say(update(52, { by: "me", hand: closed }));
  expect(dead.on).toBe(false);
  const paying = hand({ phase: "paying", betting: false, round: 53 });
  FakeSocket.last.say(update(53, { by: "dee", hand: paying }));
  expect(dead.on).toBe(true);
  vi.advanceTimersByTime(DEAD_TIME - 1);
  expect(dead.on).toBe(true);
  vi.advanceTimersByTime(1);
  expect(dead.on).toBe(false);
});

test("a request that comes or goes moves the others, and so does a table that is sent whole", () => {
  const dead = new DeadTime(live);
  const asked = hand({ proposals: [{ proposal: 51 }] as never });
  FakeSocket.last.say(update(51, { hand: asked }));
  expect(dead.on).toBe(true);
  vi.advanceTimersByTime(DEAD_TIME);
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table({ seq: 60 }) });
  expect(dead.on).toBe(true);
  dead.close();
});
