// What a roll looks like once the dice have come to rest.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, rack, says, sit, spot } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** The dice that lie on the cloth. */
const lying = (page: Page) =>
  page
    .locator(".resting [data-face]")
    .evaluateAll((dice) => dice.map((die) => Number(die.getAttribute("data-face"))));
const moves = (page: Page) => page.locator("[data-moves]");
const lastRoll = (page: Page) => page.getByRole("region", { name: "Last roll" });

/** What moves when it begins to, what is written beside it, and what is left of it after a click. */
const clicked = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ ways: string[]; marks: string[]; left: number }>((found) => {
        const all = (name: string) => [...document.querySelectorAll(`[data-${name}]`)];
        const seen = new MutationObserver(() => {
          const moving = all("moves");
          if (moving.length === 0) return;
          seen.disconnect();
          const ways = moving.map(
            (one) => `${one.getAttribute("data-way")} ${one.getAttribute("data-moves")}`,
          );
          const marks = all("mark").map((one) => one.textContent ?? "");
          // Not in the same breath: listeners come a moment after what they are for.
          setTimeout(() => {
            dispatchEvent(new PointerEvent("pointerdown"));
            setTimeout(() => found({ ways, marks, left: all("moves").length }), 0);
          }, 0);
        });
        seen.observe(document.querySelector("main")!, { subtree: true, childList: true });
      }),
  );

test("chips are paid, swept and moved once the dice rest; a click ends it, and the dice stay", async () => {
  const table = await house.table({ name: "Wins" });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), { tumble: true });
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "4-5");
  await page.keyboard.press("Escape");
  await page.getByText("ON · point 9").waitFor();
  expect(await lying(page)).toEqual([4, 5]);
  await bet(page, "come");
  await bet(page, "field");
  await bet(page, "place 6");
  await says(page, "place 6", "you have \\$6");
  await house.roll(table, "3-3");
  // In the air they tell nothing, and nothing lies on the cloth.
  await page.locator(".cube").first().waitFor();
  expect(await lying(page)).toEqual([]);
  expect(await moves(page).count()).toBe(0);
  const click = clicked(page);
  await page.keyboard.press("Escape");
  expect(await click).toEqual({
    ways: ["travel come", "pay place 6", "sweep field"],
    marks: ["+\u2060$7"],
    left: 0,
  });
  await says(page, "come 6", "you have \\$5");
  expect(await lying(page)).toEqual([3, 3]);
});

test("all of it is over in less than a second", async () => {
  const table = await house.table({ name: "Short" });
  const page = await house.visit(`/table/${table}`, await house.guest("Bea"), { tumble: true });
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "5-6");
  await page.locator(".cube").first().waitFor();
  await page.keyboard.press("Escape");
  await moves(page).first().waitFor({ state: "attached" });
  const lasts = await page.evaluate(() =>
    Math.max(
      ...document
        .getAnimations()
        .map((animation) => Number(animation.effect?.getComputedTiming().endTime ?? 0)),
    ),
  );
  expect(lasts).toBeGreaterThan(400);
  expect(lasts).toBeLessThan(900);
  await moves(page).first().waitFor({ state: "detached" });
});

test("who wishes for less motion is told the same in words on the felt", async () => {
  const table = await house.table({ name: "Still" });
  const page = await house.visit(`/table/${table}`, await house.guest("Cal"), {
    tumble: true,
    reducedMotion: "reduce",
  });
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "2-2");
  await page.getByText("ON · point 4").waitFor();
  for (const wager of ["come", "field", "place 6"]) await bet(page, wager);
  await says(page, "place 6", "you have \\$6");
  await house.roll(table, "4-2");
  await page.locator("[data-mark]").first().waitFor();
  const marks = await page
    .locator("[data-mark]")
    .evaluateAll((all) => all.map((one) => [one.getAttribute("data-mark"), one.textContent]));
  expect(marks).toEqual([
    ["come", "→ 6"],
    ["place 6", "+\u2060$7"],
    ["field", "−\u2060$5"],
  ]);
  expect(await moves(page).count()).toBe(0);
  // What changes its shade does so in no time at all.
  await page.waitForFunction(() => document.getAnimations().length === 0, null, { timeout: 500 });
  expect(await lying(page)).toEqual([4, 2]);
  await says(page, "come 6", "you have \\$5");
});

test("a jackpot is celebrated at every seat, and its receipt outlives the page", async () => {
  const table = await house.table({ name: "Jackpot" });
  const ann = await house.visit(`/table/${table}`, await house.guest("Dot"));
  const bob = await house.visit(`/table/${table}`, await house.guest("Eli"));
  await sit(ann, null);
  await sit(bob, null);
  await bet(ann, "pass");
  await ann.getByRole("radio", { name: "$1 chip" }).click();
  await bet(ann, "make-em-all-progressive");
  await says(ann, "make-em-all-progressive", "you have \\$1");
  for (const dice of ["2-2", "1-1", "1-2", "2-3", "4-2", "4-4", "4-5", "4-6", "5-6"])
    await house.roll(table, dice);
  await house.roll(table, "6-6");
  for (const page of [ann, bob]) {
    const card = page.getByRole("status", { name: "Jackpot" });
    await card.getByText("$10,000.15").first().waitFor();
    await card.getByText("1 winner").waitFor();
  }
  await ann.getByText("Your share $10,000.15", { exact: true }).waitFor();
  expect(await bob.getByText(/your share/i).count()).toBe(0);
  // A long hand is noticed on the way.
  await bob.getByText("Dot has held the dice for 10 rolls").first().waitFor({ state: "attached" });
  // It is in nobody's way, and goes when it is told to.
  await bet(bob, "field");
  await says(bob, "field", "you have \\$5");
  await bob.getByRole("button", { name: "Close", exact: true }).click();
  await bob.getByRole("status", { name: "Jackpot" }).waitFor({ state: "detached" });

  await lastRoll(ann).getByText("Jackpot, your share $10,000.15, paid").waitFor();
  const receipt = await lastRoll(ann).innerText();
  expect(receipt).toContain("+\u2060$10,000.15");
  expect(receipt).not.toMatch(/won −/);
  await ann.reload();
  await lastRoll(ann).getByText("Together").waitFor();
  expect(await lastRoll(ann).innerText()).toBe(receipt);
  expect(await lying(ann)).toEqual([6, 6]);
  expect(await rack(ann)).toBe("$10,494.15");
});

test("a newcomer in a seat has no receipt of who sat there before", async () => {
  const table = await house.table({ name: "Seat" });
  const fay = await house.guest("Fay");
  await house.ask(table, { command: "sit", seat: 0 }, fay);
  await house.ask(table, { command: "buy-in", seat: 0, amount: 10_000 }, fay);
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 500 }, fay);
  await house.roll(table, "5-6");
  await house.ask(table, { command: "leave", seat: 0 }, fay);
  const page = await house.visit(`/table/${table}`, await house.guest("Gil"));
  await sit(page, null);
  await lastRoll(page).getByText("yo", { exact: false }).first().waitFor();
  expect(await lastRoll(page).innerText()).not.toContain("won");
  await spot(page, "pass").waitFor();
});
