// Rulebooks that come with the program, as a house deals them: the Strip with its hops and put
// bets, Repeater and the Fire Bet; and a table that has posted how much its side bets win together.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, says, sit } from "./house.ts";
import { player, windowOf, type Way } from "./ways.ts";

const PICTURES = process.env.BOXMAN_PICTURES ?? resolve("../target/pages");
const WAYS: Way[] = ["mouse at 1280", "touch at 390"];

let house: House;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const picture = (page: Page, name: string, way: Way) =>
  page.screenshot({ path: join(PICTURES, `${name}-${way.replaceAll(" ", "-")}.png`) });
const rackOf = async (table: string) => (await house.view(table)).seats[0]!.rack;
const gone = /^((?!you have).)*$/;

/** Rolls, and waits until the page has seen it. */
async function roll(page: Page, table: string, dice: string): Promise<void> {
  await house.roll(table, dice);
  await page
    .getByRole("list", { name: "Recent rolls, newest first" })
    .locator(`li:first-child[title="${dice}"]`)
    .waitFor({ state: "attached" });
}

test.each(WAYS)("a hand on the Strip with Repeater and the Fire Bet, %s", async (way) => {
  const rules = ["vegas-strip", "repeater", "fire-bet"];
  const table = await house.table({ name: `Strip, ${way}`, rules, options: {} });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), windowOf(way));
  await sit(page, null);
  const ann = player(way, page);
  for (const spot of ["pass", "fire", "hop 3-5", "repeater 12", "world", "big-8"]) {
    await ann.bet(spot);
    await says(page, spot, "you have \\$5");
  }
  expect(await rackOf(table)).toBe(47_000);

  // An easy eight: $75 for the hop, $5 for the Big 8, which stays; the world is lost.
  await roll(page, table, "3-5");
  await says(page, "hop 3-5", gone);
  await says(page, "world", gone);
  await says(page, "big-8", "you have \\$5");
  expect(await rackOf(table)).toBe(55_500);
  // A come bet straight on its number.
  await ann.bet("come 6");
  await says(page, "come 6", "you have \\$5");

  // One of two twelves: a lammer with how many have come.
  await roll(page, table, "6-6");
  await page.locator("#felt .panels .lammer", { hasText: "1" }).waitFor({ state: "attached" });
  await picture(page, "strip", way);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  // The second: 40 for 1, of which the stake is one.
  await roll(page, table, "6-6");
  await page.getByText("won $195").first().waitFor({ state: "attached" });
  await says(page, "repeater 12", gone);
  expect(await rackOf(table)).toBe(75_000);

  // The eight is made: the line and the Big 8 are paid, and the Fire Bet has its first point.
  await roll(page, table, "4-4");
  await says(page, "pass", gone);
  expect(await rackOf(table)).toBe(76_500);
  const fire = (await house.view(table)).hand.trackers.find(({ wager }) => wager === "fire");
  expect(fire?.count).toBe(1);
  await ann.bet("pass");
  await says(page, "pass", "you have \\$5");
  await roll(page, table, "2-2");
  await roll(page, table, "3-4");
  for (const spot of ["pass", "fire", "big-8"]) await says(page, spot, gone);
  expect(await rackOf(table)).toBe(76_000);
  expect((await house.view(table)).seats[0]!.bets).toEqual([]);
  await page.context().close();
});

test.each<Way>([...WAYS, "mouse at 2560"])("a posted cap is read on the felt, %s", async (way) => {
  const options = { "aggregate-cap": "1500" };
  const table = await house.table({ name: `Capped, ${way}`, rules: ["presque-isle"], options });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), windowOf(way));
  await sit(page, null);
  const ann = player(way, page);
  const posted = page.locator("#felt .posted");
  await posted.waitFor({ state: "attached" });
  const said = (await posted.locator("text").allTextContents()).join(" ");
  expect(said).toBe("ALL SMALL, ALL TALL AND MAKE 'EM ALL WIN AT MOST $1,500 A ROLL TOGETHER");
  const { cut, small } = await posted.evaluate((group) => {
    const felt = group.closest("svg")!.getBoundingClientRect();
    const lines = [...group.querySelectorAll("text")];
    const scale = group.closest("svg")!.getScreenCTM()!.a;
    return {
      cut: lines.filter((line) => {
        const { left, right } = line.getBoundingClientRect();
        return left < felt.left + 8 || right > felt.right - 8;
      }).length,
      small: lines.filter((line) => parseFloat(getComputedStyle(line).fontSize) * scale < 10.5)
        .length,
    };
  });
  expect({ cut, small }).toEqual({ cut: 0, small: 0 });
  await ann.bet("pass");
  await ann.bet("all-small", 10);
  await says(page, "all-small", "you have \\$50");
  await picture(page, "capped", way);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  // $50 at 34 to 1 would be $1,700.
  for (const dice of ["2-2", "1-1", "1-2", "2-3"]) await roll(page, table, dice);
  const before = await rackOf(table);
  await roll(page, table, "2-4");
  await page.getByText("$200 withheld by the cap").first().waitFor({ state: "attached" });
  expect((await rackOf(table)) - before).toBe(155_000);
  await page.context().close();
});

test("a table without a cap has none on its felt, and no room for one", async () => {
  const table = await house.table({ name: "Free", rules: ["presque-isle"], options: {} });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"));
  await page.locator("#felt .board").first().waitFor({ state: "attached" });
  expect(await page.locator("#felt .posted").count()).toBe(0);
});
