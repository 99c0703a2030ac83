// What takes two people, on two consoles of one real table: what a request would change, why it
// comes to nothing, two configurations at once, and a table that is closed for good.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, type Person } from "./house.ts";

let house: House;
let table: string;
let sue: Person;
let dan: Person;
let sues: Page;
let dans: Page;
beforeAll(async () => {
  house = await House.open();
  sue = await house.hire("sue", "supervisor");
  dan = await house.hire("dan", "supervisor");
  table = await house.table({
    name: "Pit 4",
    rules: ["presque-isle"],
    options: {},
    practice: false,
  });
  sues = await house.visit(`/deal/${table}`, sue);
  dans = await house.visit(`/deal/${table}`, dan);
  await dans.getByRole("heading", { name: "Pit 4" }).waitFor();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const asked = (page: Page) => page.getByRole("region", { name: "A second person, please" });
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

test("the second person reads what would change, and says why it is withdrawn", async () => {
  await dans.locator("#tray-amount").fill("50,000");
  await dans.getByRole("button", { name: "Fill", exact: true }).click();
  await says(dans, "Asked for a fill of $50,000. A second person has to agree.");
  const request = asked(sues);
  await request.getByRole("row", { name: "tray $0 $50,000" }).waitFor();
  await request.getByRole("button", { name: "Withdraw" }).click();
  await says(sues, /Say why you withdraw it/);
  await request.getByLabel("Or withdraw it, because").fill("the cage is closed");
  await request.getByRole("button", { name: "Withdraw" }).click();
  const told =
    "Fill of $50,000, asked by dan of the crew: sue of the crew withdrew it: “the cage is closed”";
  await says(dans, told);
  await says(sues, told);
  // The bell of the one who asked tells it too.
  await dans.getByRole("button", { name: /^Bell: 1/ }).click();
  const list = dans.getByRole("dialog", { name: "Waiting for you" });
  await list.getByText("Fill of $50,000: sue of the crew withdrew it").waitFor();
  await dans.keyboard.press("Escape");
});

const change = async (page: Page, field: string, value: string) => {
  const form = page.locator("details", {
    has: page.getByRole("heading", { name: "Change the table" }),
  });
  if (!(await form.getByLabel("Name").isVisible())) await form.locator("summary").click();
  await form.getByLabel(field).fill(value);
  return form;
};

test("of two configurations the later is refused and shows what changed", async () => {
  const first = await change(sues, "Seats", "12");
  const second = await change(dans, "Seconds to bet", "60");
  // Closing the form loses nothing that was typed.
  await second.locator("summary").click();
  await second.getByLabel("Name").waitFor({ state: "hidden" });
  await second.locator("summary").click();
  expect(await second.getByLabel("Seconds to bet").inputValue()).toBe("60");
  await first.getByLabel("Reason").fill("a quiet night");
  await first.getByRole("button", { name: "Ask for this change" }).click();
  await says(sues, "Asked for another configuration. A second person has to agree.");
  await asked(dans).getByRole("row", { name: "seats 16 12" }).waitFor();
  await asked(dans).getByRole("button", { name: "Approve" }).click();
  await asked(dans).waitFor({ state: "detached" });
  await second.getByLabel("Reason").fill("a busy night");
  await second.getByRole("button", { name: "Ask for this change" }).click();
  await second.getByRole("row", { name: "seats 16 12" }).waitFor();
  await second.getByRole("button", { name: /^Start again/ }).click();
  await expect.poll(() => second.getByLabel("Seats").inputValue()).toBe("12");
  await second.getByLabel("Seconds to bet").fill("60");
  await second.getByRole("button", { name: "Ask for this change" }).click();
  const closes = /betting closes by itself no after 60 seconds/i;
  await asked(sues).getByRole("row", { name: closes }).waitFor();
  await asked(sues).getByRole("button", { name: "Approve" }).click();
  await expect
    .poll(async () => (await house.view(table)).config)
    .toMatchObject({ seats: 12, betting_seconds: 60 });
});

test("a table is closed by two, and says what is still there", async () => {
  await house.ask(table, { command: "fill", amount: 100_000 }, dan);
  await dans.getByRole("button", { name: "Close table …" }).click();
  await dans.getByLabel("Because", { exact: true }).fill("the game moves");
  await dans.getByRole("button", { name: "Ask to close it" }).click();
  await says(dans, "The table is not empty yet.");
  await dans
    .getByRole("listitem")
    .filter({ hasText: /^The tray, \$1,000: send it to the cage/ })
    .waitFor();
  await house.ask(table, { command: "credit", amount: 100_000 }, dan);
  await dans.getByRole("button", { name: "Ask to close it" }).click();
  await says(dans, "Asked to close the table for good. A second person has to agree.");
  await asked(sues).getByText("Close the table for good").waitFor();
  await asked(sues).getByRole("button", { name: "Approve" }).click();
  await says(dans, "Table closed");
});
