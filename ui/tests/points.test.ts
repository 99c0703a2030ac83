// What the pages promise, point by point, played with a mouse, with fingers and with the keyboard
// alone at the width of a phone, a desk and a wall. Each point is played in the way it names; in
// all nine with `npm run test:everywhere`.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IfRolledView, TableConfig, TableLine } from "../../crates/boxman-server/api/wire.ts";
import { House, rack, says, spot, type Person, type Visit } from "./house.ts";
import { player, waysOf, windowOf, type Player, type Way } from "./ways.ts";

let house: House;
/** Somebody with an account: guests play at practice tables only. */
let member: Person;
beforeAll(async () => {
  house = await House.open();
  member = await house.hire("mel", "player");
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

function point(what: string, way: Way, play: (way: Way) => Promise<void>): void {
  describe(what, () => {
    test.each(waysOf(way))("%s", { timeout: 120_000 }, async (way) => {
      try {
        await play(way);
      } finally {
        await house.leave();
      }
    });
  });
}

const arrive = async (way: Way, path: string, who: Person | null, more: Visit = {}) =>
  player(way, await house.visit(path, who, { ...windowOf(way), ...more }));

/** Somebody with $500 at a table of their own. */
async function seated(
  way: Way,
  config: Partial<TableConfig> = {},
  more: Visit = {},
): Promise<{ ann: Player; page: Page; table: string }> {
  const table = await house.table(config);
  const who = config.practice === false ? member : await house.guest("Ann");
  await house.ask(table, { command: "sit", seat: 0 }, who);
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 });
  // A real table pays out of its tray.
  if (config.practice === false) await house.ask(table, { command: "fill", amount: 900_000 });
  const ann = await arrive(way, `/table/${table}`, who, more);
  await spot(ann.page, "pass").waitFor();
  await chips(ann.page).waitFor();
  return { ann, page: ann.page, table };
}

const chips = (page: Page) => page.getByRole("radiogroup", { name: "The chip in your hand" });
const strip = (page: Page) => page.getByRole("region", { name: "About the bet" });
const refusal = (page: Page, text: string) =>
  page.getByRole("alert").filter({ hasText: text }).waitFor();
const notice = (page: Page, text: string) =>
  page.locator(".notice", { hasText: text }).first().waitFor();
const spoken = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor({ state: "attached" });
const coach = (page: Page, text: string) =>
  page.locator("#hint", { hasText: text }).waitFor({ state: "attached" });
const has = (page: Page, name: string, dollars: number) =>
  says(page, name, `you have \\$${dollars}(?![\\d.])`);
const hasNothing = (page: Page, name: string) => says(page, name, /^((?!you have).)*$/);
const box = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())!;
const lying = (page: Page) =>
  page
    .locator(".resting [data-face]")
    .evaluateAll((dice) => dice.map((die) => Number(die.getAttribute("data-face"))));

/** What lies over the felt, even what a pointer goes through. */
const coverOf = (page: Page) =>
  page.evaluate(() => {
    const felt = document.querySelector("#felt svg")!;
    const sheet = felt.getBoundingClientRect();
    const frame = document.querySelector("#felt")!.getBoundingClientRect();
    const [top, bottom] = [Math.max(sheet.top, frame.top), Math.min(sheet.bottom, frame.bottom)];
    return [...document.querySelectorAll("body *")]
      .filter((other) => !felt.contains(other) && !other.contains(felt))
      .filter((other) => {
        const box = other.getBoundingClientRect();
        const across = Math.min(sheet.right, box.right) - Math.max(sheet.left, box.left);
        const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
        return across > 1 && down > 1;
      })
      .map((other) => other.outerHTML.slice(0, 80));
  });

point("1 everything one would click answers", "touch at 390", async (way) => {
  const { ann, page, table } = await seated(way);
  if (ann.pointed) await ann.number(6);
  else await ann.bet("place 6");
  await strip(page)
    .getByText(/^\$6: .* in sixes\.$/)
    .waitFor();
  await has(page, "place 6", 6);
  await ann.take("place 6");
  await hasNothing(page, "place 6");
  await ann.bet("come");
  await refusal(page, "once there is a point");
  if (ann.pointed) {
    await ann.cloth();
    await strip(page).getByText("Click a box").waitFor();
  }
  const rings = page.locator(".odds-ring");
  await ann.bet("pass");
  await has(page, "pass", 5);
  expect(await rings.count()).toBe(0);
  await house.roll(table, "4-4");
  await page.getByText("ON · point 8").waitFor();
  await ann.bet("come");
  await ann.bet("dont-come");
  await has(page, "dont-come", 5);
  await house.roll(table, "4-5");
  // Behind pass, come and don't come.
  await expect.poll(() => rings.count()).toBe(3);
  await ann.bet("come 9");
  await has(page, "odds come 9", 4);
  await ann.bet("dont-come 9");
  await has(page, "odds dont-come 9", 3);
  await ann.bet("odds pass");
  await has(page, "odds pass", 5);
  await expect.poll(() => rings.count()).toBe(0);
});

point("2 nothing covers the felt", "mouse at 2560", async (way) => {
  const { ann, page } = await seated(way);
  const before = await strip(page).boundingBox();
  await ann.bet("pass");
  await has(page, "pass", 5);
  for (const fact of ["Pass Line", "you have $5", "pays 1 to 1", /^edge 1\.41.%$/, /^\$\d+ to \$/])
    await strip(page).getByText(fact).first().waitFor();
  expect(await coverOf(page)).toEqual([]);
  expect(await strip(page).boundingBox()).toEqual(before);
  await ann.look("hard 8");
  await strip(page).getByText("Hard 8").waitFor();
  // A mouse on its way to the button comes by other spots.
  if (ann.narrow && ann.pointed) await ann.bet("hard 8");
  await ann.press(strip(page).getByRole("button", { name: "More" }));
  if (ann.narrow) {
    const dialog = page.getByRole("dialog", { name: "About this bet" });
    await dialog.getByText("1/11").waitFor();
    await ann.press(dialog.getByRole("button", { name: "Close" }));
    await dialog.waitFor({ state: "detached" });
  } else {
    const card = page.getByRole("region", { name: "About this bet" });
    await ann.look("hard 8");
    await card.getByText("1/11").waitFor();
    const felt = await box(page, "#felt");
    expect((await card.boundingBox())!.x).toBeGreaterThan(felt.x + felt.width);
  }
  expect(await coverOf(page)).toEqual([]);
  expect(await strip(page).boundingBox()).toEqual(before);
});

point("3 wins are felt", "mouse at 1280", async (way) => {
  const { ann, page, table } = await seated(
    way,
    { practice: false, paying: false },
    { tumble: true },
  );
  const bob = await house.visit(`/table/${table}`);
  await spot(bob, "pass").waitFor();
  await ann.bet("pass");
  await ann.press(page.getByRole("radio", { name: "$1 chip" }));
  await ann.bet("fired-up");
  await has(page, "fired-up", 1);
  const rest = async (...dice: [number, number]) => {
    await ann.skip();
    await expect.poll(() => lying(page)).toEqual(dice);
  };
  await house.roll(table, "3-3");
  await rest(3, 3);
  await house.roll(table, "2-3");
  await rest(2, 3);
  await ann.amount("5");
  await ann.bet("field");
  await has(page, "field", 5);
  // Chips that move and amounts that rise are there for less than a second.
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      for (const one of document.querySelectorAll("[data-moves]"))
        seen.add(`${one.getAttribute("data-way")} ${one.getAttribute("data-moves")}`);
      for (const one of document.querySelectorAll("[data-mark]")) seen.add(one.textContent ?? "");
    }).observe(document.querySelector("main")!, { subtree: true, childList: true });
  });
  const lammers = () => page.locator(".board .lammer").count();
  const lit = await lammers();
  await house.roll(table, "1-3");
  await page.locator(".cube").first().waitFor();
  expect(await lying(page)).toEqual([]);
  await rest(1, 3);
  const seen = () => page.evaluate(() => [...(window as unknown as { seen: string[] }).seen]);
  await expect.poll(seen).toEqual(expect.arrayContaining(["pay field", "+\u2060$5"]));
  await expect.poll(lammers).toBeGreaterThan(lit);
  await house.roll(table, "1-2");
  await rest(1, 2);
  await house.roll(table, "1-1");
  const card = (page: Page) => page.getByRole("status", { name: "Jackpot" });
  // It is there for a few seconds.
  await Promise.all([page, bob].map((each) => card(each).getByText("being confirmed").waitFor()));
  expect(await bob.getByText(/your share/i).count()).toBe(0);
  await ann.dismiss(card(page).getByRole("button", { name: "Close" }));
  await card(page).waitFor({ state: "detached", timeout: 2_000 });
  await page.getByText(/^Jackpot, your share \$[\d,.]+, being confirmed$/).waitFor();
});

point("4 fewer acts", "keys at 2560", async (way) => {
  const { ann, page, table } = await seated(way);
  // An amount is typed, and goes down to the dollar.
  await ann.amount("25");
  await ann.bet("pass");
  await has(page, "pass", 25);
  await ann.button("Undo");
  await hasNothing(page, "pass");
  // Many numbers, pressed by half and in full, and each is one act.
  await ann.amount("12");
  await ann.choose("Place", "Inside");
  await has(page, "place 6", 12);
  await has(page, "place 9", 15);
  await ann.choose("Press", "By half");
  await has(page, "place 6", 18);
  await ann.button("Undo");
  await has(page, "place 6", 12);
  await ann.choose("Press", "In full");
  await has(page, "place 6", 24);
  await ann.button("Undo");
  await has(page, "place 6", 12);
  await ann.button("Undo");
  await hasNothing(page, "place 6");
  await ann.choose("Place", "Across");
  await has(page, "place 4", 15);
  await has(page, "place 10", 15);
  await ann.button("Undo");
  await hasNothing(page, "place 10");
  // A winning line bet stays up.
  await ann.press(page.getByRole("radio", { name: "$5 chip" }));
  await ann.choose("Auto", "Winning line bets stay up");
  await page.keyboard.press("Escape");
  await ann.bet("pass");
  await ann.bet("hard 8");
  await has(page, "hard 8", 5);
  await house.roll(table, "5-6");
  await notice(page, "Up again: Pass Line $5.");
  await has(page, "pass", 5);
  // The same bets come with each hand.
  await ann.choose("Auto", "Winning line bets stay up");
  await ann.pick("Same bets each hand");
  await page.keyboard.press("Escape");
  await house.roll(table, "4-5");
  await house.roll(table, "3-4");
  await notice(page, "Up again: Pass Line $5 and Hard 8 $5.");
  await ann.button("Undo");
  await hasNothing(page, "pass");
  // What came down is put again, after an undo and after a reload.
  await ann.button("Rebet");
  await has(page, "hard 8", 5);
  await ann.button("Undo");
  await hasNothing(page, "hard 8");
  await page.reload();
  await ann.button("Rebet");
  await has(page, "pass", 5);
  await has(page, "hard 8", 5);
});

point("5 a page that stands still", "touch at 390", async (way) => {
  const { ann, page, table } = await seated(way, { dice: "house" });
  const still = async () => [
    await box(page, "#felt"),
    await box(page, ".roll"),
    await box(page, ".money"),
    await chips(page).boundingBox(),
  ];
  const before = await still();
  await ann.bet("come");
  await page.getByRole("alert").waitFor();
  await ann.bet("pass");
  await has(page, "pass", 5);
  expect(await still()).toEqual(before);
  for (let seat = 1; seat < 12; seat++)
    await house.ask(table, { command: "sit", seat, name: `Player ${seat}` });
  await page.getByText("Player 11").waitFor({ state: "attached" });
  await ann.button("Roll");
  await page.getByRole("region", { name: "Last roll" }).waitFor();
  expect(await still()).toEqual(before);
  if (!ann.narrow) {
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    return;
  }
  for (const [part, name] of [
    ["Props", "any-craps"],
    ["Bonus", "fired-up"],
    ["Line & numbers", "place 6"],
  ] as const) {
    await ann.button(new RegExp(`^${part}`));
    await expect
      .poll(() =>
        spot(page, name).evaluate((spot) => {
          const { x, y, width, height } = spot.getBoundingClientRect();
          const under = document.elementFromPoint(x + width / 2, y + height / 2);
          return spot.contains(under);
        }),
      )
      .toBe(true);
    // What was rolled last is in sight from all of them.
    const rolls = page.getByRole("list", { name: "Recent rolls, newest first" });
    expect((await rolls.boundingBox())!.y).toBeLessThan(120);
  }
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await still()).toEqual(before);
});

point("6 true words", "mouse at 390", async (way) => {
  const { ann, page, table } = await seated(way);
  await coach(page, "put a chip on Pass Line or Don't Pass");
  await ann.bet("dont-pass");
  await coach(page, "Your Don't Pass wins on 2 or 3 and loses on 7 or 11, and 12 pushes.");
  await house.roll(table, "4-4");
  await coach(page, "Your Don't Pass wins on 7 and loses on 8.");
  await house.ask(table, { command: "close-betting" });
  const band = page.locator("#felt .band");
  await band.getByText("The dice are out.").waitFor();
  await ann.bet("field");
  await refusal(page, "The dice are out.");
  await house.ask(table, { command: "no-roll" });
  await band.waitFor({ state: "detached" });
  await house.ask(table, { command: "pause" });
  await band.getByText("Your chips stay where they are.").waitFor();
  await coach(page, "The table is paused.");
  await ann.bet("field");
  await refusal(page, "The table is paused.");
});

point("7 if it rolls", "touch at 2560", async (way) => {
  const { ann, page, table } = await seated(way);
  await ann.bet("pass");
  await has(page, "pass", 5);
  await house.roll(table, "2-2");
  await ann.bet("place 6");
  await ann.bet("hard 6");
  await has(page, "hard 6", 5);
  await ann.button("If it rolls…");
  const panel = page.getByRole("region", { name: "If it rolls" });
  const row = (dice: string) => panel.getByRole("row", { name: new RegExp(`^${dice} `) });
  await row("6 hard").getByText("+\u2060$52").waitFor();
  await row("7").getByText("−\u2060$16").waitFor();
  const forecast = page.locator(".forecast");
  expect(await forecast.textContent()).toContain("+\u2060$52");
  // As the server has it.
  const told = await house.request<IfRolledView[]>(`/api/tables/${table}/if-it-rolls?seat=0`);
  expect(await panel.getByRole("row").count()).toBe(1 + told.length);
  await ann.button("If it rolls…");
  await panel.waitFor({ state: "detached" });
  expect(await forecast.count()).toBe(0);
});

point("8 keyboard and screen reader", "keys at 1280", async (way) => {
  const table = await house.table({ dice: "house" });
  const ann = await arrive(way, `/table/${table}`, null);
  const { page } = ann;
  await ann.button("Take a seat");
  const name = page.getByLabel("Your name at the table");
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type("Nell");
  await page.keyboard.press("Enter");
  await chips(page).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const here = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute("data-spot") ?? activeElement?.textContent?.trim();
    });
  if (!ann.pointed) {
    await page.reload();
    await spot(page, "pass").waitFor();
    await page.keyboard.press("Tab");
    expect(await here()).toBe("To the felt");
    await page.keyboard.press("Enter");
    expect(await here()).toBe("pass");
    await ann.bet("hard 4");
    await has(page, "hard 4", 5);
    await page.keyboard.press("o");
    await says(page, "hard 4", "you have \\$5, off");
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "How to play" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("DIALOG");
  await page.keyboard.press("Escape");
  await ann.bet("pass");
  await has(page, "pass", 5);
  await ann.press(page.getByRole("button", { name: "Undo", exact: true }));
  await hasNothing(page, "pass");
  expect(await here()).toBe(ann.pointed ? "Undo" : "pass");
  await ann.choose("Place", "Inside");
  await has(page, "place 9", 5);
  expect(await here()).toContain("Place");
  await ann.bet("pass");
  await has(page, "pass", 5);
  await ann.button("Roll");
  await page.getByRole("region", { name: "Last roll" }).waitFor();
  const { recent } = await house.view(table);
  const call = await page.getByRole("region", { name: "Last roll" }).locator("strong").innerText();
  expect(recent).toHaveLength(1);
  await spoken(page, call);
  expect(await here()).toBe(ann.pointed ? "Roll" : "pass");
});

point("9 play at once", "touch at 390", async (way) => {
  // Where no table is open, one is opened.
  for (const { id, status } of await house.request<TableLine[]>("/api/tables"))
    if (status === "running") await house.ask(id, { command: "pause" });
  const ann = await arrive(way, "/", null, { guide: true });
  const { page } = ann;
  await ann.button("Play now");
  await chips(page).waitFor();
  expect(await rack(page)).toBe("$500");
  const id = /\/table\/(\w+)/.exec(page.url())![1]!;
  const guide = page.getByRole("region", { name: "Your first hand" });
  await guide.getByText("step 1 of 3").waitFor();
  await ann.bet("pass");
  await has(page, "pass", 5);
  await guide.getByText("step 2 of 3").waitFor();
  for (let rolls = 0; rolls < 60; rolls++) {
    const { hand, seats } = await house.view(id);
    if (hand.puck !== null) break;
    if (!seats[0]?.bets.length) await ann.bet("pass");
    await says(page, "pass", "you have");
    await ann.button("Roll");
    await expect.poll(async () => (await house.view(id)).hand.rolls).toBe(hand.rolls + 1);
  }
  await guide.getByText(/^Your first hand, step 3 of 3The point is/).waitFor();
  await ann.bet("odds pass");
  await says(page, "odds pass", "you have");
  await ann.press(guide.getByRole("button", { name: "Got it" }));
  await guide.waitFor({ state: "detached" });
  // Another name, in the middle of the game.
  await ann.button(/^Your rack/);
  await ann.write(page.getByLabel("Your name"), "Gustav");
  await ann.button("Change it");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("aside li", { hasText: "Gustav" }).waitFor();
});

point("10 the lobby", "mouse at 1280", async (way) => {
  const table = await house.table({ name: `Living ${way}` });
  await house.ask(table, { command: "sit", seat: 0, name: "Bob" });
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 });
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 1_000 });
  for (let more = 0; more < 8; more++) await house.table({ name: `Quiet ${more}` });
  const ann = await arrive(way, "/", await house.guest("Ann"));
  const { page } = ann;
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: `Living ${way}`, exact: true }) });
  await card.getByText("Bob shoots, come-out").waitFor();
  await card.getByRole("list", { name: "Jackpots" }).getByText("Fired Up").waitFor();
  await house.roll(table, "4-5");
  await card.getByText("Bob shoots, point 9, 1 roll this hand").waitFor();
  await card.locator("svg").first().waitFor();
  // Spectators are welcome, and counted.
  const eve = await house.visit(`/table/${table}`);
  await card.getByText(/^1 player, \d+ free seats, 1 watches$/).waitFor();
  await eve.close();
  await card.getByText(/^1 player, \d+ free seats$/).waitFor();
  const find = () => ann.write(page.getByRole("searchbox", { name: "Find a table" }), way);
  await find();
  await page.getByText(/^1 of \d+ tables$/).waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ann.press(card.getByRole("button", { name: "Copy link" }));
  await card.getByRole("button", { name: "Link copied" }).waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await copied()).toBe(`${house.address}/table/${table}`);
  await ann.press(page.getByLabel("Free seat"));
  await ann.option(page.getByLabel("Chips", { exact: true }), "House chips");
  await page.getByText("No table is like that.").waitFor();
  await ann.button("Show all");
  await page.getByText(/^\d+ tables$/).waitFor();
  await find();
  await ann.press(card.getByRole("link", { name: "Watch" }));
  await page.getByText("You need no seat for that.").waitFor();
});

point("11 my play", "keys at 390", async (way) => {
  const { ann, page, table } = await seated(way);
  await ann.bet("pass", 2);
  await has(page, "pass", 10);
  await house.roll(table, "4-4");
  await ann.bet("place 6");
  await has(page, "place 6", 6);
  await house.roll(table, "2-4");
  await house.roll(table, "5-2");
  await hasNothing(page, "place 6");
  if (ann.narrow) await ann.button(/^You, /);
  await ann.link("My play");
  await page.getByRole("img", { name: "−\u2060$9 after 1 session." }).waitFor();
  await page.getByRole("img", { name: "How often each number came in 3 rolls" }).waitFor();
  await ann.press(page.getByText("As a table").last());
  const came = page.getByRole("row", { name: /^6 1 / });
  await came.waitFor();
  await ann.press(page.getByRole("link", { name: "Replay this hand of 3 rolls" }));
  await page.waitForURL(/\/history\/.*hand=1/);
  const slider = page.getByRole("slider", { name: "Record of the hand" });
  const at = () => slider.getAttribute("aria-valuetext");
  await slider.waitFor();
  const first = await at();
  await ann.button("Next roll");
  await expect.poll(at).not.toBe(first);
});

point("12 cheers", "touch at 1280", async (way) => {
  const { ann, page, table } = await seated(way);
  const bob = await arrive(way, `/table/${table}`, await house.guest("Bob"));
  for (const each of [ann, bob]) await each.press(each.page.getByText("Call across the table"));
  await bob.page.getByText("Those who sit at the table can call").waitFor();
  await ann.button("Nice roll!");
  await bob.page.locator("li .call", { hasText: "Nice roll!" }).waitFor();
  await notice(bob.page, "Ann: Nice roll!");
  await bob.button("Mute the others");
  await bob.page.getByRole("button", { name: "Mute the others", pressed: true }).waitFor();
  await bob.page.locator("li .call").waitFor({ state: "detached" });
  await ann.button("Ouch!");
  await page.locator("li .call", { hasText: "Ouch!" }).waitFor();
  expect(await bob.page.locator("li .call").count()).toBe(0);
});

point("13 seats, watching, rooms, signs and ways back", "mouse at 2560", async (way) => {
  const table = await house.table({
    name: `Plain ${way}`,
    rules: ["presque-isle"],
    options: {},
    seats: 8,
  });
  await house.ask(table, { command: "sit", seat: 0, name: "Bob" });
  // A seat of one's choice, and another.
  const ann = await arrive(way, "/", await house.guest("Ann"), { colorScheme: "light" });
  const { page } = ann;
  const door = page.getByRole("link", { name: `Play at Plain ${way}`, exact: true });
  await door.waitFor();
  // Among many tables one is looked for, and not gone through.
  const find = page.getByRole("searchbox", { name: "Find a table" });
  if ((await find.count()) > 0) await ann.write(find, `Plain ${way}`);
  await ann.press(door);
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("radio", { name: "Seat 1: Bob" }).isDisabled()).toBe(true);
  await ann.radio(dialog.getByRole("radio", { name: "Seat 6" }));
  await ann.press(dialog.getByRole("button", { name: "Sit down" }));
  await dialog.waitFor({ state: "detached" });
  await ann.button(/^Your rack/);
  await ann.button("Take another seat");
  await dialog.waitFor({ state: "detached" });
  await page.locator('[aria-pressed="true"]', { hasText: "Seat 2" }).waitFor();
  await ann.button("Seat 6");
  await ann.bet("pass");
  await has(page, "pass", 5);
  const { seats } = await house.view(table);
  expect(seats.map(({ seat, bets }) => [seat, bets.length])).toEqual([
    [0, 0],
    [1, 0],
    [5, 1],
  ]);
  // The sign of a table without meters.
  await house.roll(table, "4-5");
  await ann.link("Sign");
  const sign = page.getByRole("region", { name: "The point" });
  await sign.getByText("9").waitFor();
  // A way back, and the room turned.
  const nowhere = await (await house.context(null, windowOf(way))).newPage();
  const lost = player(way, nowhere);
  await nowhere.goto(`${house.address}/no/such/page`);
  await nowhere.getByRole("heading", { name: /There is no such/ }).waitFor();
  await lost.press(nowhere.getByRole("link", { name: "To the tables", exact: true }));
  await nowhere.getByRole("button", { name: "Play now" }).waitFor();
  await lost.button(/^(Dark|Light) room$/);
  const colour = () => nowhere.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const turned = await colour();
  await lost.button(/^(Dark|Light) room$/);
  await expect.poll(colour).not.toBe(turned);
});
