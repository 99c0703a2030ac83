// The felt: everything on it answers, nothing covers it, and it stands still.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TableConfig } from "../../crates/boxman-server/api/wire.ts";
import { House, bet, says, sit, spot, type Visit } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };
const DESK = { width: 1280, height: 720 };

/** Somebody with chips at a table of their own. */
async function seated(
  name: string,
  window: Visit = {},
  config: Partial<TableConfig> = {},
): Promise<{ page: Page; table: string }> {
  const table = await house.table({ name, ...config });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), window);
  await sit(page, null);
  return { page, table };
}

/** The line under the felt. */
const line = (page: Page) => page.getByRole("region", { name: "About the bet" });
const box = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())!;

test("a number is its place bet, and a chip that does not fit says why", async () => {
  const { page } = await seated("Numbers");
  const { x, y, width } = (await spot(page, "place 6").boundingBox())!;
  await page.mouse.click(x + width / 2, y - 60);
  await line(page).getByText("$6: Place 6 pays even in sixes.").waitFor();
  await says(page, "place 6", "you have \\$6");
  await bet(page, "horn");
  await line(page).getByText("$4: the horn is bet in fours.").waitFor();
});

test("bare cloth and a closed spot say what to do, and whoever watches is offered a seat", async () => {
  const { page, table } = await seated("Cloth");
  const felt = await box(page, "#felt");
  const bare = { x: felt.x + 20, y: felt.y + felt.height - 12 };
  await page.mouse.click(bare.x, bare.y);
  await line(page).getByText("Click a box").waitFor();
  await bet(page, "come");
  await page.getByRole("alert").filter({ hasText: "once there is a point" }).waitFor();
  const watcher = await house.visit(`/table/${table}`);
  await spot(watcher, "pass").waitFor();
  await watcher.mouse.click(bare.x, bare.y);
  await line(watcher).getByText("Take a seat to bet.").waitFor();
  await bet(watcher, "field");
  await watcher.getByRole("dialog", { name: "Take a seat" }).waitFor();
});

test("the rest opens beside the felt, and the longest fraction stays in its frame", async () => {
  const { page } = await seated("More", DESK);
  await spot(page, "make-em-all-progressive").hover();
  await line(page).getByText("Make 'Em All Progressive").waitFor();
  await page.keyboard.press("Tab");
  await line(page).getByRole("button", { name: "More" }).focus();
  await page.keyboard.press("Enter");
  await spot(page, "make-em-all").hover();
  const card = page.getByRole("region", { name: "About this bet" });
  await card.getByText(/= \d+\/\d{6,}/).waitFor();
  expect(await card.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
  const felt = await box(page, "#felt");
  expect((await card.boundingBox())!.x).toBeGreaterThan(felt.x + felt.width);
});

test("what is printed on the felt can be read at a desk", async () => {
  const { page } = await seated("Print", DESK);
  const small = await page.evaluate(() => {
    const svg = document.querySelector<SVGSVGElement>("#felt svg")!;
    const scale = svg.getScreenCTM()!.a;
    return [...svg.querySelectorAll<SVGTextElement>(".art text, .board text")]
      .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize) * scale])
      .filter(([, size]) => Number(size) < 11);
  });
  expect(small).toEqual([]);
});

test("twice as large, the felt is larger and nothing runs off the side", async () => {
  const { page } = await seated("Zoom", { width: 640, height: 360 });
  const { width } = await box(page, "#felt svg");
  expect(width).toBeGreaterThan(580);
  await page.getByRole("radiogroup").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  await bet(page, "any-craps");
  await says(page, "any-craps", "you have \\$5");
});

/** What of this does not lie open to a finger, in the window. */
const outOfReach = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((things) =>
    things
      .filter((thing) => {
        const { x, y, width, height } = thing.getBoundingClientRect();
        const inside = x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        return !inside || !(thing.contains(top) || top?.contains(thing));
      })
      .map((thing) => thing.getAttribute("aria-label") ?? thing.textContent?.trim()),
  );

test.each([
  [844, 390],
  [740, 360],
  [667, 375],
])("a phone of %i by %i on its side shows the whole felt and all its buttons", async (w, h) => {
  const window = { ...PHONE, width: w, height: h };
  const { page, table } = await seated(`Side ${w}`, window, { dice: "house" });
  const felt = await box(page, "#felt svg");
  expect(felt.y + felt.height).toBeLessThanOrEqual(h);
  expect((await line(page).boundingBox())!.y).toBeGreaterThanOrEqual(felt.y + felt.height);
  expect((await box(page, ".controls")).x).toBeGreaterThanOrEqual(felt.x + felt.width);
  expect(await page.locator(".controls button").count()).toBeGreaterThan(8);
  expect(await outOfReach(page, ".controls button, .controls input")).toEqual([]);
  // What was rolled last is not cut off.
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect.poll(async () => (await house.view(table)).recent.length).toBe(1);
  await page.getByRole("list", { name: "Recent rolls, newest first" }).locator("li").waitFor();
  const strip = page.getByRole("region", { name: "The hand" });
  expect(await strip.evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBe(0);
});

test("a phone reads what to do to its end", async () => {
  const { page } = await seated("Advice", PHONE, { dice: "house" });
  const advice = line(page).getByText("loses on 2, 3 or 12.");
  expect(await advice.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0);
});

test("nothing lies over the ring where odds may go, and a table that waits has none", async () => {
  const { page, table } = await seated("Rings");
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.ask(table, { command: "sit", seat: 1, name: "Bob" });
  await house.ask(table, { command: "buy-in", seat: 1, amount: 50_000 });
  await house.ask(table, { command: "put", seat: 1, wager: "pass", amount: 1_000 });
  await house.roll(table, "4-4");
  await house.ask(table, { command: "put", seat: 1, wager: "odds pass", amount: 1_000 });
  await says(page, "odds pass", "1 other bet");
  const ring = page.locator(".odds-ring");
  const { x } = (await ring.boundingBox())!;
  for (const stack of await page.locator(".stack").all()) {
    const chips = (await stack.boundingBox())!;
    const beside = chips.y > (await box(page, 'g[data-spot="odds pass"]')).y;
    // Their shadow may.
    if (beside) expect(chips.x + chips.width).toBeLessThanOrEqual(x + 4);
  }
  await house.ask(table, { command: "pause" });
  await ring.waitFor({ state: "detached" });
});

test("a skip link leads to the felt, and arrows go where the eye goes", async () => {
  const { page } = await seated("Arrows");
  const here = () =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.spot);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.reload();
  await spot(page, "pass").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await here()).toBe("pass");
  await spot(page, "place 6").focus();
  const ways = ["Down", "Down", "Down", "Up", "Up", "Up", "Up", "Left"];
  const seen = [];
  for (const way of ways) {
    await page.keyboard.press(`Arrow${way}`);
    seen.push(await here());
  }
  expect(seen).toEqual([
    "come",
    "field",
    "dont-pass",
    "field",
    "come",
    "place 6",
    "buy 6",
    "buy 5",
  ]);
});

test("while no bets are taken the whole felt says so, and covers no chips", async () => {
  const { page, table } = await seated("Closed");
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.roll(table, "4-4");
  await page.getByText("ON · point 8").waitFor();
  await bet(page, "come");
  await says(page, "come", "you have \\$5");
  await house.ask(table, { command: "close-betting" });
  const band = page.getByRole("status").filter({ hasText: "The dice are out." });
  await band.waitFor();
  const shade = () =>
    page.locator(".dim.print").evaluate((dim) => getComputedStyle(dim).fillOpacity);
  await expect.poll(async () => Number(await shade())).toBeGreaterThan(0.2);
  const { x, width } = (await band.boundingBox())!;
  for (const stack of await page.locator(".stack").all())
    expect((await stack.boundingBox())!.x).toBeGreaterThan(x + width);
  for (const die of await page.locator(".resting [data-face]").all()) {
    const lies = (await die.boundingBox())!;
    expect(lies.x + lies.width).toBeLessThanOrEqual(x);
  }
  await bet(page, "field");
  await page.getByRole("alert").filter({ hasText: "The dice are out." }).waitFor();
});
