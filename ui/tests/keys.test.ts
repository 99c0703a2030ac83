// Where the keyboard goes on the dealer's console: which keys reach the table's dice, and what has
// the keyboard after a question was answered.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, type Person } from "./house.ts";

let house: House;
let table: string;
let dan: Person;
let page: Page;
beforeAll(async () => {
  house = await House.open();
  dan = await house.hire("dan", "supervisor");
  table = await house.table({ name: "Pit 5", practice: false });
  await house.ask(table, { command: "fill", amount: 500_000 }, dan);
  for (const [seat, name] of ["Ann", "Bob"].entries()) {
    await house.ask(table, { command: "sit", seat, name }, dan);
    await house.ask(table, { command: "buy-in", seat, amount: 50_000 }, dan);
  }
  const { round } = (await house.view(table)).hand;
  const bet = { command: "put", seat: 0, wager: "pass", amount: 1_000 } as const;
  await house.ask(table, bet, dan, round);
  page = await house.visit(`/deal/${table}`, dan);
  await page.getByRole("heading", { name: "Pit 5" }).waitFor();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const dice = () => page.locator("section[aria-labelledby=dice-title]");
const keyed = () => dice().locator("[aria-pressed=true]").count();
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

test("keys reach the dice while nothing else has the keyboard", async () => {
  await page.keyboard.press("3");
  await expect.poll(keyed).toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(keyed).toBe(0);

  // Another pad, a button and a dialog.
  await page.getByRole("button", { name: "Pause", exact: true }).focus();
  for (const key of ["3", "c", "n"]) await page.keyboard.press(key);
  await page.getByRole("button", { name: /^Bell/ }).click();
  await page.getByRole("dialog").waitFor();
  for (const key of ["3", "c", "n"]) await page.keyboard.press(key);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("#mend summary").focus();
  for (const key of ["3", "c", "n"]) await page.keyboard.press(key);
  expect(await keyed()).toBe(0);
  expect(await page.getByText("Betting open").count()).toBe(1);
});

test("the keyboard stays in place when the dice are passed", async () => {
  await page.getByRole("button", { name: "Pass the dice …" }).click();
  await expect.poll(focused).toBe("No");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Pass the dice …");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("No");
  const { round } = (await house.view(table)).hand;
  await page.getByRole("button", { name: "Yes, Ann passes the dice" }).click();
  await expect.poll(async () => (await house.view(table)).hand.round).not.toBe(round);
  // On the panel of the dice: its keys work at once.
  const key = async () => {
    if ((await keyed()) === 0) await page.keyboard.press("4");
    return keyed();
  };
  await expect.poll(key).toBe(1);
  await page.keyboard.press("Escape");
});

test("leaving says where the chips go, and who has gone can be given up", async () => {
  await page.getByRole("button", { name: /^2 Bob/ }).click();
  const drawer = page.locator("li.seat.open");
  await drawer.getByLabel("Cashes out").selectOption({ label: "Redeemed at the table" });
  await drawer.getByRole("button", { name: "Leave …" }).click();
  await expect.poll(focused).toBe("Stays");
  await drawer
    .getByText("Bob leaves: $500 from the rack to the tray, the player gets cash?")
    .waitFor();
  await drawer.getByText("Or Bob has gone: the chips are kept for the player. Reason").waitFor();
  await drawer.getByRole("button", { name: "Stays" }).click();
  await expect.poll(focused).toBe("Leave …");
  await drawer.getByLabel("Cashes out").selectOption({ label: "Walks with the chips" });
  await drawer.getByRole("button", { name: "Leave …" }).click();
  await drawer.getByRole("button", { name: "Yes, leaves" }).click();
  await page
    .locator("[aria-live=polite]", {
      hasText: "Bob, seat 2, leaves with $500: $500 from the rack, the player takes it along.",
    })
    .waitFor({ state: "attached" });
  await expect.poll(focused).toBe("Seats");
});

test("a seat is given up with its bets", async () => {
  await page.getByRole("button", { name: /^1 Ann/ }).click();
  const drawer = page.locator("li.seat.open");
  await drawer.getByRole("button", { name: "Leave …" }).click();
  await drawer.getByText("The bets have to come down first.").waitFor();
  await drawer
    .getByLabel("Or Ann has gone: the bets come down, and the chips are kept")
    .fill("left for the night");
  await drawer.getByRole("button", { name: "Give up the seat" }).click();
  await drawer.waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Seats");
});
