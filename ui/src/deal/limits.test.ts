import { expect, test } from "vitest";
import type { Command, LimitView, LimitsView, SeatLimitsView, TableView, Update } from "$wire";
import type { Live } from "../lib/live.svelte.ts";
import { html, text } from "../testing/rendered.ts";
import Identity from "./Identity.svelte";
import { inUse, named } from "./limits.ts";
import { became } from "./outcome.ts";
import SeatLimits from "./SeatLimits.svelte";
import Tray from "./Tray.svelte";

const limit = (used: number, says: string): LimitView => ({
  limit: 1_000_000,
  used,
  elsewhere: 0,
  left: Math.max(0, 1_000_000 - used),
  over: used > 1_000_000,
  says,
});
const one = (more: Partial<SeatLimitsView>): SeatLimitsView => ({
  seat: 0,
  sitting: 9,
  player: "sitting:t/9",
  person: null,
  linked: null,
  cash: limit(0, "cash"),
  markers: limit(0, "markers"),
  cash_outs: limit(0, "cash-outs"),
  identity: null,
  ask_identity: false,
  ...more,
});
const over = limit(1_050_000, "Ann's cash buy-ins today: $10,500, $500 over the limit of $10,000");
const noted = { by: "p-1", name: "Mx. dan", at: 0 };

const limits = (seats: SeatLimitsView[]): LimitsView => ({
  day: "2026-03-05",
  fills: limit(950_000, "The fills of this table today: $9,500 of $10,000, $500 left"),
  credits: limit(0, "The credits of this table today: $0 of $10,000, $10,000 left"),
  hold_buy_ins: false,
  seats,
});
const live = (seats: SeatLimitsView[]) => ({ limits: limits(seats) }) as unknown as Live;
const ann = { seat: 0, name: "Ann", person: null, rack: 0, bets: [] };
const table = {
  seats: [ann],
  config: { practice: false, procedures: 1 },
  hand: { tray: 40_000, proposals: [] },
} as unknown as TableView;

test("a player whose buy-ins cross a limit is asked for their identity, until it is taken", () => {
  const shown = (seat: SeatLimitsView) => text(Identity, { live: live([seat]), table });
  expect(shown(one({ cash: over, ask_identity: true }))).toContain(over.says);
  expect(shown(one({ cash: over, ask_identity: true }))).toContain("Identity taken of Ann");
  expect(shown(one({ cash: over, identity: noted }))).not.toContain(over.says);
});

test("the seat says what is used, who the player is, and what can be said", () => {
  const shown = (seat: SeatLimitsView) => text(SeatLimits, { live: live([seat]), table, seat: 0 });
  expect(shown(one({}))).toContain("Counted alone");
  expect(shown(one({}))).not.toContain("cash-outs");
  expect(shown(one({ cash: over }))).toContain(over.says);
  const known = one({ person: "card 4711", linked: noted, identity: noted });
  expect(shown(known)).toMatch(/Known as card 4711.*Mx\. dan.*Unlink.*Identity taken/s);
  expect(html(SeatLimits, { live: live([]), table, seat: 0 })).not.toContain("Link");
});

test("the tray says what is left before chips are asked for", () => {
  const shown = text(Tray, { live: live([]), table });
  expect(shown).toContain("The fills of this table today: $9,500 of $10,000, $500 left");
  expect(shown).toContain("The credits of this table today");
});

test("chips that wait say whose limit it is", () => {
  const asked: Command = { command: "fill", amount: 100_000 };
  const reason =
    "The fills of this table today: $9,500 of $10,000, $500 left; this makes it $10,500";
  const update = (reason: string) =>
    ({
      events: [{ event: "proposed", proposal: 7, what: "fill", lines: [], reason }],
    }) as unknown as Update;
  const waits = "Asked for a fill of $1,000. A second person has to agree.";
  expect(became(asked, update(reason))).toBe(`${waits} ${reason}.`);
  expect(became(asked, update("over 10000.00 in a day"))).toBe(waits);
});

test("only limits that are used are shown, and a person once", () => {
  const seat = one({ cash: over });
  expect(inUse(seat)).toEqual([over]);
  const known = ["Bob", "Ann", "Bob"].map((person) => one({ person }));
  expect(named([...known, one({})])).toEqual(["Ann", "Bob"]);
});
