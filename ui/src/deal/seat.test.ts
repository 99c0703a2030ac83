import { expect, test } from "vitest";
import type { SeatView, TableView } from "$wire";
import type { Live } from "../lib/live.svelte.ts";
import { html } from "../testing/rendered.ts";
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
  const table = { wagers: [], seats, hand: { shooter: null } } as unknown as TableView;
  const shown = (at: number) =>
    html(Seat, { live, table, seat: seats[at]!, open: true, ontoggle: () => undefined });
  for (const label of ["Bets of ann (seat 4)", "Bets for ann (seat 4)", "Chips of ann (seat 4)"])
    expect(shown(1)).toContain(`aria-label="${label}"`);
  expect(shown(2)).toContain('aria-label="Chips of Bob"');
});
