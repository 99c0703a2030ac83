// A table without craps: the puck lies on a two, a come bet travels to the eleven, place bets on the
// outer numbers are paid; at a desk and on a phone, and everywhere else the table is shown.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, choose, says, sit, spot } from "./house.ts";

const PICTURES = process.env.BOXMAN_PICTURES ?? resolve("../target/pages");
const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };
const DESK = { width: 1280, height: 800 };
const WALL = { width: 2560, height: 1440 };

let house: House;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const crapless = (name: string) => house.table({ name, rules: ["crapless"], options: {} });

/** The number in whose box the puck lies. */
const puckOn = (page: Page) =>
  page.evaluate(() => {
    const puck = document.querySelector("#felt g.puck.on")?.getBoundingClientRect();
    if (!puck) return null;
    const [x, y] = [puck.x + puck.width / 2, puck.y + puck.height / 2];
    const boxes = [...document.querySelectorAll("#felt path.arm[data-spot^='place ']")];
    const under = boxes.filter((one) => {
      const box = one.getBoundingClientRect();
      return x > box.left && x < box.right && y > box.top && y < box.bottom;
    });
    return under.map((one) => one.getAttribute("data-spot")?.replace("place ", "")).join();
  });

const rackOf = async (table: string) => (await house.view(table)).seats[0]!.rack;

test.each([
  ["a desk", DESK],
  ["a phone", PHONE],
  ["a wall", WALL],
] as const)("a hand with the puck on 2, at %s", async (where, window) => {
  const table = await crapless(`Crapless at ${where}`);
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), window);
  await sit(page, null);
  expect(await puckOn(page)).toBeNull();
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");

  // A come-out two loses nothing: it is the point.
  await house.roll(table, "1-1");
  await expect.poll(() => puckOn(page)).toBe("2");
  await says(page, "pass", "you have \\$5");
  await bet(page, "come");
  await says(page, "come", "you have \\$5");
  await bet(page, "place 3");
  await says(page, "place 3", "you have \\$4");
  await bet(page, "buy 12");
  await says(page, "buy 12", "you have \\$");

  // An eleven wins nothing: the come bet goes there, and takes odds.
  await house.roll(table, "5-6");
  await says(page, "come 11", "you have \\$5");
  await expect.poll(() => puckOn(page)).toBe("2");
  await bet(page, "odds come 11");
  await says(page, "odds come 11", "you have \\$5");
  const name = where.replace("a ", "");
  await page.screenshot({ path: join(PICTURES, `crapless-${name}.png`) });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  // Four dollars on the three win eleven and stay up.
  let before = await rackOf(table);
  await house.roll(table, "1-2");
  await page.getByText("won $11, stays up").first().waitFor();
  expect((await rackOf(table)) - before).toBe(1_100);
  await says(page, "place 3", "you have \\$4");

  // The come bet and its odds: 5 and 5, with 5 and 15.
  before = await rackOf(table);
  await house.roll(table, "6-5");
  await says(page, "pass", "you have \\$5");
  expect((await rackOf(table)) - before).toBe(3_000);

  // The point is made.
  before = await rackOf(table);
  await house.roll(table, "1-1");
  await expect.poll(() => puckOn(page)).toBeNull();
  expect((await rackOf(table)) - before).toBe(1_000);
  await page.context().close();
});

test("the arrow keys go along ten numbers, and to both rows of a phone", async () => {
  const table = await crapless("Arrows");
  const here = (page: Page) =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.spot);
  for (const window of [DESK, PHONE]) {
    const page = await house.visit(`/table/${table}`, await house.guest("Kay"), window);
    await sit(page, null);
    await spot(page, "place 2").focus();
    const seen = [];
    for (const way of ["Right", "Right", "Left"]) {
      await page.keyboard.press(`Arrow${way}`);
      seen.push(await here(page));
    }
    expect(seen).toEqual(["place 3", "place 4", "place 3"]);
    await spot(page, window === PHONE ? "place 6" : "place 11").focus();
    // On a phone the twelve lies below the six, behind its own buy bet.
    const ways = window === PHONE ? ["Down", "Down"] : ["Right"];
    for (const way of ways) await page.keyboard.press(`Arrow${way}`);
    expect(await here(page)).toBe("place 12");
    await page.keyboard.press("Enter");
    await says(page, "place 12", "you have \\$");
    await page.context().close();
  }
});

test("a number is its place bet, also where it is large", async () => {
  const table = await crapless("Numbers");
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), DESK);
  await sit(page, null);
  const { x, y, width } = (await spot(page, "place 12").boundingBox())!;
  await page.mouse.click(x + width / 2, y - 90);
  await says(page, "place 12", "you have \\$4");
});

test("across is on all ten", async () => {
  const table = await crapless("Across");
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), DESK);
  await sit(page, null);
  await choose(page, "Place", "Across");
  await says(page, "place 12", "you have \\$");
  const { bets } = (await house.view(table)).seats[0]!;
  expect(bets.filter(({ wager }) => wager.startsWith("place "))).toHaveLength(10);
});

test("the sign, the console, the lobby and the history know the point", async () => {
  const table = await crapless("Shown");
  await house.ask(table, { command: "sit", seat: 0, name: "Bob" });
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 });
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 1_000 });
  for (const dice of ["6-6", "1-2", "6-6", "1-1"]) {
    await house.roll(table, dice);
    if (dice === "6-6" && (await house.view(table)).hand.puck === null)
      await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 1_000 });
  }
  const sign = await house.visit(`/sign/${table}`);
  await sign.getByRole("region", { name: "The point" }).getByText("2", { exact: true }).waitFor();
  // The twelve was made, the three was no point.
  await sign.getByRole("region", { name: "Points made" }).getByText("1", { exact: true }).waitFor();
  const console = await house.visit(`/deal/${table}`, house.boss);
  await console.getByText("Aces, mark the 2").waitFor();
  const lobby = await house.visit("/", house.boss);
  const card = lobby.locator("article, li", { hasText: "Shown" }).first();
  await card.locator("svg .box.point").waitFor();
  expect(await card.locator("svg .box").count()).toBe(10);
  // Replayed roll by roll: the first come-out set a twelve.
  const history = await house.visit(`/history/${table}?hand=1`, house.boss);
  await history.locator("section.replay").waitFor();
  await history.keyboard.press("Shift+ArrowDown");
  await history.getByText("ON 12", { exact: true }).waitFor();
  await history.locator(".felt g.puck.on").waitFor({ state: "attached" });
  for (const page of [sign, console, lobby, history]) {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  }
});

test("such a table is opened from the lobby", async () => {
  const page = await house.visit("/", house.boss);
  await page.getByRole("button", { name: "Open a table" }).click();
  await page.getByLabel(/base game/i).selectOption({ label: "Crapless craps" });
  await page.getByRole("button", { name: /^Open/ }).last().click();
  await page.waitForURL(/\/table\//);
  await spot(page, "place 12").waitFor();
});
