// What the console shows of requests: what they would change, why they came to nothing, and the
// reason that belongs to each claim.

import type { ClaimView, ProposalView, Problem, TableView } from "$wire";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, NOW, hand, install, table, update } from "../testing/fakeSocket.ts";
import { html, text } from "../testing/rendered.ts";
import { Live } from "../lib/live.svelte.ts";
import { session } from "../lib/session.svelte.ts";
import { tidings } from "../table/tidings.ts";
import { words } from "../history/inWords.ts";
import { waits, whereAndWhy } from "../lib/waits.ts";
import { Attempt } from "./attempt.svelte.ts";
import Claims from "./Claims.svelte";
import Proposals from "./Proposals.svelte";
import { withdrawnWords } from "./says.ts";

let live: Live;
beforeEach(() => {
  install();
  session.me = { person: "sue", name: "Sue", login: "sue", roles: ["supervisor"] };
  live = new Live("t");
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
});

const FILL: ProposalView = {
  proposal: 51,
  what: "fill of 50000.00",
  lines: [{ what: "tray", before: "$0", after: "$50,000" }],
  reason: "over 10000.00 in a day",
  by: "dan",
  name: "Dan",
  until: 1,
};
const BUY_IN: ProposalView = { ...FILL, what: "buy-in of 12000.00 at seat 1" };
const VOID: ProposalView = { ...FILL, what: "void", reason: "cocked" };
const real = (...proposals: ProposalView[]): TableView =>
  table({ config: { dice: "dealer", practice: false } as never, hand: hand({ proposals }) });

test("the second person reads what would change before they agree", () => {
  const shown = text(Proposals, { live, table: real(FILL), now: 0 });
  expect(shown).toMatch(/Fill of \$50,000.*asked by Dan.*Now.*Then.*tray \$0 \$50,000.*Approve/);
});

test("the lines of a request stand above the button that agrees to it", () => {
  const shown = text(Proposals, { live, table: real({ ...VOID, lines: FILL.lines }), now: 0 });
  expect(shown.indexOf("$50,000")).toBeGreaterThan(0);
  expect(shown.indexOf("$50,000")).toBeLessThan(shown.indexOf("Approve"));
});

test("the request of another person is withdrawn with a reason, one's own without", () => {
  const others = text(Proposals, { live, table: real(FILL), now: 0 });
  expect(others).toContain("Or withdraw it, because");
  const own = text(Proposals, { live, table: real({ ...FILL, by: "sue" }), now: 0 });
  expect(own).not.toContain("because");
  expect(own).toContain("Withdraw");
});

test("everybody is told why a request came to nothing", () => {
  const before = real(FILL);
  const by = (by: string, name?: string) => update(52, { by, ...(name ? { name } : {}) });
  expect(withdrawnWords(FILL, "the cage is closed", by("sue", "Sue"), before)).toBe(
    "Fill of $50,000, asked by Dan: Sue withdrew it: “the cage is closed”",
  );
  expect(withdrawnWords(FILL, undefined, by("boxman"), before)).toBe(
    "Fill of $50,000, asked by Dan: nobody agreed in time.",
  );
  expect(withdrawnWords(FILL, undefined, by("dan", "Dan"), before)).toBe(
    "Fill of $50,000: Dan withdrew the request.",
  );
  const withdrawn = { event: "withdrawn", proposal: 51, reason: "too late" } as const;
  expect(tidings(withdrawn, real(BUY_IN), [0])).toBe(
    "What the crew asked for your seat, buy-in of $12,000 at seat 1, was withdrawn: too late.",
  );
  expect(tidings(withdrawn, real(BUY_IN), [1])).toBe("");
  expect(tidings(withdrawn, real(VOID), [1])).toBe("The last roll stays as it was.");
  const item = { at: "table", id: "t", name: "Pit 4", kind: "withdrawn", number: 51, lines: [] };
  const told = {
    ...item,
    what: FILL.what,
    by: "Sue",
    reason: "no",
    amount: null,
    until: 1,
  } as const;
  expect(waits(told as never)).toBe("Fill of $50,000: Sue withdrew it");
  expect(waits({ ...told, by: null } as never)).toBe("Fill of $50,000: nobody agreed in time");
  expect(whereAndWhy(told as never)).toBe("Pit 4: “no”");
});

test("the history says what would change, and what was withdrawn", () => {
  const { proposal, what, lines, reason } = FILL;
  const asked = update(51, { events: [{ event: "proposed", proposal, what, lines, reason }] });
  expect(words({ before: real(), update: asked, after: real(FILL), roll: null })).toBe(
    "Asked for: fill of $50,000 (over 10000.00 in a day), which would change tray from $0 to $50,000; a second person has to agree",
  );
  const gone = update(52, { events: [{ event: "withdrawn", proposal, reason: "closed" }] });
  expect(words({ before: real(FILL), update: gone, after: real(), roll: null })).toBe(
    "What record 51 asked for, fill of $50,000, was withdrawn: closed",
  );
});

const claim = (claim: number): ClaimView => ({
  claim,
  paytable: null,
  wager: "all-small",
  amount: 310_000,
  seats: [0],
  checklist: [],
});

test("a denial that is asked for stops the confirmation of its claim, and of no other", () => {
  const denial = { ...FILL, what: "deny claim 1" };
  const claims = [claim(1), claim(2)];
  const shown = html(Claims, {
    live,
    table: table({ hand: hand({ claims, proposals: [denial] }) }),
  });
  const [, first = "", second = ""] = shown.split("<section");
  expect(first).toContain("A denial is asked for");
  expect(first).not.toContain("Or deny it");
  expect(second).not.toContain("A denial is asked for");
  expect(second).toContain("Or deny it");
});

test("a jackpot is paid by the cage unless the crew says otherwise, an award by the tray", () => {
  const jackpot = { ...claim(2), paytable: "PT", wager: null };
  const config = { dice: "dealer", practice: false, procedures: 1 } as never;
  const shown = html(Claims, {
    live,
    table: table({ config, hand: hand({ claims: [claim(1), jackpot] }) }),
  });
  const [, first = "", second = ""] = shown.split("<section");
  expect(first).toMatch(/<option value="tray" selected/);
  expect(first).toMatch(/Held: all-small, claim 1/);
  expect(second).toMatch(/<option value="cage" selected/);
  expect(second).toMatch(/Jackpot: PT, claim 2/);
});

test("what remains at a table is listed with what to do about it", async () => {
  const attempt = new Attempt(live);
  const asked = attempt.ask({ command: "close", reason: "the game moves" });
  const { id } = FakeSocket.last.commands.at(-1)!;
  const remains = [{ kind: "tray", what: "the tray", amount: 900_000, todo: "send it" }];
  const problem = { type: "", status: 409, code: "not-empty", detail: "no", remains } as Problem;
  FakeSocket.last.say({ type: "refused", id: id!, problem });
  await vi.advanceTimersByTimeAsync(0);
  expect(await asked).toBe(false);
  expect(attempt.refused?.remains).toEqual(remains);
});
