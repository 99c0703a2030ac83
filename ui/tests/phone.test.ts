// The console and the felt on a phone, and in the narrow columns of a desk: what has to be read
// before a press stands above it, figures fit their fields, and every page can be reached.

import type { Page } from "playwright-core";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Command } from "../../crates/boxman-server/api/wire.ts";
import { House, type Person } from "./house.ts";

const PICTURES = process.env.BOXMAN_PICTURES ?? resolve("../target/pages");
const WIDTHS = [390, 1280] as const;

let house: House;
let table: string;
let dee: Person;
let sam: Person;
let ann: Person;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  house = await House.open();
  dee = await house.hire("dee", "dealer", "supervisor");
  sam = await house.hire("sam", "dealer", "supervisor");
  ann = await house.hire("ann", "player");
  table = await house.table({
    name: "Pit 9",
    rules: ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03"],
    options: {},
    practice: false,
    confirm_over: 10_000,
    cash_outs_over: 10_000,
  });
  await house.ask(table, { command: "sit", seat: null }, ann);
  const boss = (command: Command) => house.ask(table, command, house.boss);
  await boss({ command: "fill", amount: 500_000 });
  await boss({ command: "buy-in", seat: 0, amount: 50_000 });
  await boss({ command: "sit", seat: 4, name: "Walk-up" });
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const picture = (page: Page, name: string, width: number) =>
  page.screenshot({ path: join(PICTURES, `phone-${name}-${width}.png`), fullPage: true });
const visit = (path: string, who: Person, width: number) =>
  house.visit(path, who, { width, height: width === 390 ? 844 : 800 });
/** Nothing runs out of the page, nor out of the card it stands in. */
const fits = (page: Page, card: string) =>
  page.evaluate((card) => {
    const one = document.querySelector(card)!.getBoundingClientRect();
    const inside = [...document.querySelectorAll(`${card} *`)].every((part) => {
      const { right, width } = part.getBoundingClientRect();
      return width === 0 || right <= one.right + 0.5;
    });
    return inside && document.documentElement.scrollWidth <= innerWidth;
  }, card);

test.each(WIDTHS)("an open seat has room for what is typed, at %i", async (width) => {
  const page = await visit(`/deal/${table}`, dee, width);
  await page.locator("li.seat > .head").last().click();
  const drawer = page.locator("li.seat.open");
  const amount = drawer.getByLabel("Chips, in dollars");
  await amount.fill("11,500.00");
  expect(await amount.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  expect((await amount.boundingBox())!.width).toBeGreaterThan(120);
  const select = drawer.getByLabel("Cashes out");
  // The longest of its words fits beside the arrow.
  const words = await select.evaluate((one: HTMLSelectElement) => {
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = getComputedStyle(one).font;
    return pen.measureText("Walks with the chips").width;
  });
  expect((await select.boundingBox())!.width).toBeGreaterThan(words + 40);
  expect(await fits(page, "li.seat.open")).toBe(true);
  await picture(page, "seat", width);
  await page.context().close();
});

test.each(WIDTHS)("a request is read before it is agreed to, at %i", async (width) => {
  await house.ask(table, { command: "credit", amount: 400_000 }, sam).catch(() => undefined);
  await house
    .ask(table, { command: "close", reason: "the game moves to another pit" }, sam)
    .catch(() => undefined);
  const { proposals } = (await house.view(table)).hand;
  if (proposals.length === 0) await house.ask(table, { command: "fill", amount: 5_000_000 }, sam);
  const page = await visit(`/deal/${table}`, dee, width);
  const request = page.getByRole("region", { name: "A second person, please" });
  const lines = await request.getByRole("table").first().boundingBox();
  const approve = await request.getByRole("button", { name: "Approve" }).first().boundingBox();
  expect(approve!.y).toBeGreaterThanOrEqual(lines!.y + lines!.height);
  expect(await fits(page, "section[aria-labelledby=second]")).toBe(true);
  await picture(page, "request", width);
  for (const { proposal } of (await house.view(table)).hand.proposals)
    await house.ask(table, { command: "withdraw", proposal }, sam);
  await page.context().close();
});

test("on a phone the meters and the buy-ins are behind your name", async () => {
  const page = await visit(`/deal/${table}`, dee, 390);
  await page.getByRole("button", { name: /^You/ }).click();
  const you = page.getByRole("dialog", { name: "You" });
  await picture(page, "you", 390);
  await you.getByRole("link", { name: "Buy-ins" }).waitFor();
  await you.getByRole("link", { name: "Meters" }).click();
  await page
    .getByRole("heading", { name: /^Meters/ })
    .first()
    .waitFor();
  await page.context().close();
});

test("who leaves a real table with chips is asked first, and told while it waits", async () => {
  const page = await visit(`/table/${table}`, ann, 390);
  const rack = page.getByRole("button", { name: /^Your rack/ });
  await rack.click();
  const money = page.getByRole("dialog", { name: "Your chips" });
  await money.getByRole("button", { name: "Leave the table" }).click();
  await money.getByText("You take $500 in chips along").waitFor();
  expect((await house.view(table)).seats).toHaveLength(2);
  await picture(page, "leaves", 390);
  await money.getByRole("button", { name: "Yes, leave" }).click();
  await page.getByText("A second person has to agree first: leave seat 1.").first().waitFor();
  await picture(page, "waits", 390);
  const [request] = (await house.view(table)).hand.proposals;
  await house.ask(
    table,
    { command: "withdraw", proposal: request!.proposal, reason: "ask the pit" },
    sam,
  );
  await page.getByText("A second person has to agree first").first().waitFor({ state: "detached" });
  await page.context().close();
});

test("a claim is named everywhere, its lammers wait, and its reason stays in the card", async () => {
  const boss = async (command: Command) =>
    house.ask(table, command, house.boss, (await house.view(table)).hand.round);
  await boss({ command: "buy-in", seat: 4, amount: 50_000 });
  await boss({ command: "put", seat: 4, wager: "all-small", amount: 1_000 });
  const pages = await Promise.all(WIDTHS.map((width) => visit(`/deal/${table}`, sam, width)));
  for (const dice of ["1-1", "1-2", "1-3", "1-4", "1-5"]) {
    const { seats, hand } = await house.view(table);
    if (
      hand.puck === null &&
      seats.every(({ bets }) => bets.every(({ wager }) => wager !== "pass"))
    )
      await boss({ command: "put", seat: 4, wager: "pass", amount: 1_000 });
    await house.roll(table, dice);
    if (dice !== "1-5") await house.paid(table);
  }
  for (const [at, page] of pages.entries()) {
    const card = page.locator("section.claim");
    await card.getByRole("heading", { name: /^Held: All Small, claim \d+$/ }).waitFor();
    expect(await card.getByLabel("Paid by").inputValue()).toBe("tray");
    await card
      .getByLabel("Or deny it, because")
      .fill("the lammer on the five had been moved by hand");
    expect(await fits(page, "section.claim")).toBe(true);
    await page
      .getByText(
        /leave the lammers until claim \d+ \(All Small\) is answered, then clear the board/,
      )
      .waitFor();
    await picture(page, "claim", WIDTHS[at]!);
  }
});
