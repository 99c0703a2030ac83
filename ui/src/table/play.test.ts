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
const TITLES: Record<string, string> = { "dont-pass": "Don't Pass", "make-em-all": "Make 'Em All" };
const wager = (name: string) =>
  ({ wager: name, title: TITLES[name] ?? name, spots: [name], min: 100, unit: 100 }) as never;
const WAGERS = ["pass", "dont-pass", "field", "make-em-all"].map(wager);

beforeEach(() => {
  install();
  settings.tumble = false;
  settings.stayUp = false;
  settings.sameBets = false;
  session.me = { person: "ann", name: "Ann", login: null, roles: ["guest"] };
  const live = new Live("t");
  play = new Play(live);
  FakeSocket.last.say({
    type: "snapshot",
    at: 0,
    table: table({ wagers: WAGERS }),
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

/** The server takes all that is asked, one after the other. */
async function acceptAll(seq: number, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { id } = FakeSocket.last.commands.at(-1)!;
    FakeSocket.last.say({ type: "ack", id: id!, seq });
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** The seat as it is from a record on. */
const seated = (seq: number, rack: number, ...bets: ReturnType<typeof bet>[]) =>
  FakeSocket.last.say(update(seq, { seats: [{ ...ann, rack, bets }] }));

test("rebet puts down what came down, to the cent, and once", async () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  expect(play.canRebet).toBe(true);
  void play.rebet();
  await offers(51, offer("pass", { even: 600 }));
  expect(asked()).toEqual([{ command: "put", seat: 0, wager: "pass", amount: 1_300 }]);
  expect(play.canRebet).toBe(false);
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
  expect(play.notice).toMatchObject({
    kind: "refused",
    text: "Don't Pass is bet before. field takes no more than $5 now.",
  });
});

test("a rebet that the rack is too small for says so, whatever the spot would take", async () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  seated(52, 1_200);
  void play.rebet();
  await offers(52, offer("pass", { most: 1_200 }));
  expect(play.notice?.text).toBe("pass takes $13 and you have $12.");
});

test("and says it once for all of them", async () => {
  FakeSocket.last.say(roll(51, 4, [lost, { ...lost, wager: "field" }]));
  seated(52, 1_200);
  void play.rebet();
  await offers(52, offer("pass"), offer("field"));
  expect(play.notice?.text).toBe("You have $12 left: too little for pass and field.");
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
  expect(play.notice?.kind).toBe("lost");
  void play.undo();
  await acceptAll(54, 2);
  expect(asked().slice(2)).toMatchObject([
    { command: "take", wager: "make-em-all" },
    { command: "take", wager: "pass" },
  ]);
});

test("rebet says that there is nothing, or that betting is closed, and sends nothing", () => {
  void play.rebet();
  expect(play.notice?.text).toContain("no bet of yours has come down");
  FakeSocket.last.say(update(51, { hand: hand({ betting: false }) }));
  void play.rebet();
  expect(play.notice?.text).toBe("Betting is closed: the dice are out.");
  expect(asked()).toEqual([]);
});

/** The page is loaded anew, by whoever this is. */
function reload(more: object = {}): void {
  play = new Play(new Live("t"));
  FakeSocket.last.say({
    type: "snapshot",
    at: 0,
    table: table({ wagers: WAGERS, hand: hand({ rolls: 4 }), recent: ["3-4"], ...more }),
  });
}

test("rebet outlives a reload", () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  reload();
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
  reload(more);
  expect(play.seat).not.toBeNull();
  expect(play.canRebet).toBe(false);
});

test("nor after leaving", () => {
  FakeSocket.last.say(roll(51, 4, [lost]));
  const left = { event: "left", seat: 0, amount: 50_000 } as const;
  FakeSocket.last.say(update(52, { events: [left], seats: [{ ...ann, name: null }] }));
  expect(play.spoken).toContain("You have left your seat with $500.");
  reload();
  expect(play.canRebet).toBe(false);
});

describe("winning line bets stay up", () => {
  const won = { ...lost, stake: 1_000, fate: "win", won: 1_000, commission: 0 };
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
    expect(play.notice?.text).toBe("seven: +\u2060$10 · Up again: pass $10.");
    expect(play.notice?.kind).toBe("won");
    expect(play.spoken).toBe("seven. You won $10. Up again: pass $10.");
    void play.undo();
    expect(asked().at(-1)).toEqual({ command: "take", seat: 0, wager: "pass", amount: 1_000 });
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
    FakeSocket.last.say({ type: "resumed", at: 0, seq: 52 });
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
    reload({ seq: 53, seats, hand: hand({ rolls: 4, puck: 6, hand_rolls: 1 }) });
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
    expect(play.notice?.text).toContain("pass takes $10 and you have $0.");
    seated(57, 500);
    rolledOn(58, 6, [], {});
    await offers(58, offer("pass"), offer("field"));
    expect(asked()).toHaveLength(1);
  });
});

describe("typed amounts", () => {
  const type = (text: string) => [...text].forEach((key) => play.type(key));

  test("go down to the dollar, and the next figure starts anew", async () => {
    await offers(50, offer("pass"), offer("field", { even: 600 }));
    type("25");
    expect(play.amount).toBe(2_500);
    void play.put("field");
    expect(asked().at(-1)).toMatchObject({ wager: "field", amount: 2_500 });
    expect(play.amount).toBe(2_500);
    expect(play.type("Backspace")).toBe(false);
    type("7");
    expect(play.amount).toBe(700);
  });

  test("Escape and a chip drop them", () => {
    type("25");
    play.type("Escape");
    expect(play.amount).toBe(500);
    type("25");
    play.chip = 10_000;
    expect([play.typed, play.amount]).toEqual(["", 10_000]);
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
      expect(play.notice?.text).toBe(why);
    }
    expect(asked()).toEqual([]);
  });

  test("are put as they are, and what pays even is suggested once", async () => {
    await offers(50, offer("place 6", { even: 600 }));
    type("25");
    void play.put("place 6");
    expect(asked()).toMatchObject([{ wager: "place 6", amount: 2_500 }]);
    expect(play.notice?.text).toBe("Place 6 pays even at $24 or $30.");
    await accept(51);
    play.say("");
    await offers(51, offer("place 6", { even: 600 }));
    type("20");
    void play.put("place 6");
    expect(play.notice?.text).toBe("");
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

describe("notices", () => {
  test("a refusal about closed betting goes when betting opens", async () => {
    FakeSocket.last.say(update(51, { hand: hand({ betting: false }) }));
    await play.put("pass");
    expect(play.notice?.text).toBe("Betting is closed: the dice are out.");
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notice).toBeNull();
  });

  test("what is said of one chip is not said of the next", async () => {
    await offers(50, offer("horn", { even: 400, step: 400, least: 400 }), offer("pass"));
    void play.put("horn");
    expect(play.notice?.text).toBe("$4: the horn is bet in fours.");
    void play.put("pass");
    expect(play.notice).toBeNull();
  });

  test("so does one that the server sent", async () => {
    void play.put("pass");
    FakeSocket.last.say(update(51, { hand: hand({ betting: false }) }));
    const { id } = FakeSocket.last.commands.at(-1)!;
    const problem = { type: "", status: 409, code: "", detail: "no more bets on pass, sorry" };
    FakeSocket.last.say({ type: "refused", id: id!, problem });
    await vi.advanceTimersByTimeAsync(0);
    expect(play.notice?.text).toBe("No more bets on pass, sorry.");
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notice).toBeNull();
  });

  test("a refusal about a spot goes when it opens, about the rack when it changes", async () => {
    const why_not = { type: "", status: 409, code: "not-now", detail: "dont-pass waits" };
    await offers(50, offer("dont-pass", { why_not }), offer("pass"));
    await play.put("dont-pass");
    expect(play.notice?.text).toBe("Don't Pass waits.");
    await offers(51, offer("dont-pass"), offer("pass"));
    expect(play.notice).toBeNull();
    play.chip = 100_000;
    await play.put("pass");
    expect(play.notice?.text).toBe("You have $500 in your rack.");
    seated(51, 200_000);
    expect(play.notice).toBeNull();
  });

  test("a result goes with the next roll, and its colour is the player's", () => {
    FakeSocket.last.say(roll(51, 4, [lost]));
    expect(play.notice).toMatchObject({ text: "seven: −\u2060$13", kind: "lost" });
    FakeSocket.last.say(roll(52, 5));
    expect(play.notice).toBeNull();
  });

  test("news that betting is closed goes when it opens", () => {
    const closed = { event: "betting-closed" } as const;
    FakeSocket.last.say(update(51, { events: [closed], hand: hand({ betting: false }) }));
    expect(play.notice).toMatchObject({ text: "No more bets.", kind: "news" });
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notice).toBeNull();
  });
});

describe("what is read out", () => {
  const jackpot = {
    event: "claim-paid",
    claim: 1,
    amount: 900_000,
    shares: [[0, 900_000]],
  } as never;

  test("the roll, what it brought, and the jackpot with it", () => {
    const rolled = roll(51, 4, [lost]);
    FakeSocket.last.say({ ...rolled, events: [...rolled.events, jackpot] });
    expect(play.spoken).toBe("seven. You lost $13. Jackpot: you win $9,000.");
  });

  test("a jackpot that is paid a moment later is told with the roll", () => {
    FakeSocket.last.say(roll(51, 4, [lost]));
    FakeSocket.last.say(update(52, { events: [jackpot] }));
    expect(play.spoken).toBe("seven. You lost $13. Jackpot: you win $9,000.");
    expect(play.notice?.text).toBe("seven: −\u2060$13 · Jackpot: you win $9,000.");
    vi.advanceTimersByTime(3_000);
    FakeSocket.last.say(update(53, { events: [{ event: "paused" }] }));
    expect(play.spoken).toBe("The table is paused.");
  });

  test("nothing of it while the dice tumble", () => {
    settings.tumble = true;
    const before = play.spoken;
    FakeSocket.last.say(roll(51, 4, [lost]));
    FakeSocket.last.say(update(52, { events: [jackpot] }));
    expect([play.spoken, play.notice]).toEqual([before, null]);
    play.rest();
    expect(play.spoken).toBe("seven. You lost $13. Jackpot: you win $9,000.");
  });
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
    const lines = [lost, { ...lost, seat: 2, fate: "win", won: 600, commission: 0, left: "pass" }];
    FakeSocket.last.say(roll(52, 4, lines));
    expect(play.spoken).toBe("seven. You lost $13 at seat 1. You won $6 at seat 3.");
    expect(play.notice).toMatchObject({ text: "seven: −\u2060$7", kind: "lost" });
    expect(play.canRebet).toBe(true);
    play.choose(2);
    expect(play.canRebet).toBe(false);
  });
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

test("whoever throws another's dice hears whose they are", async () => {
  FakeSocket.last.say(update(51, { hand: hand({ shooter: 4 }) }));
  void play.roll();
  const { id } = FakeSocket.last.commands.at(-1)!;
  const problem = { type: "", status: 403, code: "not-your-seat", detail: "not your seat" };
  FakeSocket.last.say({ type: "refused", id: id!, problem });
  await vi.advanceTimersByTimeAsync(0);
  expect(play.notice?.text).toBe("seat 5 has the dice.");
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
  expect(play.spoken).toContain("Jackpot: you win $500.15.");
  expect(play.notice?.text).toContain("Jackpot: you win $500.15.");
});
