// What a player is told before the dice are thrown, and what players have to do with each other:
// calls across the table, another name, the dice of somebody who has gone.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { IfRolledView } from "../../crates/boxman-server/api/wire.ts";
import { House, bet, says, sit } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  // A name that is refused is no fault.
  expect(house.faults.filter((fault) => !fault.includes("422"))).toEqual([]);
});

test("what each roll would bring stands on the boxes and beside the felt, and comes true", async () => {
  const table = await house.table({ name: "If" });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"));
  await sit(page, null);
  await page.keyboard.press("w");
  const panel = page.getByRole("region", { name: "If it rolls" });
  await panel.getByText("needs a Pass or Don't Pass bet").waitFor();
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  const row = (dice: string) => panel.getByRole("row", { name: new RegExp(`^${dice} `) });
  await row("7").getByText("+\u2060$5").waitFor();
  expect(await panel.getByRole("row").count()).toBe(1 + 15);
  await house.roll(table, "2-2");
  await page.getByText("ON · point 4").waitFor();
  for (const wager of ["place 6", "hard 6"]) await bet(page, wager);
  await says(page, "hard 6", "you have \\$5");
  await row("6 hard").getByText("+\u2060$52").waitFor();
  const forecast = page.locator(".forecast");
  expect(await forecast.locator("[data-total='6 hard']").textContent()).toBe("+\u2060$52");
  // As the server has it, and as it then happens.
  const told = await house.request<IfRolledView[]>(`/api/tables/${table}/if-it-rolls?seat=0`);
  const six = told.find(({ total, hard }) => total === 6 && hard)!;
  const before = (await house.view(table)).seats[0]!.rack;
  await house.roll(table, "3-3");
  await page.getByText("Roll 2").first().waitFor();
  const seat = (await house.view(table)).seats[0]!;
  const up = seat.bets.reduce((sum, { stake }) => sum + stake, 0);
  expect([seat.rack - before, up]).toEqual([six.won - six.lost, six.keeps]);
  await page.getByRole("button", { name: "If it rolls…" }).click();
  await panel.waitFor({ state: "detached" });
  expect(await forecast.count()).toBe(0);
});

test.each([1280, 390])("at %i it hides no print and no chips", async (width) => {
  const table = await house.table({ name: `If at ${width}` });
  const ann = await house.guest("Ann");
  const put = (wager: string, dollars: number) =>
    house.ask(table, { command: "put", seat: 0, wager, amount: dollars * 100 }, ann);
  await house.ask(table, { command: "sit", seat: 0 }, ann);
  await house.ask(table, { command: "buy-in", seat: 0, amount: 100_000 }, ann);
  await put("pass", 10);
  await house.roll(table, "4-4");
  for (const dice of ["4-5", "6-4"]) {
    await put("come", 10);
    await house.roll(table, dice);
  }
  for (const number of [4, 5, 6, 8, 9, 10]) await put(`place ${number}`, 30);
  for (const wager of ["buy 4", "lay 10", "any-seven", "eleven", "field"]) await put(wager, 30);
  for (const number of [4, 6, 8, 10]) await put(`hard ${number}`, 5);
  for (const number of [2, 3, 12]) await put(`craps ${number}`, 5);
  const phone = width < 500 ? { hasTouch: true, isMobile: true } : {};
  const page = await house.visit(`/table/${table}`, ann, { width, height: 844, ...phone });
  await page.getByRole("button", { name: "If it rolls…" }).click();
  await page.locator("[data-total='10 hard']").waitFor();
  const hidden = await page.evaluate(() => {
    const box = (one: Element) => one.getBoundingClientRect();
    const tabs = [...document.querySelectorAll("[data-total]")];
    const print = document.querySelectorAll(
      ".art text, .art g, .board text, .puck text, .stack > text, [data-total] text",
    );
    return [...print].flatMap((text) => {
      const { left, right, top, height } = box(text);
      // Capitals and figures are lower than their line.
      const [upper, lower] = [top + height * 0.25, top + height * 0.8];
      return tabs
        .filter((tab) => !tab.contains(text))
        .filter((tab) => {
          const over = box(tab.querySelector("rect")!);
          const across = Math.min(right, over.right) - Math.max(left, over.left);
          return across > 0.5 && Math.min(lower, over.bottom) - Math.max(upper, over.top) > 0.5;
        })
        .map((tab) => `${text.textContent || "dice"} under ${tab.getAttribute("data-total")}`);
    });
  });
  expect(hidden).toEqual([]);
});

test("another name is taken in the middle of a game", async () => {
  const table = await house.table({ name: "Names" });
  const page = await house.visit(`/table/${table}`, await house.guest("Lucky Otter"));
  await sit(page, null);
  await page.getByRole("button", { name: /^Your rack/ }).click();
  await page.getByLabel("Your name").fill("Boxman");
  await page.getByRole("button", { name: "Change it" }).click();
  await page.getByRole("alert").first().waitFor();
  await page.getByLabel("Your name").fill("Gustav");
  await page.getByRole("button", { name: "Change it" }).click();
  await page.locator("aside li", { hasText: "Gustav" }).waitFor();
  expect((await house.view(table)).seats[0]?.name).toBe("Gustav");
});

test("your name in the header changes it, at your seats too, and logs out", async () => {
  const table = await house.table({ name: "You" });
  const page = await house.visit(`/table/${table}`, await house.guest("Otto"));
  await sit(page, null);
  await page.getByRole("banner").getByRole("button", { name: "Otto" }).click();
  const you = page.getByRole("dialog", { name: "You" });
  await you.getByLabel("Your name at tables").fill("Ottilie");
  await you.getByRole("button", { name: "Change it" }).click();
  await you.getByText("That is your name now.").waitFor();
  await page.locator("aside li", { hasText: "Ottilie" }).waitFor();
  page.on("dialog", (dialog) => void dialog.accept());
  await you.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("link", { name: "Log in" }).waitFor();
});

test.each([390, 360])("so it does on a phone %i wide, and leads to your play", async (width) => {
  const table = await house.table({ name: "A table with rather a long name" });
  const phone = { width, height: 780, hasTouch: true, isMobile: true };
  const page = await house.visit(`/table/${table}`, await house.guest("Steady Hedgehog 47"), phone);
  await sit(page, null);
  const wide = await page.evaluate(() =>
    ["html", "header", ".hand", ".acts"].filter((part) => {
      const { scrollWidth, clientWidth } = document.querySelector(part)!;
      return scrollWidth > clientWidth;
    }),
  );
  expect(wide).toEqual([]);
  const head = page.getByRole("banner");
  await head.getByRole("button", { name: /^(Dark|Light) room$/ }).click();
  await head.getByRole("button", { name: "You, Steady Hedgehog 47" }).click();
  const you = page.getByRole("dialog", { name: "You" });
  await you.getByLabel("Your name at tables").waitFor();
  await you.getByRole("link", { name: "My play" }).click();
  await page.waitForURL(/\/play$/);
  // One line, with the ways to all pages.
  await head.getByRole("link", { name: "Tables", exact: true }).waitFor();
  expect((await head.boundingBox())!.height).toBeLessThan(60);
});

test("a name at the rail and what it does can be read, and nothing moves with the dice", async () => {
  const table = await house.table({ name: "Rail" });
  const fox = await house.guest("Lucky Fox 82");
  for (const [seat, who] of [fox, await house.guest("Steady Hedgehog 47")].entries()) {
    await house.ask(table, { command: "sit", seat }, who);
    await house.ask(table, { command: "buy-in", seat, amount: 1_234_500 }, who);
  }
  const page = await house.visit(`/table/${table}`, fox, { width: 1280, height: 720 });
  const at = (seat: number) => page.locator("aside ul.rail li").nth(seat);
  const places = () =>
    page.locator("ul.rail li, ul.rail .who").evaluateAll((parts) =>
      parts.map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return [x, y, width, height, part.scrollWidth > part.clientWidth].join();
      }),
    );
  await at(0).getByText("shoots").waitFor();
  const before = await places();
  expect(before.join(" ")).not.toContain("true");
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 500 }, fox);
  for (const dice of ["4-4", "3-4"]) await house.roll(table, dice);
  await at(1).getByText("shoots").waitFor();
  expect(await at(0).getByText("shoots").count()).toBe(0);
  expect(await places()).toEqual(before);
});

test("two of one name are told apart by their seats", async () => {
  const table = await house.table({ name: "Twins", dice: "house" });
  for (const seat of [2, 4]) await house.ask(table, { command: "sit", seat, name: "Kim" });
  const page = await house.visit(`/table/${table}`);
  await page.getByText("Kim (seat 3)").first().waitFor();
});

test("the dice of a shooter who has gone can be thrown by others", async () => {
  const table = await house.table({ name: "Gone", dice: "house" });
  const sam = await house.visit(`/table/${table}`, await house.guest("Sam"));
  await sit(sam, null);
  await bet(sam, "pass");
  await says(sam, "pass", "you have \\$5");
  const ann = await house.visit(`/table/${table}`, await house.guest("Ann"));
  await sit(ann, null);
  await ann.getByText("Sam has the dice.").first().waitFor();
  await sam.close();
  await ann.locator("aside li", { hasText: "Sam away with the dice" }).waitFor();
  await ann.getByRole("button", { name: "Roll for Sam" }).click();
  await expect.poll(async () => (await house.view(table)).hand.rolls).toBe(1);
});

test("and passed on where they cannot be thrown", async () => {
  const table = await house.table({ name: "Passed", dice: "house" });
  const sam = await house.visit(`/table/${table}`, await house.guest("Sam"));
  await sit(sam, null);
  const ann = await house.visit(`/table/${table}`, await house.guest("Ann"));
  await sit(ann, null);
  await sam.close();
  await ann.getByRole("button", { name: "Pass the dice" }).click();
  await ann.getByRole("button", { name: "Roll", exact: true }).waitFor();
  expect((await house.view(table)).hand.shooter).toBe(1);
});
