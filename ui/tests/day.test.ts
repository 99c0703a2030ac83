// A pit crew's day at real tables: a dealer's and a supervisor's console over slow lines, players
// at the rail and in a browser, and a model that moves the chips by what the screens say. At the
// end racks, tray and box have to be the ledger's, and the log has to be sound.
//
// BOXMAN_SEED plays a day again, BOXMAN_DAYS plays more of them.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { History, Report } from "../../crates/boxman-server/api/wire.ts";
import { Chance } from "./chance.ts";
import { Desk } from "./desk.ts";
import { House, type Person } from "./house.ts";
import { PitTable } from "./pitTable.ts";
import { SlowLine } from "./slowLine.ts";

const FIRST = Number(process.env.BOXMAN_SEED ?? 31);
const DAYS = Number(process.env.BOXMAN_DAYS ?? 1);
/** What all numbers but seven are called once each. */
const NUMBERS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];

let house: House;
let crew: Record<"dee" | "sam" | "boss" | "ann", Person>;
const lines: SlowLine[] = [];

beforeAll(async () => {
  house = await House.open();
  crew = {
    dee: await house.hire("dee", "dealer"),
    sam: await house.hire("sam", "supervisor"),
    ann: await house.hire("ann", "player"),
    boss: house.boss,
  };
});
afterAll(async () => {
  for (const line of lines) line.close();
  await house.close();
  expect(house.faults).toEqual([]);
});

/** A page over a line of its own, which takes up to so many milliseconds each way. */
async function visit(path: string, who: Person, chance: Chance, most: number): Promise<Page> {
  const line = await new SlowLine(house.address, () => chance.below(most)).open();
  lines.push(line);
  return house.visit(path, who, { height: 1000 }, line.address);
}

const seeds = Array.from({ length: DAYS }, (_, day) => FIRST + day);
test.each(seeds)(
  "a pit crew's day, seed %i: chips moved by what the screens say are the ledger's",
  { timeout: 240_000 },
  async (seed) => {
    console.log(`BOXMAN_SEED=${seed} plays this day again`);
    await new Day(new Chance(seed)).play();
  },
);

class Day {
  readonly #chance: Chance;
  readonly #slow: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#slow = new Chance(chance.below(1_000_000));
  }

  async play(): Promise<void> {
    const main = await this.#open("Craps 1");
    const other = await this.#open("Craps 2");
    const begun = Date.now();
    const step = async (what: string, act: () => Promise<void>) => {
      await act();
      console.log(`${((Date.now() - begun) / 1000).toFixed(1)} s: ${what}`);
    };
    await step("opened", () => this.#opening(main));
    await step("second table opened", () => this.#small(other));
    await step("first rolls", () => this.#firstRolls(main));
    await step("a hand with a jackpot", () => this.#hand(main, "confirm", other));
    await step("chips in and out", () => this.#between(main));
    await step("a hand with a jackpot that is denied", () => this.#hand(main, "deny", other));
    await step("closing", () => this.#closing(main));
    await step("second table closed", () => this.#closing(other));
    // Its meters have nothing of the players': nobody there has bet on them.
    await step("second table closed for good", () => other.close("end of the day"));
    await step("books", () => this.#books(main, other));
  }

  /** A real table with its two consoles. */
  async #open(name: string): Promise<PitTable> {
    const table = await house.table({
      name,
      practice: false,
      confirm_over: 10_000,
      two_people_over: 2_000_000,
    });
    const dee = await visit(`/deal/${table}`, crew.dee, this.#slow, 60);
    const sam = await visit(`/deal/${table}`, crew.sam, this.#slow, 25);
    const desks: [Desk, Desk] = [new Desk(dee, "the dealer"), new Desk(sam, "the supervisor")];
    for (const desk of desks) await desk.sees("the table", ({ line }) => line === "Connected");
    return new PitTable(house, table, desks, crew.boss, this.#chance);
  }

  async #opening(table: PitTable): Promise<void> {
    const { dealer } = table;
    await table.money(() => dealer.tray("Fill", 5_000));
    // More than one person may bring.
    await table.money(() => dealer.tray("Fill", 45_000), "agreed");
    await table.seat("Bea", 600, "Cash");
    await table.seat("Cy", 300, "Chips brought along");
    await table.seat("Dan", 2_000, "Marker");
    await table.seat("Eve", 50, "Coupon");
    table.ann = await visit(`/table/${table.id}`, crew.ann, this.#slow, 40);
    await table.ann.getByRole("button", { name: "Take a seat" }).first().click();
    await table.ann.getByRole("button", { name: "Sit down" }).click();
    await table.ann.getByRole("dialog").waitFor({ state: "detached" });
    const sits = await dealer.sees("Ann", ({ seats }) =>
      Object.values(seats).some(({ name }) => name.startsWith("ann")),
    );
    const [seat] = Object.entries(sits.seats).find(([, { name }]) => name.startsWith("ann"))!;
    table.annSits = Number(seat);
    await table.money(() => dealer.chips(table.annSits, "Buy in", 1_000, "Cash"));
    await table.ann.getByRole("radiogroup", { name: "The chip in your hand" }).waitFor();
    await table.agrees();
  }

  async #small(table: PitTable): Promise<void> {
    await table.money(() => table.dealer.tray("Fill", 9_000));
    await table.seat("Gil", 400, "Cash");
    await table.seat("Hal", 200, "Coupon");
    await table.roll(this.#chance.dice(6));
    await table.settle();
  }

  async #firstRolls(table: PitTable): Promise<void> {
    for (const seat of [1, 2, 3]) await table.bet(seat, "pass", 10);
    await table.bets(2);
    await table.noRoll();
    await table.passDice();
    for (let roll = 0; roll < 3; roll++) {
      await table.bets(2);
      if (roll === 1) await table.rollTwice(this.#chance.dice(this.#total()));
      else await table.roll(this.#chance.dice(this.#total()));
      await table.settle();
    }
    await table.sevenOut();
  }

  /** Every number once: side bets are made, held and paid, and the meter is hit. */
  async #hand(table: PitTable, jackpot: "confirm" | "deny", other: PitTable): Promise<void> {
    const chance = this.#chance;
    table.answer = jackpot;
    for (const seat of [1, 3]) {
      await table.bet(seat, "pass", 10);
      await table.bet(seat, "all-small", 10);
      await table.bet(seat, "make-em-all-progressive", 1);
    }
    await table.annBets("pass", "Pass Line", 2);
    const numbers = chance.shuffled(NUMBERS);
    for (const [roll, total] of numbers.entries()) {
      await table.bets(2);
      if (chance.in(3)) await table.annBets("field", "Field", 1);
      const dice = chance.dice(total);
      switch (roll) {
        case 1:
          // Taken back before it is paid, with some of it ticked off, and thrown again.
          await table.roll(dice);
          await table.tick(2);
          await table.void("a die was cocked");
          await table.settle();
          await table.roll(chance.dice(total));
          break;
        case 3:
          // Keyed as a seven-out, paid, and corrected after later bets.
          await table.roll("3-4");
          await table.settle();
          await table.bets(2);
          await table.correct(dice, "misread");
          break;
        case 4:
          await table.roll(dice);
          await table.tick(2);
          await table.kill();
          break;
        case 5:
          await table.roll(dice);
          await table.tick(1);
          await table.reload();
          break;
        case 6:
          await table.rollTwice(dice);
          break;
        case 7:
          // Paid, bet again, and all of it taken back.
          await table.roll(chance.dice(this.#total()));
          await table.settle();
          await table.bets(3);
          await table.void("the dice hit nothing");
          await table.settle();
          await table.roll(dice);
          break;
        default:
          await table.roll(dice);
      }
      await table.settle();
      if (roll % 4 === 2) {
        await other.bets(2);
        await other.roll(chance.dice(this.#total()));
        await other.settle();
      }
    }
    await table.sevenOut();
  }

  /** Buy-ins and cash-outs of every kind, a fill, a credit and one that waits. */
  async #between(table: PitTable): Promise<void> {
    const { dealer } = table;
    await table.money(() => dealer.tray("Credit", 1_000));
    await table.money(() => dealer.chips(1, "Cash out", 50, "Walks with the chips"));
    await table.money(() => dealer.chips(3, "Cash out", 25, "Toke for the dealers"));
    await table.money(() => dealer.chips(3, "Cash out", 100, "Redeemed at the table"));
    await table.money(() => dealer.chips(2, "Buy in", 200, "Marker"));
    await table.money(() => dealer.chips(4, "Buy in", 500, "Cash"));
    await table.money(() => dealer.tray("Credit", 25_000), "waits");
  }

  async #closing(table: PitTable): Promise<void> {
    await table.bets(2);
    await table.sevenOut();
    // The last roll but one was a 4, and a field bet on it had not been keyed.
    await table.mend(1, { seat: 1, wager: "field", dollars: 10 }, "accepted late");
    await table.mend(2, { dice: this.#chance.dice(this.#total()) }, "surveillance read the dice");
    await table.slip(1, 1, -5, "paid five short");
    await table.slip(1, 1, 10, "paid ten twice");
    await table.agreeToWaiting();
    const left = (await table.asksToClose("end of the day")).join("\n");
    expect(left).toMatch(/^Rack of seat 1/m);
    expect(left).toMatch(/^The tray, \$/m);
    await table.everybodyLeaves();
    await table.emptyTray();
    await table.agrees();
  }

  /** The reports, the kinds of buy-in in the log, and `boxman verify`. */
  async #books(...tables: PitTable[]): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    const report = await house.request<Report>(`/api/reports?from=${day}&to=${day}&format=json`);
    for (const { id, model } of tables) {
      const { held, tray } = report.days.find(({ table }) => table === id)!;
      const { cash, marker, coupon } = model.box;
      expect(tray).toBe(model.tray);
      expect(held).toMatchObject({
        drop: cash + marker + coupon,
        buy_ins: { cash, markers: marker, coupons: coupon, chips: model.brought },
        filled: model.filled,
        credited: model.credited,
        envy: model.dealers - model.tokes,
      });
      const box = { cash: 0, marker: 0, coupon: 0, chips: 0 };
      let after = 1;
      for (;;) {
        const path = `/api/tables/${id}/history?after=${after}&limit=500`;
        const { updates, head } = await house.request<History>(path);
        for (const event of updates.flatMap(({ events }) => events))
          if (event.event === "bought-in") box[event.kind] += event.amount;
        after = updates.at(-1)?.seq ?? head;
        if (after >= head) break;
      }
      expect(box).toEqual({ ...model.box, chips: model.brought });
    }
    expect(await house.verify()).toMatch(/^sound: /m);
  }

  /** Any total but a seven. */
  #total = (): number => this.#chance.one(NUMBERS);
}
