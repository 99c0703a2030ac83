// The bell in the header of every page, over the lock screen too, and the closed tables of the
// lobby.

import { afterAll, beforeAll, expect, test } from "vitest";
import { House, PASSWORD, type Person } from "./house.ts";

let house: House;
let sue: Person;
let dan: Person;
beforeAll(async () => {
  house = await House.open();
  sue = await house.hire("sue", "supervisor");
  dan = await house.hire("dan", "dealer");
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const askFill = (table: string, who = dan) =>
  house.ask(table, { command: "fill", amount: 5_000_000 }, who) as Promise<{ seq: number }>;

test("what another asks for rings on every page, and leads to its console", async () => {
  const table = await house.table({ name: "Pit 4", practice: false });
  const page = await house.visit("/", sue);
  const bell = page.locator("header").getByRole("button", { name: /^Bell: / });
  await expect.poll(() => bell.getAttribute("aria-label")).toBe("Bell: Nothing waits for you");
  // The one who asks hears nothing of it.
  const other = await house.visit("/edges", dan);
  const { seq } = await askFill(table);
  await expect.poll(() => bell.getAttribute("aria-label")).toBe("Bell: 1 waits for you");
  const dans = other.locator("header").getByRole("button", { name: /^Bell: / });
  expect(await dans.getAttribute("aria-label")).toBe("Bell: Nothing waits for you");
  await page.getByRole("link", { name: "Edges" }).click();
  await expect.poll(() => bell.getAttribute("aria-label")).toBe("Bell: 1 waits for you");
  await bell.click();
  const list = page.getByRole("dialog", { name: "Waiting for you" });
  await list.getByText("Pit 4, asked by dan of the crew").waitFor();
  // Quiet, until it is wanted and from then on.
  const sound = list.getByRole("checkbox", { name: "Sound when something comes" });
  expect(await sound.isChecked()).toBe(false);
  await sound.check();
  await list.getByRole("link", { name: "Fill of $50,000" }).click();
  expect(new URL(page.url()).pathname).toBe(`/deal/${table}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => bell.getAttribute("aria-label")).toBe("Bell: Nothing waits for you");
  expect(seq).toBeGreaterThan(0);
  await bell.click();
  expect(await sound.isChecked()).toBe(true);
});

test("it counts over the lock screen, and tells nothing more", async () => {
  const table = await house.table({ name: "Pit 5", practice: false });
  const page = await house.visit(`/deal/${table}`, sue);
  await page.getByRole("button", { name: "Lock now" }).click();
  const cover = page.locator(".cover");
  await cover.getByText("Nothing waits for you").waitFor();
  const { seq } = await askFill(table);
  await cover.getByText("1 waits for you").waitFor();
  expect(await cover.getByRole("button", { name: /^Bell/ }).count()).toBe(0);
  expect(await cover.innerText()).not.toMatch(/50,000|Pit 5/);
  await page.getByLabel(/^Password of/).fill(PASSWORD);
  await page.getByRole("button", { name: "Unlock" }).click();
  const bell = page.locator("header").getByRole("button", { name: "Bell: 1 waits for you" });
  await bell.waitFor();
  await house.ask(table, { command: "withdraw", proposal: seq }, dan);
  await bell.waitFor({ state: "detached" });
});

test("players have no bell", async () => {
  const ann = await house.hire("ann", "player");
  for (const who of [ann, null]) {
    const page = await house.visit("/", who);
    await page.getByRole("heading", { name: "Tables", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Bell/ }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Closed tables" }).count()).toBe(0);
  }
});

test("crew and auditors find closed tables in the lobby, with doors to what happened there", async () => {
  const home = await house.table({ name: "Home, gone" });
  await house.ask(home, { command: "close" });
  const tim = await house.hire("tim", "auditor");
  const page = await house.visit("/", tim);
  const closed = page.getByRole("button", { name: "Closed tables" });
  await closed.click();
  const list = page.getByRole("listitem");
  await page.getByText("No closed table is like that.").waitFor();
  await page.getByLabel("Play money too").check();
  const line = list.filter({ has: page.getByRole("heading", { name: "Home, gone" }) });
  await line.getByText(/^Closed .* by The boss, play money$/).waitFor();
  await page.getByLabel("Find a closed table").fill("nowhere");
  await page.getByText("No closed table is like that.").waitFor();
  await page.getByLabel("Find a closed table").fill("gone");
  const report = await line.getByRole("link", { name: "Report of" }).getAttribute("href");
  expect(await house.request<string>(report!.replace("csv", "json"))).toBeTruthy();
  await line.getByRole("link", { name: "Audit of" }).click();
  expect(new URL(page.url()).pathname).toBe(`/history/${home}`);
});
