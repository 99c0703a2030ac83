// Accessibility of what is on the page only for a while: axe finds nothing in a menu, in the cards
// of a jackpot and of the first hand, in what the next roll would bring, and on a closed felt.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, says, sit, type Visit } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** What is wrong within what a selector finds; the rest of the page is looked at elsewhere. */
async function faults(page: Page, within: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(within).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}

async function seated(name: string, window: Visit): Promise<{ page: Page; table: string }> {
  const table = await house.table({ name });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), {
    reducedMotion: "reduce",
    ...window,
  });
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  return { page, table };
}

const DESK: Visit = { width: 1280, colorScheme: "dark" };
const PHONE: Visit = {
  width: 390,
  height: 844,
  hasTouch: true,
  isMobile: true,
  colorScheme: "light",
};

test.each([
  ["a desk", DESK],
  ["a phone", PHONE],
])("menus, what the next roll would bring and a closed felt, at %s", async (name, window) => {
  const { page, table } = await seated(`Opened at ${name}`, window);
  for (const menu of ["Press", "Place", "Auto"]) {
    await page.getByRole("button", { name: menu, exact: true }).click();
    await page.getByRole("menu").waitFor();
    expect(await faults(page, "[role=menu]:popover-open"), menu).toEqual([]);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "If it rolls…" }).click();
  await page.getByRole("region", { name: "If it rolls" }).getByRole("table").waitFor();
  expect(await faults(page, "aside"), "if it rolls").toEqual([]);
  await house.ask(table, { command: "close-betting" });
  await page.getByRole("status").filter({ hasText: "The dice are out." }).waitFor();
  expect(await faults(page, "main .table"), "closed").toEqual([]);
});

test.each([
  ["a desk", DESK],
  ["a phone", PHONE],
])("the first hand and a jackpot, at %s", async (name, window) => {
  const { page, table } = await seated(`Cards at ${name}`, { ...window, guide: true });
  await page.getByRole("region", { name: "Your first hand" }).waitFor();
  expect(await faults(page, "[aria-label='Your first hand']"), "first hand").toEqual([]);
  await page.getByRole("button", { name: "Skip" }).click();
  await page.getByRole("radio", { name: "$1 chip" }).click();
  await bet(page, "make-em-all-progressive");
  await says(page, "make-em-all-progressive", "you have \\$1");
  for (const dice of ["2-2", "1-1", "1-2", "2-3", "4-2", "4-4", "4-5", "4-6", "5-6", "6-6"])
    await house.roll(table, dice);
  await page.getByRole("status", { name: "Jackpot" }).waitFor();
  expect(await faults(page, "[aria-label=Jackpot]"), "jackpot").toEqual([]);
});
