import { beforeEach, expect, test } from "vitest";
import type { Happened, WorkListView } from "$wire";
import { FakeSocket, NOW, install, table, update } from "../testing/fakeSocket.ts";
import { Live } from "../lib/live.svelte.ts";
import { LastList } from "./lastList.svelte.ts";

let live: Live;
let last: LastList;
beforeEach(() => {
  install();
  live = new Live("t");
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
  last = new LastList(live);
});
const list = (number: number, done = false) =>
  ({
    list: number,
    done,
    cause: "rolled",
    items: done ? [] : [{ item: 0 }],
  }) as never as WorkListView;

test("a list that was marked done is kept as it was shown last", () => {
  last.see([list(40)]);
  expect(last.list).toBeNull();
  // What is held of it stays among the others.
  last.see([list(40, true)]);
  expect(last.list).toEqual(list(40));
  last.see([list(45)]);
  last.see([]);
  expect(last.list?.list).toBe(45);
});

test("the list of a roll that was voided was not done", () => {
  last.see([list(40)]);
  const voided = { event: "voided", dice: "4-2", reason: null, undone: [] } as Happened;
  FakeSocket.last.say(update(51, { events: [voided] }));
  last.see([list(51)]);
  expect(last.list).toBeNull();
});
