// A guest plays a little, with a reload and a roll that is void in between, and looks at it.

import AxeBuilder from "@axe-core/playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { Command } from "../../crates/boxman-server/api/wire.ts";
import { House, says, type Person } from "./house.ts";
import { EVERYWHERE } from "./ways.ts";

let house: House;
let ann: Person;
let page: Page;

beforeAll(async () => {
  house = await House.open();
  ann = await house.guest("Ann");
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** Goes to a table, or there again, and waits for what its bets cost. */
async function walkUp(table: string): Promise<void> {
  const priced = page.waitForResponse((answer) => answer.url().endsWith(`/${table}/edges`));
  await page.goto(`${house.address}/table/${table}`);
  await priced;
}

const put = (table: string, wager: string, amount: number, who = ann) =>
  house.ask(table, { command: "put", seat: 0, wager, amount }, who);

async function sitDown(table: string, who = ann): Promise<void> {
  await house.ask(table, { command: "sit", seat: 0 }, who);
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 }, who);
}

/** What stands beside a name on the page. */
async function figure(name: string): Promise<string> {
  const tile = page.locator("dl > div", { has: page.locator("dt", { hasText: name }) });
  return (await tile.first().locator("dd").innerText()).trim();
}

const bet = (name: string) =>
  page
    .getByRole("row", { name: new RegExp(`^${name}`) })
    .getByRole("cell")
    .allInnerTexts();

test("before the first roll the page shows the way to a table", async () => {
  page = await house.visit("/play", ann);
  await page.getByRole("heading", { name: /^Nothing yet/ }).waitFor();
  const way = page.getByRole("link", { name: "Find a table" });
  expect(await way.getAttribute("href")).toBe("/");
});

test("a hand is written down, over a reload and without the roll that was void", async () => {
  const table = await house.table();
  await walkUp(table);
  await sitDown(table);
  await put(table, "pass", 1_000);
  await house.roll(table, "4-4");
  await put(table, "place 6", 600);
  await house.roll(table, "2-4");
  await walkUp(table);
  await says(page, "place 6", "you have \\$6");
  await house.roll(table, "6-1");
  await house.ask(table, { command: "void", reason: "cocked" });
  await says(page, "place 6", "you have \\$6");
  await house.roll(table, "5-2");
  await says(page, "place 6", /^((?!you have).)*$/);
  await page.getByRole("link", { name: "My play" }).click();

  await page.getByRole("heading", { name: "My play" }).waitFor();
  expect(await figure("Result")).toBe("−\u2060$9");
  // $10 at 7/495 and two times $6 at 1/66: 32 cents, and a bit.
  expect(await figure("Expected")).toBe("−\u2060$0.32");
  expect(await figure("Staked")).toBe("$22");
  expect(await figure("Rolls")).toBe("3");
  expect(await figure("Points made")).toBe("0");
  expect(await figure("Seven-to-rolls ratio")).toMatch(/^1 : 3\.0/);
  expect(await bet("Pass Line")).toEqual(["−\u2060$10", "−\u2060$0.14"]);
  expect(await bet("Place 6")).toEqual(["+\u2060$1", "−\u2060$0.18"]);
  await page.getByText(/^Too few rolls/).waitFor();
  await page.getByText("A dealer threw real dice").waitFor();
  await page.getByText("the one you took first is counted").waitFor();
});

test("its hand is replayed", async () => {
  expect(await figure("Longest hand")).toMatch(/^3 rolls/);
  await page.getByRole("link", { name: "Replay it" }).click();
  await page.waitForURL(/\/history\/.*hand=1/);
  await page.getByRole("heading", { name: /^History/ }).waitFor();
  await page.goBack();
});

test("the house's dice are checked without being asked", async () => {
  const table = await house.table({ dice: "house", name: "House dice" });
  await walkUp(table);
  await sitDown(table);
  const roll: Command = { command: "roll", shooter_bytes: "5a".repeat(32) };
  for (let rolls = 0; rolls < 3; rolls += 1) {
    // Up already where a point is on.
    if ((await house.view(table)).hand.puck === null) await put(table, "pass", 1_000);
    await house.ask(table, roll, ann);
  }
  const recent = page.getByRole("list", { name: "Recent rolls, newest first" });
  await recent.locator("li").nth(2).waitFor();
  await page.getByRole("link", { name: "My play" }).click();
  await page.getByText("All 3 rolls this browser checked are sound.").waitFor();
  expect(await figure("Rolls")).toBe("6");
  expect(await figure("Sessions")).toBe("2");
});

test("one session by itself has an address", async () => {
  await page.getByRole("region", { name: "Sessions" }).getByRole("link").last().click();
  await page.waitForURL(/\/play\?session=/);
  await page.getByRole("heading", { name: /Downtown 1/ }).waitFor();
  expect(await figure("Result")).toBe("−\u2060$9");
  await page.reload();
  await page.getByRole("img", { name: "−\u2060$9 after 3 rolls." }).waitFor();
});

test.each([[390, 844], [1280, 720], ...(EVERYWHERE ? [[2560, 1440] as const] : [])] as const)(
  "everybody can read it at %i",
  async (width, height) => {
    await page.setViewportSize({ width, height });
    for (const path of ["/play", new URL(page.url()).pathname + new URL(page.url()).search]) {
      await page.goto(house.address + path);
      await page.getByRole("heading", { name: "The numbers" }).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`),
      ).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, "scrolls sideways by so many pixels").toBeLessThanOrEqual(0);
    }
  },
);

test("everything is forgotten once that is confirmed", async () => {
  await page.goto(`${house.address}/play`);
  await page.getByRole("button", { name: "Forget everything" }).click();
  await page.getByRole("button", { name: "Keep" }).click();
  expect(await figure("Sessions")).toBe("2");
  await page.getByRole("button", { name: "Forget everything" }).click();
  await page.getByRole("button", { name: "Forget", exact: true }).click();
  await page.getByRole("heading", { name: /^Nothing yet/ }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: /^Nothing yet/ }).waitFor();
});

test("an account has it in every browser", async () => {
  const pat = await house.hire("pat", "player");
  const table = await house.table();
  page = await house.visit("/play", pat);
  await page.getByRole("heading", { name: /^Nothing yet/ }).waitFor();
  await walkUp(table);
  await sitDown(table, pat);
  await put(table, "pass", 1_000, pat);
  await house.roll(table, "5-6");
  await page.getByText("won $10").first().waitFor();
  const kept = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByRole("link", { name: "My play" }).click();
  await page.getByText("Kept with your account").waitFor();
  expect((await kept).status()).toBe(204);

  page = await house.visit("/play", pat);
  await page.getByText("Kept with your account").waitFor();
  expect(await figure("Result")).toBe("+\u2060$10");
  await page.getByRole("region", { name: "Sessions" }).getByRole("link").click();
  await page.getByRole("button", { name: "Forget this session" }).click();
  await page.getByRole("button", { name: "Forget", exact: true }).click();
  await page.getByRole("heading", { name: /^Nothing yet/ }).waitFor();
  expect(await house.request("/api/me/play", undefined, pat)).toEqual({ sessions: [] });
});
