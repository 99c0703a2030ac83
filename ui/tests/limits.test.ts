// Limits of the day on the console, who a player is, identity, and the list that the office reads.

import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, type Person } from "./house.ts";

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

test("a player who crosses a limit over two tables is asked for, and listed until then", async () => {
  const one = await house.table({ name: "Pit 1", practice: false });
  const two = await house.table({ name: "Pit 2", practice: false });
  for (const table of [one, two])
    await house.ask(table, { command: "sit", seat: 0, name: "Ann" }, dan);
  const page = await house.visit(`/deal/${one}`, dan);
  const other = await house.visit(`/deal/${two}`, dan);
  const link = async (console: typeof page, name: string) => {
    await console.getByRole("button", { name: /^1 Ann/ }).click();
    await console.getByRole("button", { name: "Link to a person …" }).click();
    await console.getByLabel("Name or number the house knows").fill(name);
    await console.getByRole("button", { name: "Link", exact: true }).click();
    await console.getByText(`Known as ${name}`).waitFor();
  };
  await link(page, "Ann Lee");
  await link(other, "ann lee");
  const buy = async (console: typeof page, dollars: string) => {
    await console.getByLabel("Chips, in dollars").fill(dollars);
    await console.getByRole("button", { name: "Buy in" }).click();
  };
  await buy(page, "6,000");
  await page.getByText("Ann's cash buy-ins today: $6,000 of $10,000, $4,000 left").waitFor();
  // The other table knows before anybody asks for chips there.
  await other.getByText("Ann's cash buy-ins today: $6,000 of $10,000, $4,000 left").waitFor();
  await buy(other, "4,500");
  for (const console of [page, other])
    await console.getByRole("heading", { name: "Ask for identity" }).waitFor();
  const over = "Ann's cash buy-ins today: $10,500, $500 over the limit of $10,000";
  await page.getByText(over).first().waitFor();

  const office = await house.visit("/", sue);
  await office.getByRole("link", { name: "Buy-ins" }).click();
  const line = office.getByRole("listitem").filter({ hasText: "Cash $10,500, limit $10,000" });
  await line.getByText("Identity not taken").waitFor();
  for (const words of ["Pit 1", "Pit 2", "linked"]) expect(await line.innerText()).toContain(words);

  for (const one of [page, office]) {
    const { violations } = await new AxeBuilder({ page: one }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.length}`)).toEqual([]);
  }

  // Taken at one table, with the keyboard, it is asked for at neither.
  const taken = page.getByRole("button", { name: "Identity taken of Ann" }).first();
  await taken.focus();
  await page.keyboard.press("Enter");
  for (const console of [page, other])
    await console.getByRole("heading", { name: "Ask for identity" }).waitFor({ state: "detached" });
  await line.getByText(/Identity taken \d\d:\d\d by dan of the crew/).waitFor();
  await office.getByLabel("Every player").check();
  expect(new URL(office.url()).search).toBe("?all=true");
  await office.getByRole("heading", { name: "Ann" }).waitFor();
});

test("fills and credits say what is left, and why one has to wait", async () => {
  const table = await house.table({ name: "Pit 3", practice: false });
  const page = await house.visit(`/deal/${table}`, dan);
  await page.getByText("The fills of this table today: $0 of $10,000, $10,000 left").waitFor();
  const amount = page.getByLabel("Amount of the fill or credit, in dollars");
  const fill = page.getByRole("button", { name: "Fill", exact: true });
  await amount.fill("9,500");
  await fill.click();
  await page.getByText("$9,500 filled.").waitFor();
  await page.getByText("$9,500 of $10,000, $500 left").waitFor();
  await amount.fill("12,50");
  await fill.click();
  await page.getByText(/Give an amount in dollars|not an amount in dollars/).waitFor();
  await amount.fill("1,250");
  await fill.click();
  const waits =
    "Asked for a fill of $1,250. A second person has to agree. The fills of this table today: " +
    "$9,500 of $10,000, $500 left; this makes it $10,750.";
  await page.getByText(waits).waitFor();
});

test("the list is for supervisors, auditors and administrators", async () => {
  const page = await house.visit("/buy-ins", dan);
  await page.getByText("This list is for supervisors, auditors and administrators.").waitFor();
  expect(await page.getByRole("link", { name: "Buy-ins" }).count()).toBe(0);
});

test("limits are set where a table is opened, and where it is changed", async () => {
  const lobby = await house.visit("/", sue);
  await lobby.getByRole("button", { name: "Open a table" }).click();
  const form = lobby.getByRole("region", { name: "Open a table" });
  await form.getByLabel("Name of the table").fill("Pit 9");
  await form.getByLabel("Practice table").uncheck();
  await form.getByText("Limits of the day", { exact: true }).click();
  await form.getByLabel("Fills of the table").fill("12,50");
  await form.getByRole("button", { name: "Open the table" }).click();
  await form.getByText(/“12,50” is not an amount in dollars/).waitFor();
  await form.getByLabel("Fills of the table").fill("2,500");
  await form.getByLabel("Buy-ins above their limit wait").check();
  await form.getByRole("button", { name: "Open the table" }).click();
  await lobby.waitForURL(/\/table\//);
  const table = new URL(lobby.url()).pathname.split("/").at(-1)!;
  expect((await house.view(table)).config).toMatchObject({
    fills_over: 250_000,
    hold_buy_ins: true,
  });

  const page = await house.visit(`/deal/${table}`, sue);
  await page.getByText("The fills of this table today: $0 of $2,500, $2,500 left").waitFor();
  await page.getByRole("heading", { name: "Change the table" }).click();
  const fold = page.locator("details", {
    has: page.getByRole("heading", { name: "Change the table" }),
  });
  expect(await fold.getByLabel("Fills of the table").inputValue()).toBe("2500");
  await fold.getByLabel("Fills of the table").fill("");
  await fold.getByLabel("Cash-outs of a player").fill("1,000");
  await fold.getByLabel("Reason (required)").fill("a busy night");
  await fold.getByRole("button", { name: "Ask for this change" }).click();
  const request = page.getByRole("region", { name: "A second person, please" });
  await request.getByRole("row", { name: /two people for fills above/i }).waitFor();
  await request.getByRole("row", { name: /two people for cash-outs above/i }).waitFor();
});
