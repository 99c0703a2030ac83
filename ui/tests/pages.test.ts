// Every page at the width of a phone and a desk, in light rooms and dark: no fault of
// accessibility, nothing that scrolls sideways, and a picture of each to look at. At the width of
// a wall too where everything is asked for.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { House, type Person } from "./house.ts";
import { EVERYWHERE } from "./ways.ts";

const PICTURES = process.env.BOXMAN_PICTURES ?? resolve("../target/pages");
const WIDTHS = [[390, 844], [1280, 800], ...(EVERYWHERE ? [[2560, 1440] as const] : [])] as const;

let house: House;
let table: string;
/** A real table, with a player who has crossed a limit. */
let pit: string;
let ann: Person;
let dealer: Person;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  house = await House.open();
  table = await house.table({ name: "Downtown 1" });
  ann = await house.guest("Ann");
  dealer = await house.hire("dee", "dealer", "supervisor");
  await play();
  pit = await house.table({ name: "Pit 1", practice: false });
  await house.ask(pit, { command: "sit", seat: 0, name: "Walter" }, dealer);
  await house.ask(pit, { command: "buy-in", seat: 0, amount: 1_050_000 }, dealer);
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** A table in mid-hand, with a little of everything on it. */
async function play(): Promise<void> {
  const names = [null, "Bob", "Cleo", "Dmitri", "Eve", "Farid"];
  for (const [seat, name] of names.entries()) {
    const who = name === null ? ann : house.boss;
    await house.ask(table, { command: "sit", seat, ...(name === null ? {} : { name }) }, who);
    await house.ask(table, { command: "buy-in", seat, amount: 100_000 + seat * 45_000 }, who);
  }
  const put = (seat: number, wager: string, dollars: number) =>
    house.ask(
      table,
      { command: "put", seat, wager, amount: dollars * 100 },
      seat === 0 ? ann : house.boss,
    );
  for (const seat of [0, 1, 2, 4]) await put(seat, "pass", 10 + 5 * seat);
  await put(3, "dont-pass", 25);
  await put(5, "dont-pass", 100);
  for (const seat of [0, 2, 3]) {
    await put(seat, "all-small", 5);
    await put(seat, "make-em-all", 5);
    await put(seat, "make-em-all-progressive", 1);
  }
  await put(0, "all-tall", 5);
  await put(0, "fired-up", 1);
  await house.roll(table, "4-4");
  await put(0, "odds pass", 50);
  await put(2, "odds pass", 100);
  await put(3, "odds dont-pass", 60);
  await put(0, "come", 15);
  await put(5, "dont-come", 25);
  await put(0, "place 6", 12);
  for (const seat of [1, 2, 4]) {
    await put(seat, "place 6", 30);
    await put(seat, "place 5", 25);
  }
  await put(1, "buy 4", 25);
  await put(5, "lay 10", 100);
  await put(0, "hard 8", 5);
  await house.roll(table, "4-5");
  await put(0, "odds come 9", 20);
  await put(0, "come", 10);
  await put(4, "field", 25);
  await put(0, "horn", 4);
  await put(2, "any-craps", 10);
  await house.roll(table, "1-2");
  await put(0, "buy 10", 50);
  await put(0, "field", 5);
}

const PAGES: [string, () => string, () => Person | null][] = [
  ["lobby", () => "/", () => house.boss],
  ["login", () => "/login", () => null],
  ["setup", () => "/setup/0123", () => null],
  ["table", () => `/table/${table}`, () => ann],
  ["watch", () => `/table/${table}`, () => null],
  ["deal", () => `/deal/${table}`, () => dealer],
  ["limits", () => `/deal/${pit}`, () => dealer],
  ["buy-ins", () => "/buy-ins?all=true", () => house.boss],
  ["sign", () => `/sign/${table}`, () => null],
  ["edges", () => "/edges", () => null],
  ["par", () => "/edges?view=par&paytables=PT-BJS-MEA-03,PT-BJS-MEA-05&bettors=6", () => null],
  ["atlas", () => "/edges?view=atlas&sort=edge", () => null],
  ["replay", () => `/history/${table}?hand=1`, () => ann],
  ["history", () => `/history/${table}`, () => dealer],
];

describe.each(PAGES)("%s", (name, path, who) => {
  test.each(WIDTHS)("at %i", async (width, height) => {
    const phone = width < 500 ? { hasTouch: true, isMobile: true } : {};
    const page = await house.visit(path(), who(), {
      width,
      height,
      reducedMotion: "reduce",
      colorScheme: width === 1280 ? "dark" : "light",
      ...phone,
    });
    await page.waitForLoadState("networkidle");
    await page.locator("main, [data-sign]").first().waitFor();
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`), fullPage: true });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`),
    ).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, "scrolls sideways by so many pixels").toBeLessThanOrEqual(0);
    await page.context().close();
  });
});
