import { beforeEach, describe, expect, test, vi } from "vitest";
import type { OfferView } from "$wire";
import { FakeSocket, ann, hand, install, roll, table, update } from "../testing/fakeSocket.ts";

install();
const { Live } = await import("../lib/live.svelte.ts");
const { session } = await import("../lib/session.svelte.ts");
const { settings } = await import("./settings.svelte.ts");
const { Play } = await import("./play.svelte.ts");
let play: InstanceType<typeof Play>;

const offer = (wager: string, more: Partial<OfferView> = {}): OfferView => ({
  wager,
  least: 100,
  most: 50_000,
  step: 100,
  why_not: null,
  take: true,
  call: false,
  even: 100,
  ...more,
});
const bet = (wager: string, stake: number) => ({
  wager,
  stake,
  vig: 0,
  call: "house" as const,
  working: true,
});
const wager = (name: string) =>
  ({ wager: name, title: name, spots: [name], min: 100, unit: 100 }) as never;

beforeEach(() => {
  install();
  settings.tumble = false;
  session.me = { person: "ann", name: "Ann", login: null, roles: ["guest"] };
  const live = new Live("t");
  play = new Play(live);
  FakeSocket.last.say({
    type: "snapshot",
    at: 0,
    table: table({ wagers: [wager("pass"), wager("field")] }),
  });
  live.follow(0);
  FakeSocket.last.say({
    type: "offers",
    seat: 0,
    seq: 50,
    offers: [offer("pass"), offer("field")],
  });
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
  FakeSocket.last.say({ type: "resumed", at: 0, seq: 52 });
  FakeSocket.last.say(roll(52, 4));
  expect(play.canUndo).toBe(false);
  expect(play.seen).toHaveLength(1);
});

/** What may be done is known as of a record. */
function offers(seq: number, ...all: OfferView[]): Promise<unknown> {
  FakeSocket.last.say({ type: "offers", seat: 0, seq, offers: all });
  return vi.advanceTimersByTimeAsync(30);
}

const lost = { seat: 0, wager: "pass", stake: 1_300, fate: "lose", left: null };

test("rebet puts down what came down, to the cent, and once", async () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  expect(play.canRebet).toBe(true);
  void play.rebet();
  await offers(51, offer("pass", { even: 600 }));
  expect(asked()).toEqual([{ command: "put", seat: 0, wager: "pass", amount: 1_300 }]);
  expect(play.canRebet).toBe(false);
});

test("a roll that is taken back leaves nothing to rebet", () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  const voided = { event: "voided", dice: "3-4", reason: "" } as const;
  FakeSocket.last.say(update(52, { events: [voided], hand: hand({ rolls: 3 }) }));
  expect(play.canRebet).toBe(false);
});

test("a drag that is refused puts the chips back, and is no act", async () => {
  const seats = [{ ...ann, rack: 0, bets: [bet("field", 1_000)] }];
  FakeSocket.last.say(update(51, { seats }));
  void play.move("field", "pass");
  await offers(51, offer("field"), offer("pass"));
  expect(asked()).toEqual([{ command: "take", seat: 0, wager: "field", amount: null }]);
  const answer = async (frame: object) => {
    FakeSocket.last.say({ id: FakeSocket.last.commands.at(-1)!.id!, ...frame } as never);
    await vi.advanceTimersByTimeAsync(0);
  };
  await answer({ type: "ack", seq: 52 });
  expect(asked().at(-1)).toEqual({ command: "put", seat: 0, wager: "pass", amount: 1_000 });
  await answer({ type: "refused", problem: { detail: "not that much" } });
  expect(asked().at(-1)).toEqual({ command: "put", seat: 0, wager: "field", amount: 1_000 });
  await answer({ type: "ack", seq: 53 });
  expect(play.canUndo).toBe(false);
  expect(play.notice?.text).toBe("Not that much.");
});

test("inside is one act, and none where the rack does not hold all of it", async () => {
  const numbers = [5, 6, 8, 9].map((number) =>
    offer(`place ${number}`, { even: number % 2 ? 500 : 600 }),
  );
  void play.inside();
  await offers(50, ...numbers);
  const answer = async () => {
    for (let times = 0; times < 4; times++) {
      FakeSocket.last.say({ type: "ack", id: FakeSocket.last.commands.at(-1)!.id!, seq: 51 });
      await vi.advanceTimersByTimeAsync(0);
    }
  };
  await answer();
  expect(asked().map((command) => command!.amount)).toEqual([500, 600, 600, 500]);
  void play.undo();
  expect(asked().at(-1)).toEqual({ command: "take", seat: 0, wager: "place 9", amount: 500 });
  await answer();
  expect(asked()).toHaveLength(8);
  FakeSocket.last.say(update(51, { seats: [{ ...ann, rack: 1_000 }] }));
  const before = asked().length;
  void play.inside();
  await offers(51, ...numbers);
  expect(asked()).toHaveLength(before);
  expect(play.notice?.text).toBe("That takes $22 and you have $10.");
});

test("a chip that the rack does not hold is not bet in part", async () => {
  FakeSocket.last.say(update(51, { seats: [{ ...ann, rack: 2_300 }] }));
  play.chip = 2_500;
  await play.put("field");
  expect(asked()).toEqual([]);
  expect(play.notice?.text).toBe("You have $23 in your rack.");
});

test("the same words twice are told twice", () => {
  FakeSocket.last.say(roll(51, 4));
  const first = play.spoken;
  FakeSocket.last.say(roll(52, 5));
  expect(play.spoken).not.toBe(first);
  expect(play.spoken.trim()).toBe(first);
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
  FakeSocket.last.say(
    update(52, {
      events: [{ event: "voided", dice: "3-4", reason: "" }],
      hand: hand({ rolls: 3 }),
    }),
  );
  expect(play.seen.map(({ voided }) => voided)).toEqual([true]);
  expect(play.spoken).toContain("void");
});

test("a bet that is closed is refused in the house's words and not sent", async () => {
  const why_not = { type: "", status: 409, code: "not-now", detail: "wait for a come-out" };
  FakeSocket.last.say({ type: "offers", seat: 0, seq: 51, offers: [offer("pass", { why_not })] });
  await play.put("pass");
  expect(play.notice).toMatchObject({ text: "Wait for a come-out.", kind: "refused" });
  expect(asked()).toEqual([]);
});

test("what a jackpot pays is not told while its dice tumble", () => {
  settings.tumble = true;
  const shares: [number, number][] = [[0, 50_015]];
  FakeSocket.last.say(roll(51, 4));
  FakeSocket.last.say(
    update(52, { events: [{ event: "claim-paid", claim: 1, amount: 50_015, shares }] }),
  );
  expect(play.spoken).not.toContain("Jackpot");
  play.rest();
  expect(play.spoken).toContain("seven.");
  expect(play.spoken).toContain("Jackpot: Ann $500.15.");
  expect(play.notice?.text).toBe("Jackpot: Ann $500.15.");
});
