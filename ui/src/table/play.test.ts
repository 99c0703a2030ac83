import { beforeEach, describe, expect, test, vi } from "vitest";
import type { OfferView } from "$wire";
import { FakeSocket, ann, hand, install, roll, table, update } from "../lib/fakeSocket.ts";

install();
const { Live } = await import("../lib/live.svelte.ts");
const { session } = await import("../lib/session.svelte.ts");
const { settings } = await import("./settings.svelte.ts");
const { Play } = await import("./play.svelte.ts");
let play: InstanceType<typeof Play>;

const offer = (wager: string, more: Partial<OfferView> = {}): OfferView => ({
  wager, least: 100, most: 50_000, step: 100, why_not: null, take: true, call: false, even: 100, ...more,
});
const bet = (wager: string, stake: number) => ({ wager, stake, vig: 0, call: "house" as const, working: true });
const wager = (name: string) => ({ wager: name, title: name, spots: [name], min: 100, unit: 100 }) as never;

beforeEach(() => {
  install();
  settings.tumble = false;
  session.me = { person: "ann", name: "Ann", roles: ["guest"] };
  const live = new Live("t");
  play = new Play(live);
  FakeSocket.last.say({ type: "snapshot", table: table({ wagers: [wager("pass"), wager("field")] }) });
  live.follow(0);
  FakeSocket.last.say({ type: "offers", seat: 0, seq: 50, offers: [offer("pass"), offer("field")] });
});

/** The server takes the last command. */
async function accept(seq: number): Promise<void> {
  const { id, command } = FakeSocket.last.commands.at(-1)!;
  const event = { event: command!.command === "put" ? "put" : "took", seat: 0, wager: command!.wager, amount: command!.amount };
  FakeSocket.last.say(update(seq, { events: [event as never], seats: [{ ...ann, rack: 49_500, bets: [bet(String(command!.wager), 500)] }] }));
  FakeSocket.last.say({ type: "ack", id: id!, seq });
  await vi.advanceTimersByTimeAsync(0);
}

const asked = () => FakeSocket.last.commands.map(({ command }) => command);

test("a chip goes down and undo takes it back", async () => {
  const done = play.put("pass");
  expect(play.pending.get("pass")).toBe(500);
  await accept(51);
  await done;
  expect(play.pending.size).toBe(0);
  void play.undo();
  expect(asked().at(-1)).toEqual({ command: "take", seat: 0, wager: "pass", amount: 500 });
});

test("nothing from before a roll can be undone, not even of a roll that was missed", async () => {
  const done = play.put("pass");
  await accept(51);
  await done;
  expect(play.canUndo).toBe(true);
  FakeSocket.last.drop();
  vi.advanceTimersByTime(6_000);
  FakeSocket.last.say({ type: "resumed", seq: 52 });
  FakeSocket.last.say(roll(52, 4));
  expect(play.canUndo).toBe(false);
  expect(play.seen).toHaveLength(1);
});

test("rebet puts down what came down, to the cent, and once", async () => {
  FakeSocket.last.say(roll(51, 4, [{ seat: 0, wager: "pass", stake: 1_300, fate: "lose", left: null }]));
  expect(play.canRebet).toBe(true);
  void play.rebet();
  expect(asked()).toEqual([{ command: "put", seat: 0, wager: "pass", amount: 1_300 }]);
  expect(play.canRebet).toBe(false);
});

test("the dice are thrown once, however often they are asked for", () => {
  void play.roll();
  void play.roll();
  expect(asked().filter((command) => command!.command === "roll")).toHaveLength(1);
});

describe("while the dice tumble", () => {
  beforeEach(() => {
    settings.tumble = true;
    FakeSocket.last.say(roll(51, 4));
  });

  test("the table is as it was, and then as it is", () => {
    expect(play.tumbling).toBe("3-4");
    expect(play.table?.hand.rolls).toBe(3);
    play.rest();
    expect(play.table?.hand.rolls).toBe(4);
  });

  test("asking for a roll has them rest and throws nothing", () => {
    void play.roll();
    expect(play.tumbling).toBeNull();
    expect(asked()).toEqual([]);
  });
});

test("the roll that is taken back is the one that is struck out", () => {
  FakeSocket.last.say(roll(51, 4));
  FakeSocket.last.say(update(52, { events: [{ event: "voided", dice: "3-4", reason: "" }], hand: hand({ rolls: 3 }) }));
  expect(play.seen.map(({ voided }) => voided)).toEqual([true]);
  expect(play.spoken).toContain("void");
});

test("a bet that is closed is refused in the house's words and not sent", async () => {
  const why_not = { type: "", status: 409, code: "not-now", detail: "wait for a come-out" };
  FakeSocket.last.say({ type: "offers", seat: 0, seq: 51, offers: [offer("pass", { why_not })] });
  await play.put("pass");
  expect(play.notice).toEqual({ text: "Wait for a come-out.", kind: "refused" });
  expect(asked()).toEqual([]);
});
