import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Command, WorkItemView, WorkListView } from "$wire";
import type { Refused } from "./api.ts";
import { FakeSocket, hand, install, roll, table, update, NOW } from "../testing/fakeSocket.ts";
import { Live } from "./live.svelte.ts";

const put: Command = { command: "put", seat: 0, wager: "field", amount: 500 };
let live: Live;

beforeEach(() => {
  install();
  live = new Live("t");
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
});

/** The line is back, and the server says this first. */
function back(frame: Parameters<FakeSocket["say"]>[0]): FakeSocket {
  vi.advanceTimersByTime(6_000);
  FakeSocket.last.say(frame);
  return FakeSocket.last;
}

describe("a command", () => {
  test("is answered once", async () => {
    const answer = live.ask(put);
    const [sent] = FakeSocket.last.commands;
    FakeSocket.last.say({ type: "ack", id: sent!.id!, seq: 51 });
    await expect(answer).resolves.toBe(51);
    expect(live.waiting).toEqual([]);
  });

  test("that was sent is sent again with the same id when the line is back", async () => {
    const answer = live.ask(put);
    const first = FakeSocket.last;
    first.drop();
    const second = back({ type: "resumed", at: 0, now: NOW, seq: 50 });
    expect(second).not.toBe(first);
    expect(second.commands).toEqual(first.commands);
    second.say({ type: "ack", id: second.commands[0]!.id!, seq: 51 });
    await expect(answer).resolves.toBe(51);
  });

  test("names the round that was shown, and is never moved to another", async () => {
    const answer = live.ask(put);
    const [sent] = FakeSocket.last.commands;
    expect(sent).toMatchObject({ round: 40 });
    FakeSocket.last.drop();
    const socket = back({ type: "resumed", at: 0, now: NOW, seq: 51 });
    expect(socket.commands).toEqual([]);
    socket.say(roll(51, 4));
    expect(live.moment).toEqual({ round: 51, roll: 5 });
    // The server knows whether it was taken before the roll.
    expect(socket.commands).toEqual([sent]);
    const other = { type: "about:blank", status: 409, code: "other-roll", detail: "too late" };
    socket.say({ type: "refused", id: sent!.id!, problem: other });
    const error: Refused = await answer.then(
      () => Promise.reject(new Error("it was taken")),
      (error: Refused) => error,
    );
    expect(error.asked).toMatchObject({ command: put, moment: { round: 40, roll: 4 } });
  });

  test("is meant for the moment that a person saw, though the table has moved on", () => {
    const { moment } = live;
    FakeSocket.last.say(roll(51, 4));
    void live.ask(put, "late", moment);
    void live.ask(put, "new");
    expect(FakeSocket.last.commands).toMatchObject([{ round: 40 }, { round: 51 }]);
  });

  test("names no round if it means none, or if the table has none", async () => {
    void live.ask({ command: "buy-in", seat: 0, amount: 500 });
    expect(FakeSocket.last.commands[0]).not.toHaveProperty("round");
    const old = table({ hand: hand({ round: undefined as never }) });
    FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: old });
    const answer = live.ask(put);
    expect(FakeSocket.last.commands.at(-1)).not.toHaveProperty("round");
    // Then only the dice tell whether the moment has passed.
    FakeSocket.last.drop();
    const socket = back({ type: "resumed", at: 0, now: NOW, seq: 51 });
    socket.say(update(51, { hand: hand({ rolls: 4, round: undefined as never }) }));
    expect(socket.commands.map(({ command }) => command?.command)).toEqual(["buy-in"]);
    await expect(answer).rejects.toThrow("the dice have rolled since");
  });

  test("to roll lasts 3 seconds by the server's clock, however often it is sent", () => {
    vi.advanceTimersByTime(1_500);
    void live.ask({ command: "roll", shooter_bytes: "11" }).catch(() => undefined);
    const [sent] = FakeSocket.last.commands;
    expect(sent!.until).toEqual({ run: NOW.run, at: NOW.at + 4_500 });
    FakeSocket.last.drop();
    const again = { run: "another", at: 5 };
    expect(back({ type: "resumed", at: 0, now: again, seq: 50 }).commands).toEqual([sent]);
    void live.ask(put);
    expect(FakeSocket.last.commands.at(-1)).not.toHaveProperty("until");
  });

  test("that could not be sent is dropped", async () => {
    FakeSocket.last.readyState = 2;
    await expect(live.ask(put)).rejects.toThrow("nothing was sent");
    expect(live.waiting).toEqual([]);
    FakeSocket.last.drop();
    expect(back({ type: "resumed", at: 0, now: NOW, seq: 50 }).commands).toEqual([]);
  });

  test("is refused while there is no line", async () => {
    FakeSocket.last.drop();
    await expect(live.ask({ command: "roll", shooter_bytes: "" })).rejects.toThrow(
      "nothing was sent",
    );
    expect(back({ type: "snapshot", at: 0, now: NOW, table: table({ seq: 90 }) }).commands).toEqual(
      [],
    );
  });

  test("to roll answers the commitment that was shown, and another with other bytes", async () => {
    const committed = (commitment: string) => ({ ...table().hand, commitment });
    FakeSocket.last.say({
      type: "snapshot",
      at: 0,
      now: NOW,
      table: table({ hand: committed("aa") }),
    });
    const answer = live.ask({ command: "roll", shooter_bytes: "11" });
    const { until } = FakeSocket.last.commands[0]!;
    vi.advanceTimersByTime(500);
    const before = FakeSocket.last;
    expect(before.commands[0]!.command).toEqual({
      command: "roll",
      shooter_bytes: "11",
      commitment: "aa",
    });
    // The server is another by now, and has committed anew.
    before.drop();
    const socket = back({
      type: "snapshot",
      at: 0,
      now: NOW,
      table: table({ hand: { ...committed("bb"), round: 41 } }),
    });
    expect(socket.commands).toEqual(before.commands);
    const problem = { type: "about:blank", status: 409, code: "other-commitment", detail: "no" };
    socket.say({ type: "refused", id: socket.commands[0]!.id!, problem });
    await vi.waitFor(() => expect(socket.commands).toHaveLength(2));
    const [first, second] = socket.commands;
    expect(second!.id).not.toBe(first!.id);
    // It is the same throw: it is meant for the same moment, and lasts no longer.
    expect(second).toMatchObject({ round: 40, until });
    expect(second!.command).toMatchObject({ command: "roll", commitment: "bb" });
    expect(second!.command).not.toMatchObject({ shooter_bytes: "11" });
    socket.say({ type: "refused", id: second!.id!, problem });
    await expect(answer).rejects.toThrow("no");
    expect(socket.commands).toHaveLength(2);
  });

  test("does not outlive the session", async () => {
    const answer = live.ask(put);
    FakeSocket.last.drop(4001);
    await expect(answer).rejects.toThrow("logged out");
    expect(live.line).toBe("ended");
    expect(live.waiting).toEqual([]);
  });

  test("whose chips an update shows is no longer on its way", () => {
    void live.ask(put);
    void live.ask(put);
    expect(live.waiting).toHaveLength(2);
    FakeSocket.last.say(
      update(51, { events: [{ event: "put", seat: 0, wager: "field", amount: 500 }] }),
    );
    expect(live.waiting).toHaveLength(1);
  });
});

describe("a record", () => {
  test("is told with its update, whichever comes first", async () => {
    const later = live.record(51);
    FakeSocket.last.say(update(51, { events: [{ event: "filled", amount: 500 }] }));
    await expect(later).resolves.toMatchObject({ seq: 51, events: [{ event: "filled" }] });
    await expect(live.record(51)).resolves.toMatchObject({ seq: 51 });
    const missed = live.record(60);
    FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table({ seq: 70 }) });
    await expect(missed).resolves.toBeNull();
    await expect(live.record(51)).resolves.toBeNull();
  });
});

test("nothing is ticked while the line is down: no other console would know", () => {
  const item = { item: 2, kind: "take", ticked: false } as WorkItemView;
  const list = { list: 40, cause: "rolled", done: false, items: [item] } as unknown as WorkListView;
  FakeSocket.last.say({ type: "work", seq: 50, lists: [list] });
  const sent = FakeSocket.last.sent.length;
  FakeSocket.last.drop();
  live.tick(40, 2, true);
  expect(FakeSocket.last.sent).toHaveLength(sent);
  expect(live.work[0]?.items[0]?.ticked).toBe(false);
});

test("the crew's work is the server's, and a tick is shared", () => {
  const item = { item: 2, kind: "take", ticked: false } as WorkItemView;
  const list = { list: 40, cause: "rolled", items: [item] } as WorkListView;
  FakeSocket.last.say({ type: "work", seq: 50, lists: [list] });
  live.tick(40, 2, true);
  expect(FakeSocket.last.sent.at(-1)).toEqual({ type: "tick", list: 40, item: 2, on: true });
  expect(live.work[0]?.items[0]?.ticked).toBe(true);
  FakeSocket.last.say({ type: "work", seq: 51, lists: [] });
  expect(live.work).toEqual([]);
});

test("a list is done as soon as an update says so, and not offered again until the next list", () => {
  const take = { item: 0, kind: "take", ticked: false } as WorkItemView;
  const hold = { item: 1, kind: "hold", ticked: false } as WorkItemView;
  const list = (number: number, ...items: WorkItemView[]) =>
    ({ list: number, of_the_dice: true, done: false, items }) as WorkListView;
  const answered = { ...list(46, take), cause: "confirmed", of_the_dice: false };
  const lists = [list(30, take), list(40, take, hold), list(45, take), answered];
  FakeSocket.last.say({ type: "work", seq: 50, lists });
  FakeSocket.last.say(update(51, { events: [{ event: "betting-opened" }] }));
  // An older list is not paid with this round, nor is a claim that was answered.
  expect(live.work).toEqual([lists[0], { ...lists[1], done: true, items: [hold] }, answered]);
  FakeSocket.last.say(update(52, { events: [{ event: "work-done", list: 30 }] }));
  expect(live.work.map(({ list }) => list)).toEqual([40, 46]);
});

test("the worst roll is asked for", () => {
  live.askWorstRoll();
  expect(FakeSocket.last.sent.at(-1)).toEqual({ type: "worst-roll" });
  const worst = { dice: "6-6", costs: 310_000, leaves: -110_000 };
  FakeSocket.last.say({ type: "worst-roll", seq: 50, worst });
  expect(live.worstRoll).toEqual(worst);
});

describe("updates", () => {
  test("are heard with the table before them", () => {
    const heard = vi.fn();
    live.onUpdate(heard);
    FakeSocket.last.say(roll(51, 4));
    expect(heard.mock.calls[0]![1]).toMatchObject({ seq: 50 });
    expect(heard.mock.calls[0]![2]).toBe(false);
    expect(live.table?.seq).toBe(51);
  });

  test("seen already are left out, and a gap is asked for", () => {
    FakeSocket.last.say(update(50));
    expect(live.table?.seq).toBe(50);
    FakeSocket.last.say(update(53));
    expect(FakeSocket.last.sent.at(-1)).toEqual({ type: "resume", after: 50 });
  });

  test("that were missed are heard late and summed up", () => {
    const heard = vi.fn<Parameters<Live["onUpdate"]>[0]>();
    live.onUpdate(heard);
    FakeSocket.last.drop();
    expect(live.line).toBe("lost");
    const socket = back({ type: "resumed", at: 0, now: NOW, seq: 52 });
    socket.say(roll(51, 4));
    expect(live.line).toBe("lost");
    socket.say(update(52));
    expect(live.line).toBe("open");
    expect(heard.mock.calls.map(([, , late]) => late)).toEqual([true, true]);
    expect(live.missed).toEqual({ totals: [7], net: 0 });
    socket.say(update(53));
    expect(heard.mock.lastCall![2]).toBe(false);
  });

  test("after a table sent whole are not taken for missed ones", () => {
    const heard = vi.fn<Parameters<Live["onUpdate"]>[0]>();
    live.onUpdate(heard);
    FakeSocket.last.drop();
    back({ type: "resumed", at: 0, now: NOW, seq: 100 }).drop();
    const socket = back({ type: "snapshot", at: 0, now: NOW, table: table({ seq: 500 }) });
    socket.say(roll(501, 4));
    expect(heard.mock.lastCall![2]).toBe(false);
    expect(live.missed).toBeNull();
  });

  test("that change the rules bring the table whole", () => {
    FakeSocket.last.say(update(51, { events: [{ event: "configured", rules: "x" }] }));
    expect(FakeSocket.last.sent.at(-1)).toMatchObject({
      type: "resume",
      after: Number.MAX_SAFE_INTEGER,
    });
  });
});

describe("the line", () => {
  test("comes back from the last record", () => {
    FakeSocket.last.drop();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.url).toBe("ws://here/api/tables/t/socket?after=50");
  });

  test("is one, however it was renewed", () => {
    FakeSocket.last.drop();
    void live.renew();
    FakeSocket.last.say({ type: "resumed", at: 0, now: NOW, seq: 50 });
    const count = FakeSocket.all.length;
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(count);
  });

  test("is open again before anything is asked of it as somebody else", async () => {
    const renewed = live.renew();
    let asked: Promise<number> | null = null;
    void renewed.then(() => (asked = live.ask(put)));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBeNull();
    FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeSocket.last.commands).toHaveLength(1);
  });

  test("is not asked for again at once where too many watch", () => {
    FakeSocket.last.drop(4002);
    expect(live.problem?.code).toBe("no-room");
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(20_000);
    FakeSocket.last.say({ type: "resumed", at: 0, now: NOW, seq: 50 });
    expect(live.line).toBe("open");
  });

  test("can be had again after the session has ended", () => {
    FakeSocket.last.drop(4001);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    void live.renew();
    expect(live.line).toBe("lost");
    // Whoever is here now may see more of the table, or less.
    expect(FakeSocket.last.url).toBe("ws://here/api/tables/t/socket");
    FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
    expect(live.line).toBe("open");
    FakeSocket.last.drop();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.url).toBe("ws://here/api/tables/t/socket?after=50");
  });

  test("is not tried without a pause where the server drops it at once", () => {
    for (let time = 0; time < 6; time++) {
      FakeSocket.last.drop();
      vi.advanceTimersByTime(6_000);
      FakeSocket.last.say({ type: "resumed", at: 0, now: NOW, seq: 50 });
    }
    const count = FakeSocket.all.length;
    FakeSocket.last.drop();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all).toHaveLength(count);
  });

  test("asks what a seat may do, once for whatever happens in one go", () => {
    live.follow(0);
    FakeSocket.last.say(update(51, { hand: hand() }));
    FakeSocket.last.say(update(52, { hand: hand() }));
    vi.advanceTimersByTime(50);
    expect(FakeSocket.last.sent.filter(({ type }) => type === "offers")).toEqual([
      { type: "offers", seat: 0 },
    ]);
  });
});

test("the time is the server's", () => {
  vi.setSystemTime(1_000_000);
  FakeSocket.last.say({ type: "snapshot", at: 1_060_000, now: NOW, table: table() });
  vi.advanceTimersByTime(5_000);
  expect(live.now()).toBe(1_065_000);
});
