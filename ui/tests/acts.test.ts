// Few acts, true words, where they are harder to keep: two windows, a bet that cannot come again,
// an amount that is mended, another's dice, two seats.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, choose, says, sit, spot } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** Somebody with chips at a table of their own. */
async function player(name: string, more: object = {}): Promise<{ page: Page; table: string }> {
  const table = await house.table({ name, ...more });
  const page = await house.visit(`/table/${table}`, await house.guest(name));
  await sit(page, null, 1_000);
  return { page, table };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const notice = (page: Page, text: string) => page.locator(".notice", { hasText: text });
/** The coach says so. */
const coach = (page: Page, text: string) => page.locator("#hint", { hasText: text }).waitFor();
const NOTHING = /^((?!you have).)*$/;

test("a winning line bet stays up, for whoever is there", async () => {
  const { page, table } = await player("Stays");
  await choose(page, "Auto", "Winning line bets stay up");
  await page.keyboard.press("Escape");
  // In two windows at once, it is put once.
  const window = await page.context().newPage();
  await window.goto(`${house.address}/table/${table}`);
  await bet(page, "pass", 2);
  for (const each of [page, window]) await says(each, "pass", "you have \\$10");
  await house.roll(table, "5-6");
  await page.getByRole("status").filter({ hasText: "You won $10" }).waitFor({ state: "attached" });
  for (const each of [page, window]) await says(each, "pass", "you have \\$10");
  await page.waitForTimeout(300);
  expect((await house.view(table)).seats[0]).toMatchObject({ rack: 100_000 });
  await window.close();
  await house.roll(table, "5-6");
  await notice(page, "Up again: Pass Line $10.").waitFor();
  await button(page, "Undo").click();
  await says(page, "pass", NOTHING);
  // It is remembered, and nothing is bet for somebody who does not look.
  await page.reload();
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }));
  await house.roll(table, "3-4");
  await page.locator(".money .amount", { hasText: "$1,025" }).waitFor();
  await page.waitForTimeout(300);
  expect((await house.view(table)).seats[0]?.bets).toEqual([]);
});

test("rebet outlives an undo and a reload, makes what can be made and names the rest", async () => {
  const { page, table } = await player("Rebet");
  await bet(page, "pass", 2);
  await says(page, "pass", "you have \\$10");
  await house.roll(table, "4-5");
  await bet(page, "odds pass", 2);
  await bet(page, "field");
  await says(page, "field", "you have \\$5");
  await house.roll(table, "3-4");
  await button(page, "Rebet").click();
  await notice(page, "Odds behind Pass waits until the bet in front").waitFor();
  await says(page, "pass", "you have \\$10");
  await says(page, "field", "you have \\$5");
  await button(page, "Undo").click();
  await says(page, "pass", NOTHING);
  await says(page, "field", NOTHING);
  await page.reload();
  await button(page, "Rebet").click();
  await says(page, "field", "you have \\$5");
  await spot(page, "field").click({ button: "right" });
  await says(page, "field", NOTHING);
  await house.roll(table, "4-5");
  // There is a number now: the odds can be made.
  await button(page, "Rebet").click();
  await says(page, "odds pass", "you have \\$");
});

test("an amount is typed and goes down to the dollar", async () => {
  const { page } = await player("Typed");
  const typed = page.getByLabel("An amount of your own, in dollars");
  await page.keyboard.type("27");
  expect(await typed.inputValue()).toBe("27");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("5");
  await bet(page, "pass");
  await says(page, "pass", "you have \\$25");
  await spot(page, "field").focus();
  await page.keyboard.type("40");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await says(page, "field", "you have \\$4");
  // What was bet is not typed on, and Backspace is the felt's again.
  await page.keyboard.press("Backspace");
  await says(page, "field", NOTHING);
  await page.keyboard.press("Escape");
  expect(await typed.inputValue()).toBe("");
  await page.keyboard.press("Enter");
  await says(page, "field", "you have \\$5");
  // As a finger types it.
  await typed.fill("1,2x");
  expect(await typed.inputValue()).toBe("1,2");
  await bet(page, "any-craps");
  await page
    .getByText("“1,2” is not an amount in dollars. Write it as 12.50 or 1,234.50.")
    .first()
    .waitFor();
  await typed.fill("12x");
  expect(await typed.inputValue()).toBe("12");
  await bet(page, "any-craps");
  await says(page, "any-craps", "you have \\$12");
  await page.getByRole("radio", { name: "$1 chip" }).click();
  expect(await typed.inputValue()).toBe("");
});

test("the coach tells whom the dice wait for, and nobody is offered another's dice", async () => {
  const { page, table } = await player("Coach", { dice: "house" });
  await coach(page, "The dice are offered to you: put a chip on Pass Line or Don't Pass");
  await bet(page, "dont-pass");
  await coach(page, "Your Don't Pass wins on 2 or 3 and loses on 7 or 11, and 12 pushes.");
  const other = await house.visit(`/table/${table}`, await house.guest("Other"));
  await sit(other, null);
  await coach(other, "Put a chip on Pass Line to play along.");
  await coach(other, "The dice wait for Coach.");
  await other.getByText("Coach has the dice.").waitFor();
  expect(await other.getByRole("button", { name: /^Roll/ }).count()).toBe(0);
  await house.ask(table, { command: "pause" });
  await coach(page, "The table is paused. Your chips stay where they are.");
});

test("a refusal goes when it is no longer so, and a result has the player's colour", async () => {
  const { page, table } = await player("Notices");
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.ask(table, { command: "close-betting" });
  await page.getByText("No more bets", { exact: true }).first().waitFor();
  await bet(page, "field");
  await notice(page, "Betting is closed: the dice are out.").waitFor();
  await house.ask(table, { command: "no-roll" });
  await notice(page, "Betting is closed").waitFor({ state: "detached", timeout: 3_000 });
  await house.roll(table, "1-1");
  await page.locator(".notice.lost", { hasText: "−\u2060$5" }).waitFor();
  await page.getByRole("status").filter({ hasText: "You lost $5." }).waitFor({ state: "attached" });
});

test("two seats of one player: each is played in its turn", async () => {
  const { page, table } = await player("Two");
  await page.locator(".money").click();
  await page.getByRole("button", { name: "Take another seat" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator('[aria-pressed="true"]', { hasText: "Seat 2" }).waitFor();
  await page.locator(".money").click();
  await button(page, "Buy in").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".money .amount", { hasText: "$500" }).waitFor();
  await bet(page, "field");
  await says(page, "field", "you have \\$5");
  await button(page, "Seat 1").click();
  await says(page, "field", /^((?!you have).)*other bet/);
  await bet(page, "pass", 2);
  await says(page, "pass", "you have \\$10");
  await button(page, "Seat 2").click();
  await button(page, "Undo").click();
  await says(page, "field", NOTHING);
  const { seats } = await house.view(table);
  expect(seats.map(({ bets }) => bets.map(({ stake }) => stake))).toEqual([[1_000], []]);
});

test("whether winning line bets stay up is asked once", async () => {
  const table = await house.table({ name: "Asked" });
  const page = await house.visit(`/table/${table}`, await house.guest("Ada"), { keepUp: true });
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "3-4");
  const line = page.getByRole("region", { name: "About the bet" });
  await line.getByText("Keep winning line bets up?").waitFor();
  const heard = page.getByRole("status").filter({ hasText: "Keep winning line bets up?" });
  expect(await heard.count()).toBe(1);
  await line.getByRole("button", { name: "Yes" }).click();
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "3-4");
  await line.getByText("Up again: Pass Line $5.").waitFor();
  expect(await line.getByRole("button", { name: "Yes" }).count()).toBe(0);
});
