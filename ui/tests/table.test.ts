import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, choose, rack, says, sit, spot } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

test("a newcomer finds a table, sits down, bets and rolls, and can check the dice", async () => {
  const page = await house.visit("/");
  await page.getByRole("link", { name: "Watch Practice" }).click();
  await sit(page, "Ann");
  expect(await rack(page)).toBe("$500");
  await bet(page, "pass", 2);
  await says(page, "pass", "you have \\$10");
  expect(await rack(page)).toBe("$490");
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await page.getByRole("button", { name: "Check this roll" }).click();
  await page.getByText("The house threw the dice it had committed to").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Last roll" }).waitFor();
});

test("the dice tumble to the outcome, and a key skips them", async () => {
  const table = await house.table({ name: "Tumble" });
  const ann = await house.guest("Ann");
  const page = await house.visit(`/table/${table}`, ann, { tumble: true });
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "5-6");
  const dice = page.locator(".cube");
  await dice.first().waitFor();
  expect(await dice.evaluateAll((all) => all.map((die) => die.getAttribute("data-face")))).toEqual([
    "5",
    "6",
  ]);
  // The chips have not moved yet.
  expect(await rack(page)).toBe("$495");
  await page.keyboard.press("Escape");
  await dice.first().waitFor({ state: "detached" });
  expect(await rack(page)).toBe("$505");
  await page.getByRole("status").filter({ hasText: "You won $5" }).waitFor({ state: "attached" });
});

test("chips go down and up: right button, undo, clear, rebet, press, inside, on and off, drag", async () => {
  const table = await house.table({ name: "Chips" });
  const page = await house.visit(`/table/${table}`, await house.guest("Bea"));
  await sit(page, null, 1_000);
  await bet(page, "place 6");
  await says(page, "place 6", "you have \\$6");
  await choose(page, "Press", "In full");
  await says(page, "place 6", "you have \\$12");
  await page.getByRole("button", { name: "Undo" }).click();
  await says(page, "place 6", "you have \\$6");
  await spot(page, "place 6").click({ button: "right" });
  await says(page, "place 6", /^((?!you have).)*$/);
  await choose(page, "Place", "Inside");
  for (const [number, amount] of [
    [5, 5],
    [6, 6],
    [8, 6],
    [9, 5],
  ])
    await says(page, `place ${number}`, `you have \\$${amount}`);
  expect(await rack(page)).toBe("$978");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.locator(".money .amount", { hasText: "$1,000" }).waitFor();
  // A chip from the rack is dragged to the field.
  const chip = (await page.getByRole("radio", { name: "$25 chip" }).boundingBox())!;
  const field = (await spot(page, "field").boundingBox())!;
  await page.mouse.move(chip.x + 20, chip.y + 20);
  await page.mouse.down();
  await page.mouse.move(field.x + 100, field.y + 30, { steps: 6 });
  await page.mouse.up();
  await says(page, "field", "you have \\$25");
  // And from there to any craps, and off the felt.
  const craps = (await spot(page, "any-craps").boundingBox())!;
  await page.mouse.move(field.x + field.width / 2, field.y + 20);
  await page.mouse.down();
  await page.mouse.move(craps.x + 50, craps.y + 20, { steps: 6 });
  await page.mouse.up();
  await says(page, "any-craps", "you have \\$25");
  await bet(page, "hard 8");
  await says(page, "hard 8", "you have \\$25");
  await page.getByRole("button", { name: "Call off" }).click();
  await says(page, "hard 8", "you have \\$25, off");
  await page.getByRole("button", { name: "Call on" }).click();
  await says(page, "hard 8", "you have \\$25(?!, off)");
  await bet(page, "pass");
  await says(page, "pass", "you have \\$25");
  await house.roll(table, "4-3");
  await says(page, "pass", /^((?!you have).)*$/);
  await page.getByRole("button", { name: "Rebet" }).click();
  await says(page, "pass", "you have \\$25");
  await says(page, "hard 8", "you have \\$25");
});

test("the chips are one stop of the keyboard, and no end of its shortcuts", async () => {
  const table = await house.table({ name: "Chips" });
  const page = await house.visit(`/table/${table}`, await house.guest("Dot"));
  await sit(page, null);
  const chip = (dollars: string) => page.getByRole("radio", { name: `$${dollars} chip` });
  const amount = page.getByLabel("An amount of your own, in dollars");
  await page.getByRole("button", { name: /^Your rack/ }).focus();
  await page.keyboard.press("Tab");
  await expect.poll(() => chip("5").evaluate((chip) => chip.matches(":focus:checked"))).toBe(true);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => chip("25").evaluate((chip) => chip.matches(":focus:checked"))).toBe(true);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$25");
  await chip("25").focus();
  await page.keyboard.press("u");
  await says(page, "pass", /^((?!you have).)*$/);
  // What is typed is in the hand, and no chip with it; a chip drops it.
  await page.keyboard.type("30");
  expect(await amount.inputValue()).toBe("30");
  expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
  await chip("25").click();
  expect(await amount.inputValue()).toBe("");
  expect(await chip("25").isChecked()).toBe(true);
});

test("odds are rounded down to what is paid in whole dollars, and go no further than the multiple", async () => {
  const table = await house.table({ name: "Odds" });
  const page = await house.visit(`/table/${table}`, await house.guest("Cal"));
  await sit(page, null);
  await bet(page, "pass", 2);
  await says(page, "pass", "you have \\$10");
  await house.roll(table, "4-5");
  await says(page, "odds pass", /^((?!closed).)*$/);
  await bet(page, "odds pass");
  await says(page, "odds pass", "you have \\$4");
  await page.getByRole("radio", { name: "$100 chip" }).click();
  await bet(page, "odds pass");
  await says(page, "odds pass", "you have \\$40");
  await bet(page, "odds pass");
  await page.getByRole("alert").waitFor();
});

test("a double click throws the dice once", async () => {
  const table = await house.table({ name: "Twice", dice: "house" });
  const page = await house.visit(`/table/${table}`, await house.guest("Dot"), { tumble: true });
  await sit(page, null);
  // Without a bet on the line the key explains itself, as the button does.
  await page.keyboard.press("r");
  await page.locator(".notice", { hasText: "The shooter needs a bet on the line." }).waitFor();
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  const roll = page.getByRole("button", { name: "Roll", exact: true });
  await roll.click();
  await page.locator(".cube").first().waitFor();
  await roll.click();
  await page.locator(".cube").first().waitFor({ state: "detached" });
  await page.waitForTimeout(300);
  expect((await house.view(table)).hand.rolls).toBe(1);
});

test("the bet in question is the one that was looked at, not one on the way", async () => {
  const table = await house.table({ name: "Way" });
  const page = await house.visit(`/table/${table}`, await house.guest("Eve"));
  await sit(page, null);
  for (const name of ["place 9", "place 4"]) await bet(page, name);
  const line = page.getByRole("region", { name: "About the bet" });
  await spot(page, "place 9").hover();
  await line.getByText("Place 9").waitFor();
  const button = (await line.getByRole("button", { name: "Take down" }).boundingBox())!;
  // Over the field and the line, without a rest.
  await page.mouse.move(button.x + button.width / 2, button.y + button.height / 2, { steps: 12 });
  await page.mouse.click(button.x + button.width / 2, button.y + button.height / 2);
  await says(page, "place 9", /^((?!you have).)*$/);
  await says(page, "place 4", "you have");
});
