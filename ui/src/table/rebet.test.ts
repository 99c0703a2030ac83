import type { Happened } from "$wire";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket, ann, hand, roll, update, NOW } from "../testing/fakeSocket.ts";
import {
  acceptAll,
  asked,
  bet,
  lost,
  offer,
  offers,
  reload,
  seated,
  session,
  settings,
  sitDown,
  type Playing,
} from "../testing/playing.ts";

let play: Playing;
beforeEach(() => {
  play = sitDown();
});

test("rebet puts down what came down, to the cent, and once", async () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  expect(play.canRebet).toBe(true);
  void play.rebet();
  await offers(51, offer("pass", { even: 600 }));
  expect(asked()).toEqual([{ command: "put", seat: 0, wager: "pass", amount: 1_300 }]);
  expect(play.canRebet).toBe(false);
});

test("rebet pressed twice puts every bet once", async () => {
  const lines = ["pass", "field", "make-em-all"].map((wager) => ({ ...lost, wager }));
  FakeSocket.last.say(roll(51, 4, lines));
  void play.rebet();
  const all = [offer("pass"), offer("field"), offer("make-em-all")];
  await offers(51, ...all);
  void play.rebet();
  // A server that takes whatever it is asked, one after the other.
  const up = new Map<string, number>();
  for (let seq = 52; seq < 60; seq++) {
    const sent = FakeSocket.last.commands[seq - 52];
    if (!sent) break;
    const wager = sent.command!.wager as string;
    up.set(wager, (up.get(wager) ?? 0) + Number(sent.command!.amount));
    seated(seq, 40_000, ...[...up].map(([spot, stake]) => bet(spot, stake)));
    FakeSocket.last.say({ type: "ack", id: sent.id!, seq });
    await offers(seq, ...all);
  }
  expect([...up]).toEqual(["pass", "field", "make-em-all"].map((wager) => [wager, 1_300]));
});

test("dice that roll in the middle of a rebet end it", async () => {
  const lines = ["pass", "field"].map((wager) => ({ ...lost, wager }));
  FakeSocket.last.say(roll(51, 4, lines));
  void play.rebet();
  await offers(51, offer("pass"), offer("field"));
  expect(asked()).toHaveLength(1);
  FakeSocket.last.say(update(52, { hand: hand({ rolls: 5 }) }));
  await acceptAll(51, 1);
  await vi.advanceTimersByTimeAsync(100);
  expect(asked()).toHaveLength(1);
});

test("rebet can be undone, and then be done again", async () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  void play.rebet();
  await offers(51, offer("pass"));
  seated(52, 48_700, bet("pass", 1_300));
  await acceptAll(52, 1);
  expect(play.canRebet).toBe(false);
  void play.undo();
  seated(53, 50_000);
  await acceptAll(53, 1);
  expect(play.canRebet).toBe(true);
});

test("rebet makes what can be made and names the others with the reason", async () => {
  const lines = ["pass", "dont-pass", "field"].map((wager) => ({ ...lost, wager }));
  FakeSocket.last.say(roll(51, 4, lines));
  void play.rebet();
  const why_not = { type: "", status: 409, code: "not-now", detail: "dont-pass is bet before" };
  const all = [
    offer("pass"),
    offer("dont-pass", { why_not }),
    offer("field", { most: 500, even: 100 }),
  ];
  await offers(51, ...all);
  expect(asked().map((command) => command!.wager)).toEqual(["pass"]);
  seated(52, 48_700, bet("pass", 1_300));
  await acceptAll(52, 1);
  await offers(52, ...all);
  await vi.advanceTimersByTimeAsync(50);
  expect(asked()).toHaveLength(1);
  expect(play.notices.shown).toMatchObject({
    kind: "news",
    text: "Up again: pass $13. Don't Pass is bet before. field takes no more than $5 now.",
  });
});

test("a rebet that the rack is too small for says so, whatever the spot would take", async () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  seated(52, 1_200);
  void play.rebet();
  await offers(52, offer("pass", { most: 1_200 }));
  expect(play.notices.shown?.text).toBe("You have $12 left: too little for pass $13.");
});

test("and says it once for all of them", async () => {
  FakeSocket.last.say(roll(51, 4, [lost, { ...lost, wager: "field" }]));
  seated(52, 1_200);
  void play.rebet();
  await offers(52, offer("pass"), offer("field"));
  expect(play.notices.shown?.text).toBe(
    "You have $12 left: too little for pass $13 and field $13.",
  );
});

describe("a rebet of which a part cannot be made", () => {
  const why_not = { type: "", status: 409, code: "not-now", detail: "odds pass needs a number" };
  const shut = offer("odds pass", { why_not });

  /** The line bet is up again, and the odds are not. */
  async function half(): Promise<void> {
    const lines = ["pass", "odds pass"].map((wager) => ({ ...lost, wager }));
    FakeSocket.last.say(roll(51, 4, lines));
    void play.rebet();
    await offers(51, offer("pass"), shut);
    seated(52, 48_700, bet("pass", 1_300));
    await acceptAll(52, 1);
  }

  test("does not put again what the player has taken back meanwhile", async () => {
    await half();
    seated(53, 50_000);
    await offers(53, offer("pass"), shut);
    await vi.advanceTimersByTimeAsync(100);
    expect(asked().map((command) => command!.wager)).toEqual(["pass"]);
  });

  test("does not go on after a roll", async () => {
    await half();
    FakeSocket.last.say(roll(53, 5));
    await offers(53, offer("pass"), offer("odds pass"));
    await vi.advanceTimersByTimeAsync(100);
    expect(asked().map((command) => command!.wager)).toEqual(["pass"]);
  });
});

test("rebet waits for a line bet where a side bet needs one, and is one act", async () => {
  const lines = ["make-em-all", "pass"].map((wager) => ({ ...lost, wager }));
  FakeSocket.last.say(roll(51, 4, lines));
  void play.rebet();
  const why_not = { type: "", status: 409, code: "not-now", detail: "needs a line bet" };
  await offers(51, offer("pass"), offer("make-em-all", { why_not }));
  seated(52, 48_700, bet("pass", 1_300));
  await acceptAll(52, 1);
  await offers(52, offer("pass"), offer("make-em-all"));
  expect(asked().map((command) => command!.wager)).toEqual(["pass", "make-em-all"]);
  seated(53, 47_400, bet("pass", 1_300), bet("make-em-all", 1_300));
  await acceptAll(53, 1);
  expect(play.notices.shown?.kind).toBe("lost");
  void play.undo();
  await acceptAll(54, 2);
  expect(asked().slice(2)).toMatchObject([
    { command: "take", wager: "make-em-all" },
    { command: "take", wager: "pass" },
  ]);
});

test("rebet says that there is nothing, or that betting is closed, and sends nothing", async () => {
  await play.rebet();
  await vi.advanceTimersByTimeAsync(0);
  expect(play.notices.shown?.text).toContain("no bet of yours has come down");
  FakeSocket.last.say(update(51, { hand: hand({ betting: false }) }));
  void play.rebet();
  expect(play.notices.shown?.text).toBe("Betting is closed: the dice are out.");
  expect(asked()).toEqual([]);
});

test("rebet outlives a reload", () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  play = reload();
  expect(play.canRebet).toBe(true);
});

test.each([
  ["the roll was taken back meanwhile", { hand: hand({ rolls: 3 }) }],
  ["or corrected", { recent: ["2-2"] }],
  ["the wager is not on offer any more", { wagers: [] }],
  ["somebody else plays the seat", { seats: [{ ...ann, person: "bob" }] }],
])("but not where %s", (_, more) => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  session.me = { ...session.me!, person: "seats" in more ? "bob" : "ann" };
  play = reload(more);
  expect(play.seat).not.toBeNull();
  expect(play.canRebet).toBe(false);
});

test("nor after leaving", () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  const left = { event: "left", seat: 0, amount: 50_000, kind: "walk" } as const;
  FakeSocket.last.say(update(52, { events: [left], seats: [{ ...ann, name: null }] }));
  expect(play.notices.spoken).toContain("You have left your seat with $500.");
  play = reload();
  expect(play.canRebet).toBe(false);
});

test("a roll that is taken back leaves nothing to rebet", () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  const voided: Happened = { event: "voided", dice: "3-4", reason: "", undone: [] };
  FakeSocket.last.say(update(52, { events: [voided], hand: hand({ rolls: 3 }) }));
  expect(play.canRebet).toBe(false);
});

describe("winning line bets stay up", () => {
  const won = { ...lost, stake: 1_000, fate: "win", won: 1_000, commission: 0, vig: 0 };
  beforeEach(() => {
    settings.stayUp = true;
  });

  test("put again at once, told, and undone in one", async () => {
    FakeSocket.last.say(roll(51, 4, [won]));
    await offers(51, offer("pass"));
    expect(asked()).toEqual([{ command: "put", seat: 0, wager: "pass", amount: 1_000 }]);
    expect(FakeSocket.last.commands[0]!.id).toBe("again-51-0-pass");
    seated(52, 50_000, bet("pass", 1_000));
    await acceptAll(52, 1);
    expect(play.notices.shown?.text).toBe("seven: +\u2060$10 · Up again: pass $10.");
    expect(play.notices.shown?.kind).toBe("won");
    expect(play.notices.spoken).toBe("seven. You won $10. Up again: pass $10.");
    void play.undo();
    expect(asked().at(-1)).toEqual({ command: "take", seat: 0, wager: "pass", amount: 1_000 });
  });

  test("where a dealer keys the dice, not before a wrong roll would be seen", async () => {
    const config = { dice: "dealer", betting_seconds: null, practice: false } as never;
    play = reload({ config, hand: hand() });
    play.live.follow(0);
    FakeSocket.last.say(roll(51, 4, [won]));
    await offers(51, offer("pass"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(asked()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(asked()).toMatchObject([{ command: "put", wager: "pass" }]);
  });

  test("the dice wait for it", async () => {
    FakeSocket.last.say(roll(51, 4, [won]));
    void play.roll();
    await offers(51, offer("pass"));
    expect(asked().map((one) => one!.command)).toEqual(["put"]);
    seated(52, 50_000, bet("pass", 1_000));
    await acceptAll(52, 1);
    expect(asked().map((one) => one!.command)).toEqual(["put", "roll"]);
  });

  test("only once the dice rest and betting is open", async () => {
    settings.tumble = true;
    const rolled = roll(51, 4, [won]);
    FakeSocket.last.say({ ...rolled, hand: hand({ rolls: 4, betting: false }) });
    await offers(51, offer("pass"));
    expect(asked()).toEqual([]);
    play.rest();
    await vi.advanceTimersByTimeAsync(50);
    expect(asked()).toEqual([]);
    FakeSocket.last.say(update(52, { hand: hand({ rolls: 4 }) }));
    await offers(52, offer("pass"));
    expect(asked()).toHaveLength(1);
  });

  test.each([
    ["a bet that lost", [lost], {}],
    ["a bet that is up", [{ ...won, left: "pass" }], {}],
    ["another bet", [{ ...won, wager: "field" }], {}],
    ["a line bet while a point is on", [won], { puck: 6 }],
  ])("not %s", async (_, lines, more) => {
    FakeSocket.last.say({ ...roll(51, 4, lines), hand: hand({ rolls: 4, ...more }) });
    await offers(51, offer("pass"), offer("field"));
    expect(asked()).toEqual([]);
  });

  test("not for somebody who looks away, was away, or has not asked for it", async () => {
    vi.stubGlobal("document", { ...document, hidden: true });
    FakeSocket.last.say(roll(51, 4, [won]));
    await offers(51, offer("pass"));
    vi.stubGlobal("document", { ...document, hidden: false });
    FakeSocket.last.drop();
    vi.advanceTimersByTime(6_000);
    FakeSocket.last.say({ type: "resumed", at: 0, now: NOW, seq: 52 });
    FakeSocket.last.say(roll(52, 5, [won]));
    await offers(52, offer("pass"));
    settings.stayUp = false;
    FakeSocket.last.say(roll(53, 6, [won]));
    await offers(53, offer("pass"));
    expect(FakeSocket.all.flatMap(({ commands }) => commands)).toEqual([]);
  });

  test("not twice with the same bets each hand", async () => {
    settings.sameBets = true;
    seated(51, 48_500, bet("pass", 1_000), bet("field", 500));
    FakeSocket.last.say(roll(52, 4, [won]));
    seated(53, 50_000, bet("field", 500));
    await offers(53, offer("pass"), offer("field"));
    expect(asked()).toEqual([{ command: "put", seat: 0, wager: "pass", amount: 1_000 }]);
  });
});

describe("the same bets each hand", () => {
  const loses = (wager: string, stake: number) => ({ ...lost, wager, stake });
  const rolledOn = (seq: number, number: number, lines: object[], more: object) =>
    FakeSocket.last.say({ ...roll(seq, number, lines), hand: hand({ rolls: number, ...more }) });
  beforeEach(() => {
    settings.sameBets = true;
    seated(51, 48_500, bet("pass", 1_000), bet("field", 500));
    // A point, with the field lost on the way; another chip there is not of the start.
    rolledOn(52, 4, [loses("field", 500)], { puck: 6, hand_rolls: 1 });
    seated(53, 47_500, bet("pass", 1_000), bet("field", 1_000));
  });

  test("what stood at its first roll is put again at the next come-out", async () => {
    await offers(53, offer("pass"), offer("field"));
    expect(asked()).toEqual([]);
    rolledOn(54, 5, [loses("pass", 1_000), loses("field", 1_000)], {});
    seated(55, 47_500);
    await offers(55, offer("pass"), offer("field"));
    await acceptAll(56, 2);
    expect(asked()).toMatchObject([
      { wager: "pass", amount: 1_000 },
      { wager: "field", amount: 500 },
    ]);
  });

  test("a reload does not forget it", async () => {
    const seats = [{ ...ann, bets: [bet("pass", 1_000)] }];
    play = reload({ seq: 53, seats, hand: hand({ rolls: 4, puck: 6, hand_rolls: 1 }) });
    play.live.follow(0);
    rolledOn(54, 5, [loses("pass", 1_000)], {});
    seated(55, 47_500);
    await offers(55, offer("pass"), offer("field"));
    expect(asked()).toMatchObject([{ wager: "pass", amount: 1_000 }]);
  });

  test("a hand without bets is followed by a hand without", async () => {
    rolledOn(54, 5, [loses("pass", 1_000), loses("field", 1_000)], {});
    seated(55, 500);
    await offers(55, offer("pass"), offer("field"));
    // Not enough for one of them, which is said.
    expect(asked()).toMatchObject([{ wager: "field", amount: 500 }]);
    seated(56, 0, bet("field", 500));
    await acceptAll(56, 1);
    await offers(56, offer("pass"), offer("field"));
    expect(play.notices.shown?.text).toContain("You have $0 left: too little for pass $10.");
    seated(57, 500);
    rolledOn(58, 6, [], {});
    await offers(58, offer("pass"), offer("field"));
    expect(asked()).toHaveLength(1);
  });
});

test("bets that stay up wait until the last roll is paid, and are meant for that round", async () => {
  settings.stayUp = true;
  const won = { ...lost, fate: "win", won: 1_300, to_rack: 2_600 };
  const paying = hand({ rolls: 4, round: 51, betting: false, phase: "paying" });
  const rolled = { ...roll(51, 4, [won]), hand: paying };
  FakeSocket.last.say(rolled);
  await offers(51, offer("pass"));
  expect(asked()).toEqual([]);
  const opened = update(52, {
    events: [{ event: "betting-opened" }],
    hand: hand({ rolls: 4, round: 51 }),
  });
  FakeSocket.last.say(opened);
  await offers(52, offer("pass"));
  expect(FakeSocket.last.commands).toMatchObject([
    { round: 51, command: { command: "put", wager: "pass", amount: 1_300 } },
  ]);
});
