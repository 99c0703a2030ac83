import { expect, test } from "vitest";
import type { SeatView, TableView } from "$wire";
import type { Live } from "../lib/live.svelte.ts";
import { html, text } from "../testing/rendered.ts";
import Seat from "./Seat.svelte";

const live = { offers: new Map() } as unknown as Live;
const bets = [{ wager: "pass", stake: 500, vig: 0, call: "house", working: true }] as const;
const seat = (at: number, name: string): SeatView => ({
  seat: at,
  name,
  person: null,
  rack: 0,
  bets: [...bets],
});

test("what is done for one of two seats of the same name says which", () => {
  const seats = [seat(0, "Ann"), seat(3, "ann"), seat(4, "Bob")];
  const config = { practice: true };
  const table = { wagers: [], seats, config, hand: { shooter: null } } as unknown as TableView;
  const shown = (at: number) =>
    html(Seat, { live, table, seat: seats[at]!, open: true, ontoggle: () => undefined });
  for (const label of ["Bets of ann (seat 4)", "Bets for ann (seat 4)", "Chips of ann (seat 4)"])
    expect(shown(1)).toContain(`aria-label="${label}"`);
  expect(shown(2)).toContain('aria-label="Chips of Bob"');
});

test("the crew says what chips are bought with at real tables of today's procedures", () => {
  const labels = (config: object) => {
    const seats = [seat(0, "Ann")];
    const table = { wagers: [], seats, config, hand: { shooter: null } } as unknown as TableView;
    const props = { live, table, seat: seats[0]!, open: true, ontoggle: () => undefined };
    return /Buys in with.*Marker.*Cashes out.*Redeemed/s.test(html(Seat, props));
  };
  expect(labels({ practice: false, procedures: 1 })).toBe(true);
  expect(labels({ practice: false, procedures: 0 })).toBe(false);
  expect(labels({ practice: false })).toBe(false);
  expect(labels({ practice: true, procedures: 1 })).toBe(false);
});

test("a bet shows its commission apart, and both are on the felt", () => {
  const ann = { ...seat(0, "Ann"), bets: [{ ...bets[0], wager: "buy 4", stake: 2_000, vig: 100 }] };
  const wagers = [{ wager: "buy", title: "Buy", spots: ["buy 4"] }];
  const table = { wagers, seats: [ann], config: { practice: true }, hand: { shooter: null } };
  const props = { live, table: table as unknown as TableView, seat: ann, open: false };
  const shown = text(Seat, { ...props, ontoggle: () => undefined });
  expect(shown).toContain("Buy 4 $20 and $1 commission");
  expect(shown).toContain("bets $21");
});
