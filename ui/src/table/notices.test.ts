import { beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket, ann, hand, roll, table, update, NOW } from "../testing/fakeSocket.ts";
import {
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

describe("notices", () => {
  test("a refusal about closed betting goes when betting opens", async () => {
    FakeSocket.last.say(update(51, { hand: hand({ betting: false }) }));
    await play.put("pass");
    expect(play.notices.shown?.text).toBe("Betting is closed: the dice are out.");
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notices.shown).toBeNull();
  });

  test("what is said of one chip is not said of the next", async () => {
    await offers(50, offer("horn", { even: 400, step: 400, least: 400 }), offer("pass"));
    void play.put("horn");
    expect(play.notices.shown?.text).toBe("$4: the horn is bet in fours.");
    void play.put("pass");
    expect(play.notices.shown).toBeNull();
  });

  test("so does one that the server sent", async () => {
    void play.put("pass");
    FakeSocket.last.say(update(51, { hand: hand({ betting: false }) }));
    const { id } = FakeSocket.last.commands.at(-1)!;
    const problem = { type: "", status: 409, code: "", detail: "no more bets on pass, sorry" };
    FakeSocket.last.say({ type: "refused", id: id!, problem });
    await vi.advanceTimersByTimeAsync(0);
    expect(play.notices.shown?.text).toBe("No more bets on pass, sorry.");
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notices.shown).toBeNull();
  });

  test("a refusal about a spot goes when it opens, about the rack when it changes", async () => {
    const why_not = { type: "", status: 409, code: "not-now", detail: "dont-pass waits" };
    await offers(50, offer("dont-pass", { why_not }), offer("pass"));
    await play.put("dont-pass");
    expect(play.notices.shown?.text).toBe("Don't Pass waits.");
    await offers(51, offer("dont-pass"), offer("pass"));
    expect(play.notices.shown).toBeNull();
    play.inHand.chip = 100_000;
    await play.put("pass");
    expect(play.notices.shown?.text).toBe("You have $500 in your rack.");
    seated(51, 200_000);
    expect(play.notices.shown).toBeNull();
  });

  test("a result goes with the next roll, and its colour is the player's", () => {
    FakeSocket.last.say(roll(51, 4, [lost]));
    expect(play.notices.shown).toMatchObject({ text: "seven: −\u2060$13", kind: "lost" });
    FakeSocket.last.say(roll(52, 5));
    expect(play.notices.shown).toBeNull();
  });

  test("news that betting is closed goes when it opens", () => {
    const closed = { event: "betting-closed" } as const;
    FakeSocket.last.say(update(51, { events: [closed], hand: hand({ betting: false }) }));
    expect(play.notices.shown).toMatchObject({ text: "No more bets.", kind: "news" });
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notices.shown).toBeNull();
  });
});

test("a call is mentioned, but hides no refusal and no result", () => {
  const mentioned = () => {
    play.notices.mention("Bob: Nice roll!");
    return play.notices.shown?.text;
  };
  expect(mentioned()).toBe("Bob: Nice roll!");
  play.notices.say("The table plays on.");
  expect(mentioned()).toBe("Bob: Nice roll!");
  play.notices.refuse("No.");
  expect(mentioned()).toBe("No.");
  FakeSocket.last.say(roll(51, 4, [lost]));
  expect(mentioned()).toBe("seven: −\u2060$13");
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
    expect(play.notices.spoken).toBe("seven. You lost $13. Jackpot: you win $9,000.");
  });

  test("a jackpot that is paid a moment later is told with the roll", () => {
    FakeSocket.last.say(roll(51, 4, [lost]));
    FakeSocket.last.say(update(52, { events: [jackpot] }));
    expect(play.notices.spoken).toBe("seven. You lost $13. Jackpot: you win $9,000.");
    expect(play.notices.shown?.text).toBe("seven: −\u2060$13 · Jackpot: you win $9,000.");
    vi.advanceTimersByTime(3_000);
    FakeSocket.last.say(update(53, { events: [{ event: "paused" }] }));
    expect(play.notices.spoken).toBe("The table is paused.");
  });

  test("nothing of it while the dice tumble", () => {
    settings.tumble = true;
    const before = play.notices.spoken;
    FakeSocket.last.say(roll(51, 4, [lost]));
    FakeSocket.last.say(update(52, { events: [jackpot] }));
    expect([play.notices.spoken, play.notices.shown]).toEqual([before, null]);
    play.rest();
    expect(play.notices.spoken).toBe("seven. You lost $13. Jackpot: you win $9,000.");
  });
});

describe("a roll that wins as much as it loses", () => {
  const won = { ...lost, wager: "field", fate: "win", won: 1_300, commission: 0, to_rack: 2_600 };

  test("is told as that", () => {
    FakeSocket.last.say(roll(51, 4, [lost, won]));
    expect(play.notices.spoken).toBe("seven. You broke even.");
    expect(play.notices.shown).toMatchObject({ text: "seven: you broke even", kind: "news" });
  });

  test("at each seat and at all of them", () => {
    FakeSocket.last.say(update(51, { seats: [{ ...ann, seat: 5 }] }));
    FakeSocket.last.say(roll(52, 4, [lost, { ...won, seat: 5 }]));
    expect(play.notices.spoken).toBe("seven. You lost $13 at seat 1. You won $13 at seat 6.");
    expect(play.notices.shown?.text).toBe("seven: you broke even");
    FakeSocket.last.say(roll(53, 5, [lost, won, { ...lost, seat: 5 }]));
    expect(play.notices.spoken).toBe("seven. You broke even at seat 1. You lost $13 at seat 6.");
  });

  test("is not one that decides nothing, or whose win waits", () => {
    const travels = { ...won, fate: "travel", won: 0, to_rack: 0, left: "come 6" };
    FakeSocket.last.say(roll(51, 4, [travels]));
    expect(play.notices.spoken).toBe("seven.");
    const meter = { wager: "meter", title: "The Meter", spots: ["meter"], paytable: "PT" };
    const now = table({ seq: 51, wagers: [meter as never] });
    FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: now });
    const waits = roll(52, 5, [{ ...won, wager: "meter", to_rack: 0 }]);
    Object.assign(waits.events[0]!, { claims: [[1, "PT", [0]]] });
    FakeSocket.last.say(waits);
    expect(play.notices.spoken).toBe("seven. Jackpot, being confirmed");
  });
});

test("what is only shown is still to be read out, and what was read out is not", async () => {
  await offers(50, offer("horn", { even: 400, step: 400, least: 400 }), offer("pass"));
  void play.put("horn");
  expect(play.notices.unheard).toBe("$4: the horn is bet in fours.");
  play.notices.refuse("No.");
  expect(play.notices.unheard).toBe("");
  FakeSocket.last.say(roll(51, 4, [lost]));
  expect(play.notices.shown?.text).toBe("seven: −\u2060$13");
  expect(play.notices.unheard).toBe("");
  play.notices.say("Six.");
  play.notices.announce("Seven.");
  expect(play.notices.unheard).toBe("");
});

test("the same words twice are told twice", () => {
  FakeSocket.last.say(roll(51, 4));
  const first = play.notices.spoken;
  FakeSocket.last.say(roll(52, 5));
  expect(play.notices.spoken).not.toBe(first);
  expect(play.notices.spoken.trim()).toBe(first);
});

test("what a jackpot pays is not told while its dice tumble", () => {
  settings.tumble = true;
  const shares: [number, number][] = [[0, 50_015]];
  FakeSocket.last.say(roll(51, 4));
  FakeSocket.last.say(
    update(52, { events: [{ event: "claim-paid", claim: 1, amount: 50_015, shares }] }),
  );
  expect(play.notices.spoken).not.toContain("Jackpot");
  play.rest();
  expect(play.notices.spoken).toContain("seven.");
  expect(play.notices.spoken).toContain("Jackpot: you win $500.15.");
  expect(play.notices.shown?.text).toContain("Jackpot: you win $500.15.");
});

test("a jackpot that is paid is not being confirmed", () => {
  const meter = { wager: "mea", title: "The Meter", spots: ["mea"], paytable: "PT" } as never;
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table({ wagers: [meter] }) });
  const won = { seat: 0, wager: "mea", stake: 100, fate: "win", won: -100, to_rack: 0, left: null };
  const { events, ...more } = roll(51, 4, [{ ...won, vig: 0, commission: 0 }]);
  const rolled = { ...events[0], claims: [[1, "PT", [0]]] } as never;
  const claim = { claim: 1, paytable: "PT", wager: null, amount: null, seats: [0], checklist: [] };
  const waits = hand({ rolls: 4, claims: [claim] });
  FakeSocket.last.say({ ...more, events: [rolled], hand: waits });
  expect(play.notices.shown?.text).toBe("seven: Jackpot, being confirmed");
  const shares: [number, number][] = [[0, 50_015]];
  const paid = { event: "claim-paid" as const, claim: 1, amount: 50_015, shares };
  FakeSocket.last.say(update(52, { events: [paid], hand: hand({ rolls: 4 }) }));
  expect(play.notices.shown?.text).toBe("seven · Jackpot: you win $500.15.");
});

describe("a bet that came too late", () => {
  const LATE = "Too late for roll 4: your $5 is back in your rack.";
  const came = { record: 51, what: "rolled", dice: "3-4", by: "dee", name: "Dee", at: 0 };
  const problem = {
    type: "",
    status: 409,
    code: "other-roll",
    detail: "too late for that throw",
    round: 51,
    came: [came],
  };
  const refuse = async () => {
    const { id } = FakeSocket.last.commands.at(-1)!;
    FakeSocket.last.say({ type: "refused", id: id!, problem });
    await vi.advanceTimersByTimeAsync(0);
  };

  test("is told together with its roll, whichever is heard first", async () => {
    void play.put("pass");
    FakeSocket.last.say(roll(51, 4));
    await refuse();
    expect(play.notices.shown?.text).toContain(LATE);
    expect(play.notices.spoken).toContain(LATE);
    vi.advanceTimersByTime(3_000);
    void play.put("pass");
    await refuse();
    FakeSocket.last.say(roll(52, 5, [lost]));
    expect(play.notices.shown?.text).toMatch(/^seven: .* · Too late for roll 5: your \$5/);
  });

  test("is told for a while, though betting opens", async () => {
    void play.put("pass");
    FakeSocket.last.say(update(51, { hand: hand({ betting: false, phase: "paying" }) }));
    await refuse();
    expect(play.notices.shown).toMatchObject({ kind: "refused", text: LATE });
    FakeSocket.last.say(update(52, { hand: hand() }));
    expect(play.notices.shown?.text).toBe(LATE);
    // It is not told again with a roll much later.
    vi.advanceTimersByTime(7_000);
    FakeSocket.last.say(roll(53, 4, [lost]));
    expect(play.notices.shown?.text).not.toContain("Too late");
  });
});
