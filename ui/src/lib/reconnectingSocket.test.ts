import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, install } from "../testing/fakeSocket.ts";
import { ReconnectingSocket } from "./reconnectingSocket.ts";

const heard = vi.fn();
const hurried = vi.fn();
const lost = vi.fn<(code: number, failures: number) => boolean>();
let socket: ReconnectingSocket<unknown>;

beforeEach(() => {
  install();
  vi.resetAllMocks();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  lost.mockReturnValue(true);
  const path = () => `/api/${FakeSocket.all.length}`;
  socket = new ReconnectingSocket({ path, waits: [100, 1_000], heard, lost, hurried });
});

/** How long, in milliseconds, until it is tried again. */
function untilNext(): number {
  const { length } = FakeSocket.all;
  const from = Date.now();
  while (FakeSocket.all.length === length && Date.now() - from < 60_000)
    vi.advanceTimersByTime(100);
  return Date.now() - from;
}

/** The browser is online again. */
function online(): void {
  const [, listener] = vi.mocked(addEventListener).mock.calls.find(([on]) => on === "online")!;
  (listener as () => void)();
}

test("the pauses grow, up to the last, and start anew once it has stood for a while", () => {
  for (const pause of [100, 1_000, 1_000]) {
    FakeSocket.last.drop();
    expect(untilNext()).toBe(pause);
  }
  expect(lost.mock.calls.map(([, failures]) => failures)).toEqual([0, 1, 2]);
  socket.stands();
  FakeSocket.last.drop();
  expect(untilNext()).toBe(1_000);
  socket.stands();
  vi.advanceTimersByTime(4_000);
  FakeSocket.last.drop();
  expect(untilNext()).toBe(100);
});

test("it leads where it shall by then, and only the last one is heard", () => {
  const [first] = FakeSocket.all;
  socket.renew();
  expect(FakeSocket.last.url).toBe("ws://here/api/1");
  first!.say({ type: "ack", id: "old", seq: 1 });
  first!.drop();
  FakeSocket.last.say({ type: "ack", id: "new", seq: 2 });
  expect(heard.mock.calls).toEqual([[{ type: "ack", id: "new", seq: 2 }]]);
  expect(lost).not.toHaveBeenCalled();
});

test("where too many watch it waits long", () => {
  FakeSocket.last.drop(4002);
  expect(untilNext()).toBe(30_000);
});

test("it is tried at once when the browser is back and somebody looks", () => {
  online();
  expect(FakeSocket.all).toHaveLength(1);
  FakeSocket.last.drop(4002);
  vi.stubGlobal("document", { ...document, hidden: true });
  online();
  expect(FakeSocket.all).toHaveLength(1);
  vi.stubGlobal("document", { ...document, hidden: false });
  online();
  expect(FakeSocket.all).toHaveLength(2);
  expect(hurried).toHaveBeenCalledTimes(1);
  socket.stands();
  online();
  expect(FakeSocket.all).toHaveLength(2);
});

test("one that says nothing for long after it was spoken to is given up", () => {
  vi.advanceTimersByTime(60_000);
  socket.send({ type: "offers" });
  vi.advanceTimersByTime(9_000);
  FakeSocket.last.say({ type: "ack", id: "one", seq: 1 });
  vi.advanceTimersByTime(60_000);
  expect(lost).not.toHaveBeenCalled();
  socket.send({ type: "offers" });
  vi.advanceTimersByTime(9_000);
  socket.send({ type: "offers" });
  vi.advanceTimersByTime(1_000);
  expect(lost.mock.calls).toEqual([[1006, 0]]);
  expect(untilNext()).toBe(100);
});

test("it stays down where that is wished, or it was closed", () => {
  lost.mockReturnValue(false);
  FakeSocket.last.drop();
  online();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  lost.mockReturnValue(true);
  socket.renew();
  FakeSocket.last.drop();
  socket.close();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(2);
});
