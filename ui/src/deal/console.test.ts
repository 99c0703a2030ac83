// What the console says of the tray, of the dice, and of what was only asked for.

import { beforeEach, expect, test, vi } from "vitest";
import type { Command, HandView, Problem, TableView, Update } from "$wire";
import { FakeSocket, NOW, ann, hand, install, table, update } from "../testing/fakeSocket.ts";
import { html, text } from "../testing/rendered.ts";
import { Live } from "../lib/live.svelte.ts";
import { Attempt } from "./attempt.svelte.ts";
import Dice from "./Dice.svelte";
import { became } from "./outcome.ts";
import Tray from "./Tray.svelte";
import TrayWarnings from "./TrayWarnings.svelte";
import { diceGoTo } from "./work.ts";

let live: Live;
beforeEach(() => {
  install();
  live = new Live("t");
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
});

const problem = (code: string): Problem => ({ type: "", status: 409, code, detail: "no" });
const close: Command = { command: "close-betting" };
const key: Command = { command: "key-roll", dice: "4-2" };

/** The server answers the last command. */
async function answer(refused?: Problem): Promise<void> {
  const { id } = FakeSocket.last.commands.at(-1)!;
  FakeSocket.last.say(
    refused ? { type: "refused", id: id!, problem: refused } : { type: "ack", id: id!, seq: 51 },
  );
  await vi.advanceTimersByTimeAsync(0);
}

test("closing betting and the roll are meant for one round, whatever comes between", async () => {
  const attempt = new Attempt(live);
  const confirmed = attempt.ask(close, key);
  // Another console voids the last roll meanwhile.
  FakeSocket.last.say(update(51, { hand: hand({ round: 51 }) }));
  await answer();
  expect(FakeSocket.last.commands).toMatchObject([
    { round: 40, command: close },
    { round: 40, command: key },
  ]);
  await answer(problem("other-roll"));
  expect(await confirmed).toBe(false);
  expect(attempt.refused?.code).toBe("other-roll");
});

test("dice are keyed although another console has closed betting for this throw", async () => {
  const attempt = new Attempt(live);
  const confirmed = attempt.ask(close, key);
  await answer(problem("betting-closed"));
  expect(FakeSocket.last.commands.at(-1)).toMatchObject({ round: 40, command: key });
  await answer();
  expect(await confirmed).toBe(true);
  const other = attempt.ask(close, key);
  await answer(problem("other-roll"));
  expect(await other).toBe(false);
  expect(FakeSocket.last.commands).toHaveLength(3);
});

test("a refusal goes once its cause has gone, and not before it can be read", async () => {
  const attempt = new Attempt(live);
  const asked = attempt.ask({ command: "put", seat: 0, wager: "field", amount: 500 });
  await answer(problem("being-paid"));
  await asked;
  FakeSocket.last.say(update(51, { hand: hand({ phase: "closed", betting: false }) }));
  expect(attempt.problem).not.toBe("");
  await vi.advanceTimersByTimeAsync(4_000);
  expect(attempt.problem).toBe("");

  // Nothing of what it is about has changed.
  const again = attempt.ask({ command: "put", seat: 0, wager: "field", amount: 500 });
  await answer(problem("over-maximum"));
  await again;
  await vi.advanceTimersByTimeAsync(4_000);
  FakeSocket.last.say(update(52, { seats: [ann] }));
  expect(attempt.problem).not.toBe("");
  FakeSocket.last.say(update(53, { hand: hand({ round: 53 }) }));
  expect(attempt.problem).toBe("");
});

test("what came of a throw is told until the next act", async () => {
  const attempt = new Attempt(live);
  const asked = attempt.ask(key);
  await answer(problem("other-roll"));
  await asked;
  await vi.advanceTimersByTimeAsync(4_000);
  FakeSocket.last.say(update(51, { hand: hand({ round: 51 }) }));
  expect(attempt.refused?.code).toBe("other-roll");
});

test("what was only asked for is not said to be done", () => {
  const fill: Extract<Command, { command: "fill" }> = { command: "fill", amount: 5_000_000 };
  const proposed = update(51, {
    events: [{ event: "proposed", proposal: 51, what: "fill", lines: [], reason: "" }],
  });
  const filled = update(51, { events: [{ event: "filled", amount: 5_000_000 }] });
  const asked = "Asked for a fill of $50,000. A second person has to agree.";
  expect(became(fill, proposed)).toBe(asked);
  expect(became(fill, filled)).toBe("$50,000 filled.");
  expect(became(fill, null)).toBe(
    "You asked for a fill of $50,000. The history says what became of it.",
  );
  const buyIn = { command: "buy-in", seat: 0, amount: 1_200_000 } as const;
  expect(became(buyIn, proposed)).toMatch(/^Asked for a buy-in of \$12,000/);
  const bought: Update = update(51, {
    events: [{ event: "bought-in", seat: 0, amount: 1, kind: "cash" }],
  });
  expect(became(buyIn, bought)).toBeNull();
});

test.each<[Command, string]>([
  [{ command: "credit", amount: 100 }, "Asked for a credit of $1."],
  [{ command: "cash-out", seat: 1, amount: 100 }, "Asked for a cash-out of $1 at seat 2."],
  [{ command: "leave", seat: 1 }, "Asked that seat 2 leaves with its chips."],
  [{ command: "give-up-seat", seat: 1, reason: "gone" }, "Asked to give up seat 2."],
  [{ command: "void", reason: "cocked" }, "Asked to void the last roll."],
  [
    { command: "correct", dice: "3-4", reason: "misread" },
    "Asked to correct the last roll to 3-4.",
  ],
  [{ command: "deny-claim", claim: 2, reason: "late" }, "Asked to deny claim 2."],
  [{ command: "accept-tray", reason: "on its way" }, "Asked to accept the tray as it is."],
  [
    { command: "configure", config: {} as never, reason: "busy" },
    "Asked for another configuration.",
  ],
  [{ command: "close", reason: "moves" }, "Asked to close the table for good."],
])("%o is only asked for where a second person has to agree", async (command, says) => {
  const attempt = new Attempt(live);
  const asked = attempt.ask(command);
  await answer();
  expect(await asked).toBe(true);
  expect(attempt.said).toBe("");
  FakeSocket.last.say(proposed);
  await vi.advanceTimersByTimeAsync(0);
  expect(attempt.said).toBe(`${says} A second person has to agree.`);
});

/** Record 51 asks for something, and waits. */
const proposed = update(51, {
  events: [{ event: "proposed", proposal: 51, what: "x", lines: [], reason: "" }],
  hand: hand({ proposals: [{ proposal: 51, what: "x" }] as never }),
});

test.each<[string, Partial<Update>, string]>([
  ["agreed", { by: "sue", name: "Sue" }, "You asked for a fill of $1. Sue agreed."],
  [
    "withdrawn",
    { by: "sue", name: "Sue" },
    "You asked for a fill of $1. Sue withdrew the request.",
  ],
  ["withdrawn", { by: "boxman" }, "You asked for a fill of $1. Nobody agreed in time."],
])("once a request is %s, it no longer waits: %o", async (event, more, says) => {
  const attempt = new Attempt(live);
  const asked = attempt.ask({ command: "fill", amount: 100 });
  await answer();
  await asked;
  FakeSocket.last.say(proposed);
  await vi.advanceTimersByTimeAsync(0);
  expect(attempt.said).toBe("Asked for a fill of $1. A second person has to agree.");
  // Another request is nothing to it.
  const other = { event: "withdrawn", proposal: 40, reason: "" } as const;
  FakeSocket.last.say(update(52, { events: [other] }));
  expect(attempt.said).toMatch(/A second person has to agree/);
  const ended = [{ event, proposal: 51 } as never];
  FakeSocket.last.say(update(53, { ...more, events: ended, hand: hand() }));
  expect(attempt.said).toBe(says);
  FakeSocket.last.say(update(54, { by: "bob", events: ended, hand: hand() }));
  expect(attempt.said).toBe(says);
});

test("a request that was answered while the line was down is not said to wait", async () => {
  const attempt = new Attempt(live);
  const asked = attempt.ask({ command: "fill", amount: 100 });
  await answer();
  await asked;
  FakeSocket.last.say(proposed);
  await vi.advanceTimersByTimeAsync(0);
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table({ seq: 80 }) });
  expect(attempt.said).toBe("");
});

const real = (more: Partial<HandView>): TableView =>
  table({ config: { dice: "dealer", practice: false, procedures: 1 } as never, hand: hand(more) });
const dice = (more: Partial<HandView>) =>
  html(Dice, {
    live,
    table: real(more),
    locked: false,
    undone: 0,
    oncorrect: () => undefined,
  });
/** Whether a button can be pressed; nothing where there is none. */
function enabled(page: string, name: RegExp): boolean | null {
  const found = [...page.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].find(([, , inside]) =>
    name.test(inside!),
  );
  return found ? !/\bdisabled\b/.test(found[1]!) : null;
}

test("while a roll is paid there are no dice, and one button opens betting", () => {
  const paying = dice({ phase: "paying", betting: false });
  expect(enabled(paying, /Paid, bets open/)).toBe(true);
  // Each has a place of its own: a press that was meant for one does not find the other there.
  expect(enabled(paying, /Close betting|Betting is closed/)).toBe(false);
  expect(enabled(paying, /No roll/)).toBe(false);
  expect(enabled(paying, /Pass the dice/)).toBe(false);
  const open = dice({});
  expect(enabled(open, /Paid, bets open/)).toBe(false);
  expect(enabled(open, /Close betting/)).toBe(true);
  expect(enabled(open, /No roll/)).toBe(true);
});

test("while a claim waits the dice panel says what the next throw waits for", () => {
  const claims = [{ claim: 3, paytable: null, wager: "small", seats: [0], checklist: [] }] as never;
  const shown = dice({ claims, betting: false });
  expect(shown).not.toContain("Key both dice");
  expect(shown.replace(/\s+/g, " ")).toContain(
    "waits until claim 3 (Small) is confirmed or denied",
  );
});

test("who has the dice after they were passed is the one whom the table shows", () => {
  const seats = [ann, { ...ann, seat: 1, name: "Al" }];
  const now = (shooter: number | null) => diceGoTo({ ...real({ shooter }), seats });
  expect(now(1)).toBe("The dice go to Al.");
  expect(now(null)).toBe("The dice were passed.");
});

test("bets do not open while the tray is short, and the page says by how much", () => {
  const short = dice({ phase: "paying", betting: false, fill_needed: 50_000 });
  expect(enabled(short, /Paid, bets open/)).toBe(false);
  expect(short).toContain("$500");
});

test("the tray is shown, and what it is short of can be accepted", () => {
  expect(text(Tray, { live, table: real({ tray: 4_080_700 }) })).toContain("$40,807");
  expect(html(Tray, { live, table: real({ tray: 4_080_700 }) })).toContain('data-tray="4080700"');
  expect(text(Tray, { live, table: real({ tray: null }) })).not.toContain("lies in the tray");
  const needed = text(TrayWarnings, { live, table: real({ fill_needed: 50_000 }) });
  expect(needed).toMatch(/Fill needed: \$500.*Ask to accept/);
  const proposals = [{ proposal: 9, what: "accept a tray 500 short" }] as never;
  const waits = text(TrayWarnings, { live, table: real({ fill_needed: 50_000, proposals }) });
  expect(waits).toContain("A second person has to agree.");
  expect(waits).not.toContain("Ask to accept");
});

test("the worst roll is told while bets are open, if it costs more than lies in the tray", () => {
  const worst = (leaves: number) => ({ dice: "6-6", costs: 310_000, leaves });
  const shown = (more: Partial<HandView>, leaves = -110_000) => {
    FakeSocket.last.say({ type: "worst-roll", seq: 50, worst: worst(leaves) });
    return text(TrayWarnings, { live, table: real({ tray: 200_000, ...more }) });
  };
  expect(shown({})).toBe("6-6 would take $3,100 out of the tray; $2,000 lies there.");
  expect(shown({ betting: false })).toBe("");
  expect(shown({}, 5)).toBe("");
});
