// The doors of the house: play at once, the list of tables, a seat of one's choice, the sign of
// a table without meters, light and dark rooms, and addresses that lead nowhere.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { TableLine } from "../../crates/boxman-server/api/wire.ts";
import { House, bet, rack, says, spot, type Visit } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const chips = (page: Page) => page.getByRole("radiogroup", { name: "The chip in your hand" });
const card = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** A line of the lobby as its feed tells it. */
const line = (id: string, more: object = {}) => ({
  id,
  name: id,
  rules: ["presque-isle"],
  practice: true,
  status: "running",
  players: 0,
  looking_on: 0,
  seats: 16,
  puck: null,
  points: [4, 5, 6, 8, 9, 10],
  minimum: 1_000,
  maximum: 500_000,
  meters: [],
  warnings: [],
  problem: null,
  recent: [],
  hand_rolls: 0,
  shooter: null,
  betting: true,
  sides: [],
  ...more,
});

/** The lobby with a feed of our own, and a way to say more on it. */
async function lobby(tables: object[], options: Visit = {}) {
  const context = await house.context(null, options);
  const page = await context.newPage();
  const feed = { say: (frame: object): void => void frame };
  await page.routeWebSocket(/\/api\/lobby\/socket/, (socket) => {
    feed.say = (frame) => socket.send(JSON.stringify(frame));
    feed.say({ type: "lobby", tables });
  });
  await page.goto(`${house.address}/`);
  return { page, say: (frame: object) => feed.say(frame) };
}

test("one click seats a newcomer with a name and chips, and the next one leads back", async () => {
  const page = await house.visit("/");
  await page.getByRole("button", { name: "Play now" }).click();
  await chips(page).waitFor();
  expect(await rack(page)).toBe("$500");
  expect(await page.locator("header .name").innerText()).toMatch(/^[A-Z]\w+ [A-Z]\w+ \d\d$/);
  const { pathname } = new URL(page.url());
  await page.getByRole("link", { name: "Tables", exact: true }).click();
  await page.getByRole("button", { name: "Play now" }).click();
  await chips(page).waitFor();
  expect(new URL(page.url()).pathname).toBe(pathname);
});

test("where no practice table has a free seat one is opened, with place bets that may be called on", async () => {
  const known = await house.request<TableLine[]>("/api/tables");
  for (const { id } of known) await house.ask(id, { command: "pause" });
  await house.table({ name: "Dealt by hand" });
  const page = await house.visit("/");
  await page.getByRole("button", { name: "Play now" }).click();
  await chips(page).waitFor();
  const id = /\/table\/(\w+)/.exec(page.url())![1]!;
  const { config } = await house.view(id);
  expect(config).toMatchObject({ practice: true, dice: "house" });
  expect(config.options["place-may-be-called-on"]).toBe("on");
  for (const { id } of known) await house.ask(id, { command: "resume" });
});

test("what stands in the way of playing at once is said in words", async () => {
  const { page } = await lobby([]);
  await page.route("**/api/guest", (route) =>
    route.fulfill({
      status: 503,
      json: { code: "full", status: 503, detail: "the house is full" },
    }),
  );
  await page.getByRole("button", { name: "Play now" }).click();
  await page.getByRole("alert").getByText("The house is full. You can choose").waitFor();
});

test("the first hand is guided in three steps, once", async () => {
  const table = await house.table({ name: "First hand" });
  const ann = await house.guest("Ann");
  await house.ask(table, { command: "sit" }, ann);
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 }, ann);
  const page = await house.visit(`/table/${table}`, ann, { guide: true });
  const guide = page.getByRole("region", { name: "Your first hand" });
  await guide.getByText("step 1 of 3").waitFor();
  const ring = (await page.locator("div.ring").boundingBox())!;
  const line = (await spot(page, "pass").boundingBox())!;
  expect(ring.x).toBeLessThan(line.x);
  expect(ring.y).toBeLessThan(line.y);
  expect(ring.x + ring.width).toBeGreaterThan(line.x + line.width);
  await bet(page, "pass");
  await guide.getByText("step 2 of 3").waitFor();
  await house.roll(table, "4-5");
  await guide.getByText("The point is 9. Back your bet with odds: they pay 3 to 2.").waitFor();
  await bet(page, "odds pass");
  await guide.getByRole("button", { name: "Got it" }).click();
  await guide.waitFor({ state: "detached" });
  await page.reload();
  await says(page, "odds pass", "you have");
  expect(await guide.count()).toBe(0);
});

test("the guide can be skipped", async () => {
  const page = await house.visit("/", null, { guide: true });
  await page.getByRole("button", { name: "Play now" }).click();
  const guide = page.getByRole("region", { name: "Your first hand" });
  await guide.getByRole("button", { name: "Skip" }).click();
  await page.reload();
  await chips(page).waitFor();
  await spot(page, "pass").waitFor();
  expect(await guide.count()).toBe(0);
});

test("a card tells the hand, the meters and what is offered, and hands its address on", async () => {
  const meters = [{ paytable: "P", title: "Fired Up", amount: 123_456 }];
  const tables = [
    line("one", { shooter: "Ann", puck: 6, hand_rolls: 2, recent: ["1-2", "3-3"], meters }),
    line("two", { players: 16, practice: false, sides: ["All Small", "All Tall"] }),
  ];
  const { page, say } = await lobby(tables, { colorScheme: "light" });
  const one = card(page, "one");
  await one.getByText("Ann shoots, point 6, 2 rolls this hand").waitFor();
  await one.getByText("Fired Up").waitFor();
  const lit = await one
    .getByText("$1,234.56")
    .evaluate((amount) => getComputedStyle(amount).color.match(/\d+/g)!.map(Number));
  expect(Math.max(...lit), "digits that are lit in a light room").toBeGreaterThan(200);
  const two = card(page, "two");
  await two.getByText("line bets $10 to $5,000").waitFor();
  await two.getByText("All Small, All Tall").waitFor();
  await two.getByText("16 players, no free seat").waitFor();
  expect(await two.getByRole("link", { name: "Play" }).count()).toBe(0);
  expect(await two.getByRole("link", { name: "Watch" }).getAttribute("href")).toBe("/table/two");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await one.getByRole("button", { name: "Copy link" }).click();
  await one.getByRole("button", { name: "Link copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${house.address}/table/one`,
  );
  say({ type: "table", table: line("one", { shooter: "Bob" }) });
  await one.getByText("Bob shoots, come-out").waitFor();
  say({ type: "gone", id: "two" });
  await two.waitFor({ state: "detached" });
});

test("among many tables one is found", async () => {
  const many = Array.from({ length: 8 }, (_, at) => line(`table ${at}`, { players: at * 2 + 2 }));
  const { page } = await lobby([...many, line("Pit", { practice: false, sides: ["Little"] })]);
  const find = page.getByRole("searchbox", { name: "Find a table" });
  await find.fill("little");
  await page.getByText("1 of 9 tables").waitFor();
  await card(page, "Pit").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByLabel("Free seat").check();
  await page.getByText("8 of 9 tables").waitFor();
  await page.getByLabel("Chips", { exact: true }).selectOption("Play money");
  await page.getByText("7 of 9 tables").waitFor();
  await page.getByLabel("Side bets").check();
  await page.getByText("No table is like that.").waitFor();
});

test("the room is as light as the browser likes it, until somebody turns it", async () => {
  const page = await house.visit("/login", null, { colorScheme: "light" });
  const brightness = () =>
    page.evaluate(() => {
      const parts = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
      return parts.slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    });
  await page.getByRole("button", { name: "Dark room" }).waitFor();
  expect(await brightness()).toBeGreaterThan(200);
  await page.getByRole("button", { name: "Dark room" }).click();
  expect(await brightness()).toBeLessThan(40);
  await page.reload();
  await page.getByRole("button", { name: "Light room" }).waitFor();
  expect(await brightness()).toBeLessThan(40);
});

test("the sign of a table without meters tells the hand", async () => {
  const table = await house.table({ name: "Plain", rules: ["presque-isle"], options: {} });
  await house.ask(table, { command: "sit", seat: 0, name: "Ann" });
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 });
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 1_000 });
  for (const dice of ["4-5", "2-3", "3-6"]) await house.roll(table, dice);
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 1_000 });
  await house.roll(table, "4-4");
  const page = await house.visit(`/sign/${table}`);
  const says = (name: string) => page.getByRole("region", { name }).innerText();
  await page.getByRole("region", { name: "Points made" }).waitFor();
  expect(await says("The point")).toMatch(/8\s+Point/);
  expect(await says("This hand")).toMatch(/4\s+Rolls this hand/);
  expect(await says("Points made")).toMatch(/1\s+Point made/);
  expect(await says("Hot numbers")).toMatch(/^9\s+2×/);
});

test("a sign fills its wall, and its button lies over nothing", async () => {
  const table = await house.table({ name: "On the wall" });
  const page = await house.visit(`/sign/${table}`, null, { colorScheme: "light" });
  const button = page.getByRole("button", { name: "Full screen" });
  const { x, y, width, height } = (await button.boundingBox())!;
  const parts = page.locator("main section, main li, main h1, main header p");
  await parts.first().waitFor();
  for (const part of await parts.all()) {
    const box = (await part.boundingBox())!;
    const over = box.x < x + width && x < box.x + box.width;
    expect(over && box.y < y + height && y < box.y + box.height, await part.innerText()).toBe(
      false,
    );
  }
  const room = await page.evaluate(() => innerWidth - document.documentElement.clientWidth);
  expect(room, "pixels are kept free for a scrollbar").toBe(0);
});

test("a table that favours the player opens after a tick, for those very rules", async () => {
  const page = await house.visit("/", house.boss);
  await page.getByRole("button", { name: "Open a table" }).click();
  const box = page.getByLabel("Open it although the player has the edge");
  const open = page.getByRole("button", { name: "Open the table" });
  // Each meter has terms of its own, with a ceiling.
  const meters = page.getByLabel("Starts at, in dollars").first();
  await page.getByLabel("Shows at most, in dollars").first().fill("200000");
  await page.getByLabel("Name of the table").fill("Generous");
  await meters.fill("90000");
  await page
    .getByText(/its meter at \$90,000: players win [\d.]+ % of what they bet/)
    .first()
    .waitFor();
  await open.click();
  await page
    .getByRole("alert")
    .getByText(/Tick the box below/)
    .waitFor();
  await box.check();
  // Other rules, another tick.
  await meters.fill("95000");
  await page
    .getByText(/its meter at \$95,000/)
    .first()
    .waitFor();
  expect(await box.isChecked()).toBe(false);
  // What is not shown yet is asked for before the table opens.
  await meters.fill("96000");
  await open.click();
  await page
    .getByRole("alert")
    .getByText(/Tick the box below/)
    .waitFor();
  const tables = await house.request<TableLine[]>("/api/tables");
  expect(tables.filter(({ name }) => name === "Generous")).toEqual([]);
  await page
    .getByText(/its meter at \$96,000/)
    .first()
    .waitFor();
  await box.check();
  await open.click();
  await page.waitForURL(/\/table\//);
});

test("an account begins with the roles of none before it", async () => {
  const page = await house.visit("/", house.boss);
  const role = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await page.getByLabel("Name to log in with").fill("kim");
  await page.getByLabel("Password", { exact: true }).fill("a good long password");
  await role("administrator").check();
  await page.getByRole("button", { name: "Make the account" }).click();
  await page.getByText("kim can log in now.").waitFor();
  expect(await role("administrator").isChecked()).toBe(false);
  expect(await role("player").isChecked()).toBe(true);
});

test("the history of a table that is closed says so", async () => {
  const table = await house.table({ name: "Over" });
  await house.ask(table, { command: "close" });
  const page = await house.visit(`/history/${table}`, house.boss);
  await page
    .getByText(/^This table is closed since \d.+ No more hands are played here\.$/)
    .waitFor();
});

test("an address that leads nowhere has a way back", async () => {
  for (const path of ["/no/such/page", "/sign/nowhere"]) {
    const page = await (await house.context(null)).newPage();
    await page.goto(house.address + path);
    await page.getByRole("heading", { name: /There is no such/ }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.getByRole("link", { name: "To the tables", exact: true }).click();
    await page.getByRole("button", { name: "Play now" }).waitFor();
  }
});

test("columns that do not fit are announced, and can be gone to", async () => {
  const page = await house.visit(
    "/edges?view=par&paytables=PT-BJS-MEA-03,PT-BJS-MEA-05&bettors=6",
    null,
    { width: 390, height: 844, reducedMotion: "reduce" },
  );
  const figures = page.getByRole("region", { name: "Figures of the sheets" });
  await page.getByText("Scroll sideways for more columns").first().waitFor();
  await page.getByRole("button", { name: "Columns to the right" }).first().click();
  expect(await figures.evaluate((region) => region.scrollLeft)).toBeGreaterThan(0);
});
