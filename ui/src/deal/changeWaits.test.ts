import { expect, test } from "vitest";
import type { HandView, TableView } from "$wire";
import Side from "../table/Side.svelte";
import { html, text } from "../testing/rendered.ts";
import ChangeWaits from "./ChangeWaits.svelte";

const SAID = "New rules wait for the next come-out with no bets up.";
const hand = (change_waits: boolean) =>
  ({
    change_waits,
    claims: [],
    proposals: [],
    status: "running",
    betting: true,
  }) as unknown as HandView;

test("the console says that a change of rules waits, for as long as it does", () => {
  expect(html(ChangeWaits, { hand: hand(true) })).toMatch(/role="status".*New rules wait/s);
  expect(text(ChangeWaits, { hand: hand(true) })).toBe(SAID);
  expect(text(ChangeWaits, { hand: hand(false) })).toBe("");
});

test("so does the page of a player, without a reason or a name", () => {
  const side = (waits: boolean) => {
    const table = {
      hand: hand(waits),
      seats: [],
      wagers: [],
      recent: [],
      config: { dice: "dealer", practice: false },
    } as unknown as TableView;
    const play = { seat: null, seats: [], seen: [], tumbling: null };
    const live = { missed: null, problem: null, shooterAway: false };
    const nothing = () => undefined;
    return text(Side, {
      id: "1",
      table,
      play: play as never,
      live: live as never,
      cheers: { heard: new Map(), calls: [] } as never,
      onverify: nothing,
      onhelp: nothing,
    });
  };
  expect(side(true)).toContain(SAID);
  expect(side(false)).not.toContain("New rules");
});
