// Two people at two consoles of one real table, who get in each other's way: what another person's
// act does to buttons, lists, refusals and dice that were keyed.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Command } from "../../crates/boxman-server/api/wire.ts";
import { Desk } from "./desk.ts";
import { House, type Person } from "./house.ts";

let house: House;
let table: string;
let dee: Person;
let sam: Person;
let one: Desk;
let other: Desk;
beforeAll(async () => {
  house = await House.open();
  dee = await house.hire("dee", "dealer", "supervisor");
  sam = await house.hire("sam", "dealer", "supervisor");
  table = await house.table({
    name: "Pit 7",
    rules: ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03"],
    options: {},
    practice: false,
  });
  await ask({ command: "fill", amount: 500_000 });
  await ask({ command: "sit", seat: 0, name: "Ann" });
  await ask({ command: "sit", seat: 1, name: "Bob" });
  for (const seat of [0, 1]) await ask({ command: "buy-in", seat, amount: 50_000 });
  one = new Desk(await house.visit(`/deal/${table}`, dee), "dee");
  other = new Desk(await house.visit(`/deal/${table}`, sam), "sam");
  for (const desk of [one, other]) await desk.sees("the table", ({ line }) => line === "Connected");
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

async function ask(command: Command): Promise<void> {
  await house.ask(table, command, house.boss, (await house.view(table)).hand.round);
}
const phase = async () => (await house.view(table)).hand.phase;
const works = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name }).first().isEnabled();

/** Both bet in the field and on the line, and the dice show what they show. */
async function roll(dice: string): Promise<void> {
  const { seats } = await house.view(table);
  for (const { seat, bets } of seats) {
    if (bets.every(({ wager }) => wager !== "pass"))
      await ask({ command: "put", seat, wager: "pass", amount: 1_000 });
    await ask({ command: "put", seat, wager: "field", amount: 500 });
  }
  await house.roll(table, dice);
}

beforeEach(async () => {
  if ((await phase()) === "paying") await house.paid(table);
});

test("what is not ticked off takes a second press, and can be read again afterwards", async () => {
  await roll("5-4");
  const list = one.page.locator("[data-list]").first();
  await list.waitFor();
  const boxes = list.locator(".part li input");
  const all = await boxes.count();
  expect(all).toBeGreaterThan(1);
  await boxes.first().check();
  const paid = one.page.getByRole("button", { name: "Paid, bets open" });
  const place = await paid.boundingBox();
  await paid.dblclick();
  const left = all - 1 === 1 ? "1 item is" : `${all - 1} items are`;
  await one.page.getByText(`${left} not ticked off: bets open all the same?`).waitFor();
  expect(await phase()).toBe("paying");
  await one.page.getByRole("button", { name: "Not yet" }).click();
  for (const box of await boxes.all()) await box.check();
  await expect.poll(() => other.page.locator("[data-list] .part li.ticked").count()).toBe(all);
  await paid.click();
  await expect.poll(phase).toBe("open");
  // Another button has not come into its place.
  expect(
    await one.page
      .getByRole("button", { name: /^Close betting/ })
      .first()
      .boundingBox(),
  ).not.toEqual(place);
  const last = one.page.locator("details", { hasText: "Last list, done" });
  await last.locator("summary").click();
  await last.getByText("Roll 1: 5-4").waitFor();
  expect(await last.locator("li").count()).toBe(all);
});

test("another person's act leaves the buttons dead for a moment", async () => {
  await one.page.waitForTimeout(800);
  expect(await works(one.page, /^Close betting/)).toBe(true);
  const dead = one.page.waitForFunction(
    () =>
      [...document.querySelectorAll<HTMLButtonElement>("button")].some(
        (button) => button.textContent?.includes("Paid, bets open") && button.disabled,
      ) &&
      [...document.querySelectorAll(".bar .betting")].some((one) =>
        one.textContent?.includes("Paying"),
      ),
  );
  await roll("4-4");
  await dead;
  await expect.poll(() => works(one.page, "Paid, bets open")).toBe(true);
});

test("dice that were keyed and not confirmed do not go without a word", async () => {
  await expect.poll(() => works(one.page, /^First die shows 5/)).toBe(true);
  await one.key("5-2");
  await roll("3-3");
  await one.page.getByText(/keyed 3-3 for this throw, you keyed 5-2/).waitFor();
  await one.page.getByRole("button", { name: "Ask to correct" }).waitFor();
});

test("who asks to void, and who agrees, reads what would not be put back", async () => {
  await roll("6-3");
  const words = /^0 of \d+ items of this roll are ticked: only those are put back/;
  await one.fix(null, "cocked");
  await one.page.getByText(words).first().waitFor();
  const request = other.page.getByRole("region", { name: "A second person, please" });
  await request.getByText(words).waitFor();
  const boxes = one.page.locator("[data-list] .part li input");
  for (const box of await boxes.all()) await box.check();
  await request.getByText(words).waitFor({ state: "detached" });
  await request.getByRole("button", { name: "Approve" }).click();
  await other.sees("the void", ({ lists }) =>
    lists.some(({ headline, items }) => headline.startsWith("Voided") && items.length > 0),
  );
  expect(await one.page.getByText("Last list, done").count()).toBe(0);
  for (const desk of [one, other])
    if ((await desk.read()).betting === "Table paused") await desk.button("Resume").click();
});

test("what keeps a table from being closed is not named once it has changed", async () => {
  await expect.poll(() => works(one.page, "Close table …")).toBe(true);
  await one.close("the game moves");
  await one.sees("what is left", ({ remains }) => remains.length > 0);
  await ask({ command: "buy-in", seat: 1, amount: 1_000 });
  await one.sees(
    "that it has changed",
    ({ remains, alerts }) =>
      remains.length === 0 && alerts.some((alert) => alert.startsWith("The table has changed")),
  );
  await one.page.getByRole("button", { name: "Keep it open" }).click();
});
