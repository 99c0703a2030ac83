import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, install } from "../testing/fakeSocket.ts";
import { LobbyFeed } from "./lobbyFeed.svelte.ts";

const line = (id: string, players = 0, status = "running") => ({
  id,
  name: id,
  players,
  status,
  seats: 16,
  meters: [],
});
const say = (frame: object) => FakeSocket.last.say(frame as never);
const asked = vi.fn();
let feed: LobbyFeed;
let answer: () => Response;
const known = () => feed.tables?.map(({ id, players }) => [id, players]);

beforeEach(() => {
  install();
  asked.mockClear();
  answer = () => Response.json([line("polled")]);
  vi.stubGlobal("fetch", (path: string) => {
    asked(path);
    return Promise.resolve().then(answer);
  });
  feed = new LobbyFeed();
});

test("the list comes first, then what changes", () => {
  expect(FakeSocket.last.url).toBe("ws://here/api/lobby/socket");
  expect(feed.tables).toBeNull();
  say({ type: "lobby", tables: [line("a"), line("b")] });
  say({ type: "table", table: line("a", 3) });
  say({ type: "table", table: line("c") });
  say({ type: "gone", id: "b" });
  expect(known()).toEqual([
    ["a", 3],
    ["c", 0],
  ]);
  vi.advanceTimersByTime(20_000);
  expect(asked).not.toHaveBeenCalled();
});

test("without a socket the list is asked for, until there is one again", async () => {
  FakeSocket.last.drop();
  await vi.advanceTimersByTimeAsync(10);
  expect(known()).toEqual([["polled", 0]]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(FakeSocket.all.length).toBeGreaterThan(1);
  say({ type: "lobby", tables: [line("a")] });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(known()).toEqual([["a", 0]]);
});

test("a house that cannot be reached is said to be, and what was known stays", async () => {
  say({ type: "lobby", tables: [line("a")] });
  answer = () => {
    throw new TypeError("no network");
  };
  FakeSocket.last.drop();
  await vi.advanceTimersByTimeAsync(10);
  expect(feed.problem).toMatch(/cannot be reached/);
  expect(known()).toEqual([["a", 0]]);
  answer = () => Response.json([line("b")]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(feed.problem).toBe("");
  expect(known()).toEqual([["b", 0]]);
});

test("an answer that comes after the socket is no news", async () => {
  FakeSocket.last.drop();
  vi.advanceTimersByTime(400);
  say({ type: "lobby", tables: [line("a")] });
  await vi.advanceTimersByTimeAsync(10);
  expect(known()).toEqual([["a", 0]]);
});

test("nothing is asked once it is closed", async () => {
  FakeSocket.last.drop();
  feed.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("the busiest tables come first, and stay where they are", async () => {
  const paused = line("paused", 9, "paused");
  say({ type: "lobby", tables: [line("b"), paused, line("a"), line("busy", 2)] });
  expect(known()?.map(([id]) => id)).toEqual(["busy", "a", "b", "paused"]);
  say({ type: "table", table: line("b", 5) });
  answer = () => Response.json([line("new", 3), line("b", 6), line("busy", 2), line("a")]);
  FakeSocket.last.drop();
  await vi.advanceTimersByTimeAsync(10);
  expect(known()?.map(([id]) => id)).toEqual(["busy", "a", "b", "new"]);
});
