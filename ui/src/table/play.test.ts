import { beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket, ann, hand, roll, update } from "../testing/fakeSocket.ts";
import {
  acceptAll,
  asked,
  bet,
  lost,
  offer,
  offers,
  seated,
  settings,
  sitDown,
  type Playing,
} from "../testing/playing.ts";

let play: Playing;
beforeEach(() => {
  play = sitDown();
});

describe("a chip on a come number", () => {
  const waits = { code: "no-flat-bet", detail: "waits for its flat bet" } as never;

  test("is odds behind the bet that stands there", async () => {
    await offers(50, offer("come 6", { why_not: waits }), offer("odds come 6"));
    expect(play.takes("come 6")).toBe("odds come 6");
  });

  test("is a put bet where none stands and the house takes one", async () => {
    await offers(50, offer("come 6"), offer("odds come 6", { why_not: waits }));
    expect(play.takes("come 6")).toBe("come 6");
    // Once it is up, or on its way, the next chip goes behind it.
    void play.put("come 6");
    expect(asked().at(-1)).toMatchObject({ wager: "come 6", amount: 500 });
    expect(play.takes("come 6")).toBe("odds come 6");
  });
});

describe("typed amounts", () => {
  const type = (text: string) => [...text].forEach((key) => play.inHand.type(key));

  test("go down to the dollar, and the next figure starts anew", async () => {
    await offers(50, offer("pass"), offer("field", { even: 600 }));
    type("25");
    expect(play.inHand.amount).toBe(2_500);
    void play.put("field");
    expect(asked().at(-1)).toMatchObject({ wager: "field", amount: 2_500 });
    expect(play.inHand.amount).toBe(2_500);
    expect(play.inHand.type("Backspace")).toBe(false);
    type("7");
    expect(play.inHand.amount).toBe(700);
  });

  test("Escape and a chip drop them", () => {
    type("25");
    play.inHand.type("Escape");
    expect(play.inHand.amount).toBe(500);
    type("25");
    play.inHand.chip = 10_000;
    expect([play.inHand.typed, play.inHand.amount]).toEqual(["", 10_000]);
  });

  test("what is no amount is not bet, nor taken for another", async () => {
    await offers(50, offer("pass"), offer("place 6"), offer("place 8"));
    const before = asked().length;
    type("12,50");
    void play.put("pass");
    await play.even();
    expect(play.notices.shown?.text).toBe(
      "“12,50” is not an amount in dollars. Write it as 12.50 or 1,234.50.",
    );
    expect(asked()).toHaveLength(before);
    // Typed to its end it is one.
    type("0");
    expect(play.inHand.amount).toBe(1_250_000);
    play.inHand.typeAll("1,250");
    expect([play.inHand.amount, play.inHand.problem]).toEqual([125_000, null]);
  });

  test("what the spot does not take is refused and says why", async () => {
    await offers(50, offer("pass", { least: 1_000, step: 500, most: 20_000 }));
    for (const [typed, why] of [
      ["5", "pass takes at least $10."],
      ["12", "pass goes in steps of $5."],
      ["300", "pass takes no more than $200 now."],
      ["900", "You have $500 in your rack."],
    ]) {
      type(typed!);
      await play.put("pass");
      expect(play.notices.shown?.text).toBe(why);
    }
    expect(asked()).toEqual([]);
  });

  test("are put as they are, and what pays even is suggested once", async () => {
    await offers(50, offer("place 6", { even: 600 }));
    type("25");
    void play.put("place 6");
    expect(asked()).toMatchObject([{ wager: "place 6", amount: 2_500 }]);
    expect(play.notices.shown?.text).toBe("Place 6 pays even at $24 or $30.");
    seated(51, 49_500, bet("place 6", 500));
    await acceptAll(51, 1);
    play.notices.say("");
    await offers(51, offer("place 6", { even: 600 }));
    type("20");
    void play.put("place 6");
    expect(play.notices.shown?.text).toBe("");
  });

  test("are taken off to the dollar", () => {
    seated(51, 40_000, bet("field", 2_400));
    type("5");
    void play.take("field");
    expect(asked().at(-1)).toMatchObject({ command: "take", wager: "field", amount: 500 });
  });

  test("are the unit of place bets, each rounded to what it is paid on", async () => {
    type("25");
    void play.even();
    await offers(50, offer("place 6", { even: 600 }), offer("place 8", { even: 600 }));
    await acceptAll(51, 2);
    expect(asked().map((one) => [one!.wager, one!.amount])).toEqual([
      ["place 6", 3_000],
      ["place 8", 3_000],
    ]);
  });
});

test("a press by half and in full is one act each", async () => {
  const even = [offer("place 6", { even: 600 }), offer("place 8", { even: 600 })];
  seated(51, 40_000, bet("place 6", 1_200), bet("place 8", 600));
  void play.press(null, "half");
  await offers(51, ...even);
  await acceptAll(52, 2);
  expect(asked().map((one) => one!.amount)).toEqual([600, 600]);
  void play.undo();
  await acceptAll(53, 2);
  expect(asked().slice(2)).toMatchObject([
    { command: "take", wager: "place 8" },
    { command: "take", wager: "place 6" },
  ]);
  await offers(53, ...even);
  void play.press("place 6", "full");
  await vi.advanceTimersByTimeAsync(30);
  expect(asked().at(-1)).toMatchObject({ wager: "place 6", amount: 1_200 });
});

describe("several seats", () => {
  const other = { ...ann, seat: 2, rack: 10_000 };
  beforeEach(() => FakeSocket.last.say(update(51, { seats: [other] })));

  test("the first is played until another is chosen, and undo follows", async () => {
    void play.put("pass");
    await acceptAll(52, 1);
    expect(asked().at(-1)).toMatchObject({ seat: 0 });
    play.choose(2);
    expect([play.seat?.rack, play.canUndo]).toEqual([10_000, false]);
    void play.put("pass");
    await acceptAll(53, 1);
    expect(asked().at(-1)).toMatchObject({ seat: 2 });
    play.choose(0);
    void play.undo();
    expect(asked().at(-1)).toMatchObject({ command: "take", seat: 0 });
  });

  test("each has its own rebet and its own result", () => {
    const lines = [
      lost,
      { ...lost, seat: 2, fate: "win", won: 600, commission: 0, vig: 0, left: "pass" },
    ];
    FakeSocket.last.say(roll(52, 4, lines));
    expect(play.notices.spoken).toBe("seven. You lost $13 at seat 1. You won $6 at seat 3.");
    expect(play.notices.shown).toMatchObject({ text: "seven: −\u2060$7", kind: "lost" });
    expect(play.canRebet).toBe(true);
    play.choose(2);
    expect(play.canRebet).toBe(false);
  });
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
  expect(play.notices.shown?.text).toBe("Not that much.");
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
  expect(play.notices.shown?.text).toBe("That takes $22 and you have $10.");
});

test("a chip that the rack does not hold is not bet in part", async () => {
  FakeSocket.last.say(update(51, { seats: [{ ...ann, rack: 2_300 }] }));
  play.inHand.chip = 2_500;
  await play.put("field");
  expect(asked()).toEqual([]);
  expect(play.notices.shown?.text).toBe("You have $23 in your rack.");
});

test("the dice are thrown once, however often they are asked for", () => {
  void play.roll();
  void play.roll();
  expect(asked().filter((command) => command!.command === "roll")).toHaveLength(1);
});

test("whoever throws another's dice hears whose they are", async () => {
  FakeSocket.last.say(update(51, { hand: hand({ shooter: 4 }) }));
  void play.roll();
  const { id } = FakeSocket.last.commands.at(-1)!;
  const problem = { type: "", status: 403, code: "not-your-seat", detail: "not your seat" };
  FakeSocket.last.say({ type: "refused", id: id!, problem });
  await vi.advanceTimersByTimeAsync(0);
  expect(play.notices.shown?.text).toBe("seat 5 has the dice.");
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
      events: [{ event: "voided", dice: "3-4", reason: "", undone: [] }],
      hand: hand({ rolls: 3 }),
    }),
  );
  expect(play.seen.map(({ voided }) => voided)).toEqual([true]);
  expect(play.notices.spoken).toContain("void");
});

test("a bet that is closed is refused in the house's words and not sent", async () => {
  const why_not = { type: "", status: 409, code: "not-now", detail: "wait for a come-out" };
  FakeSocket.last.say({ type: "offers", seat: 0, seq: 51, offers: [offer("pass", { why_not })] });
  await play.put("pass");
  expect(play.notices.shown).toMatchObject({ text: "Wait for a come-out.", kind: "refused" });
  expect(asked()).toEqual([]);
});
