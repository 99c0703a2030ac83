import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, ann, hand, roll, update, NOW } from "../testing/fakeSocket.ts";
import { acceptAll, asked, bet, offer, seated, sitDown, type Playing } from "../testing/playing.ts";

let play: Playing;
beforeEach(() => {
  play = sitDown();
});

/** The server takes the last command. */
async function accept(seq: number): Promise<void> {
  const { id, command } = FakeSocket.last.commands.at(-1)!;
  const event = {
    event: command!.command === "put" ? "put" : "took",
    seat: 0,
    wager: command!.wager,
    amount: command!.amount,
  };
  FakeSocket.last.say(
    update(seq, {
      events: [event as never],
      seats: [{ ...ann, rack: 49_500, bets: [bet(String(command!.wager), 500)] }],
    }),
  );
  FakeSocket.last.say({ type: "ack", id: id!, seq });
  await vi.advanceTimersByTimeAsync(0);
}

test("a chip goes down and undo takes it back", async () => {
  const done = play.put("pass");
  expect(play.chips.pending.get("pass")).toBe(500);
  await accept(51);
  await done;
  expect(play.chips.pending.size).toBe(0);
  void play.undo();
  expect(asked().at(-1)).toEqual({ command: "take", seat: 0, wager: "pass", amount: 500 });
});

test("an undo waits for what is being done, and undoes that", async () => {
  const done = play.put("pass");
  void play.undo();
  expect(asked().map((one) => one!.command)).toEqual(["put"]);
  await accept(51);
  await done;
  await vi.advanceTimersByTimeAsync(0);
  expect(asked().map((one) => one!.command)).toEqual(["put", "take"]);
});

test("nothing from before a roll can be undone, not even of a roll that was missed", async () => {
  const done = play.put("pass");
  await accept(51);
  await done;
  expect(play.canUndo).toBe(true);
  FakeSocket.last.drop();
  vi.advanceTimersByTime(6_000);
  FakeSocket.last.say({ type: "resumed", at: 0, now: NOW, seq: 52 });
  FakeSocket.last.say(roll(52, 4));
  expect(play.canUndo).toBe(false);
  expect(play.seen).toHaveLength(1);
});

test("an undo and the dice wait until the felt is clear", async () => {
  FakeSocket.last.say(
    update(51, { seats: [{ ...ann, bets: [bet("pass", 500), bet("field", 500)] }] }),
  );
  await vi.advanceTimersByTimeAsync(0);
  FakeSocket.last.say({
    type: "offers",
    seat: 0,
    seq: 51,
    offers: [offer("pass"), offer("field")],
  });
  void play.clear();
  void play.undo();
  void play.roll();
  await vi.advanceTimersByTimeAsync(60);
  const commands = () => asked().map((one) => [one!.command, one!.wager].filter(Boolean).join(" "));
  expect(commands()).toEqual(["take pass"]);
  const [pass, field] = [bet("pass", 500), bet("field", 500)];
  for (const [at, bets] of [[field], [], [field], [pass, field]].entries()) {
    seated(52 + at, 50_000, ...bets);
    await acceptAll(52 + at, 1);
  }
  await vi.advanceTimersByTimeAsync(60);
  expect(commands()).toEqual(["take pass", "take field", "put field", "put pass", "roll"]);
});

test("an undo with nothing to undo says so", async () => {
  await play.undo();
  expect(play.notices.shown?.text).toBe("Nothing to undo since the last roll.");
});

test("undo undoes what was begun last, whichever was done first", async () => {
  void play.put("pass");
  void play.put("field");
  const [pass, field] = FakeSocket.last.commands;
  FakeSocket.last.say({ type: "ack", id: field!.id!, seq: 51 });
  await vi.advanceTimersByTimeAsync(0);
  FakeSocket.last.say({ type: "ack", id: pass!.id!, seq: 52 });
  await vi.advanceTimersByTimeAsync(0);
  void play.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked().at(-1)).toMatchObject({ command: "take", wager: "field" });
});

test("whoever leaves cannot undo from before", async () => {
  const done = play.put("pass");
  await accept(51);
  await done;
  expect(play.canUndo).toBe(true);
  FakeSocket.last.say(update(52, { events: [{ event: "left", seat: 0 } as never] }));
  expect(play.canUndo).toBe(false);
});

test("an act is meant for the round in which it was begun, to its end", async () => {
  const done = play.put("pass");
  void play.undo();
  // Another round begins though the dice have not rolled: the dice were passed.
  FakeSocket.last.say(update(51, { hand: hand({ round: 51 }) }));
  await accept(52);
  await done;
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeSocket.last.commands).toMatchObject([
    { round: 40, command: { command: "put" } },
    { round: 40, command: { command: "take" } },
  ]);
  void play.put("pass");
  expect(FakeSocket.last.commands.at(-1)).toMatchObject({ round: 51 });
});
