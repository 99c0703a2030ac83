// Every word on the felt, of a table's strip, of the lobby's small felts and of the sign can be
// read: its ink is measured against the cloth under it, in light rooms and dark.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, type Person } from "./house.ts";
import { inks, needs } from "./ink.ts";

let house: House;
let table: string;
let ann: Person;
let blank: Page;
beforeAll(async () => {
  house = await House.open();
  blank = await (await house.context(null)).newPage();
  ann = await house.guest("Ann");
  table = await house.table({ name: "Print" });
  for (const [seat, who] of [ann, house.boss].entries()) {
    await house.ask(table, { command: "sit", seat }, who);
    await house.ask(table, { command: "buy-in", seat, amount: 200_000 }, who);
  }
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const ROOMS: ("dark" | "light")[] = ["dark", "light"];

const put = (wager: string, dollars: number, seat = 0) =>
  house.ask(
    table,
    { command: "put", seat, wager, amount: dollars * 100 },
    seat === 0 ? ann : house.boss,
  );

const look = (path: string, who: Person | null) =>
  house.visit(path, who, { reducedMotion: "reduce" });

/** What is too faint to be read. */
async function faint(page: Page, within: string, rooms = ROOMS): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const found = [];
  for (const colorScheme of rooms) {
    await page.emulateMedia({ colorScheme });
    const all = await inks(page, within, blank);
    expect(all.length).toBeGreaterThan(5);
    for (const ink of all.filter((ink) => ink.ratio < needs(ink)))
      found.push(
        `"${ink.text}" (${ink.where.replace(/ ?svelte-\w+/, "")}, ${ink.size.toFixed(0)} px) ` +
          `in a ${colorScheme} room: ${ink.ratio.toFixed(2)} and not ${needs(ink)}`,
      );
  }
  return found;
}

const FELT = "#felt, [aria-label='The hand'], [aria-label='About the bet']";

test("an open felt, with what is closed on a come-out in the shade", async () => {
  const page = await look(`/table/${table}`, ann);
  await page.locator("g[data-spot=pass]").waitFor();
  expect(await faint(page, FELT)).toEqual([]);
  await page.context().close();
});

test("a felt with a point, bets and odds; what the next roll brings; and no more bets", async () => {
  await put("pass", 10);
  await put("make-em-all", 5);
  await put("make-em-all-progressive", 1);
  await put("dont-pass", 25, 1);
  await house.roll(table, "4-4");
  await put("come", 10);
  await put("place 5", 25);
  await put("hard 8", 5);
  await house.roll(table, "4-5");
  const page = await look(`/table/${table}`, ann);
  await page.getByText("ON · point 8").waitFor();
  await page.locator(".odds-ring").first().waitFor();
  await page.getByRole("button", { name: "If it rolls…" }).click();
  await page.locator(".forecast text").first().waitFor();
  expect(await faint(page, `${FELT}, aside`)).toEqual([]);
  await page.getByRole("button", { name: "If it rolls…" }).click();
  await house.ask(table, { command: "close-betting" });
  await page.locator(".dim.print.shut").waitFor();
  expect(await faint(page, FELT)).toEqual([]);
  await page.context().close();
});

test("the lobby's small felts", async () => {
  const page = await look("/", ann);
  await page.locator("main svg").first().waitFor();
  expect(await faint(page, "main")).toEqual([]);
  await page.context().close();
});

test("the sign, which is the same in every room", async () => {
  const page = await look(`/sign/${table}`, null);
  await page.getByText("Point").waitFor();
  expect(await faint(page, "main", ["dark"])).toEqual([]);
  await page.context().close();
});
