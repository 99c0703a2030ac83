// Wagers that a layout has no box for: one of each panel is bet by mouse, by finger and by keyboard,
// and all of them are large enough to be hit, at every width.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, says, sit, spot } from "./house.ts";
import { player, windowOf, type Way } from "./ways.ts";

const PICTURES = process.env.BOXMAN_PICTURES ?? resolve("../target/pages");
const RULES = ["odds-and-ends", "many-sides"];

let house: House;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const files = RULES.map((name) => resolve(`tests/rulebooks/${name}.toml`));
  house = await House.open(files.flatMap((file) => ["--rulebook", file]));
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const opened = (name: string) => house.table({ name, rules: RULES, options: {} });

/** One spot of each panel, and of each kind of board. */
const SPOTS = ["world", "hop-2-4", "hop-the-sevens", "big 8", "high-line"];
const BOARDS = ["four-corners", "hot-ten", "long-ladder", "three-amigos"];

test.each<Way>(["mouse at 1280", "keys at 1280", "touch at 390", "keys at 390", "mouse at 2560"])(
  "a bet of each kind, %s",
  async (way) => {
    const table = await opened(`Panels, ${way}`);
    const page = await house.visit(`/table/${table}`, await house.guest("Ann"), windowOf(way));
    await sit(page, null);
    const hand = player(way, page);
    await hand.bet("pass");
    for (const name of [...SPOTS, ...BOARDS]) {
      await hand.bet(name);
      await says(page, name, "you have \\$5");
    }
    await page.screenshot({ path: join(PICTURES, `panels-${way.replaceAll(" ", "-")}.png`) });

    // The hop wins 15 to 1, the line goes on, and a lammer lies on the six.
    await house.roll(table, "2-4");
    await page.getByText("won $75", { exact: true }).first().waitFor();
    await says(page, "hop-2-4", /^((?!you have).)*$/);
    await says(page, "big 8", "you have \\$5");
    const { bets } = (await house.view(table)).seats[0]!;
    const still = ["big 8", "high-line", ...BOARDS.filter((name) => name !== "three-amigos")];
    for (const name of still) expect(bets.map(({ wager }) => wager)).toContain(name);
    await hand.take("big 8");
    await says(page, "big 8", /^((?!you have).)*$/);
    await page.context().close();
  },
);

test.each([
  [390, 844],
  [1280, 720],
  [2560, 1440],
])("every spot of a panel is a target of 44 pixels, at %i", async (width, height) => {
  const table = await opened(`Sizes at ${width}`);
  const phone = width < 500 ? { hasTouch: true, isMobile: true } : {};
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), {
    width,
    height,
    reducedMotion: "reduce",
    colorScheme: width === 1280 ? "dark" : "light",
    ...phone,
  });
  await sit(page, null);
  await spot(page, "hop-1-1").waitFor();
  const found = await page.evaluate(() => {
    const svg = document.querySelector<SVGSVGElement>("#felt svg")!;
    const scale = svg.getScreenCTM()!.a;
    const spots = [...svg.querySelectorAll("g[data-spot]")].map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return { spot: one.getAttribute("data-spot")!, least: Math.min(width, height) };
    });
    const letters = [...svg.querySelectorAll<SVGTextElement>(".panels text, .board text")].map(
      (text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize) * scale] as const,
    );
    /** Print that goes beyond the felt, or beyond the cell it stands in. */
    const cells = [...svg.querySelectorAll(".panels .cell")].map((one) =>
      one.getBoundingClientRect(),
    );
    const cut = [...svg.querySelectorAll(".panels .name, .panels .pays")].filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const cell = cells.find((c) => x > c.left && x < c.right && y > c.top && y < c.bottom);
      return !cell || left < cell.left || right > cell.right;
    });
    return { spots, letters, cut: cut.map((text) => text.textContent) };
  });
  const small = found.spots.filter(
    ({ spot, least }) => /^(hop|world|c-and|hi-lo|three|big|against|high)/.test(spot) && least < 44,
  );
  expect(small).toEqual([]);
  expect(found.cut).toEqual([]);
  if (width > 500) expect(found.letters.filter(([, size]) => size < 10.5)).toEqual([]);
  await page.screenshot({ path: join(PICTURES, `panels-${width}.png`), fullPage: true });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`),
  ).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide, "scrolls sideways by so many pixels").toBeLessThanOrEqual(0);
  await page.context().close();
});

test("what has the keyboard is not under the chips", async () => {
  const table = await opened("Reach");
  const page = await house.visit(`/table/${table}`, await house.guest("Kay"), {
    width: 1280,
    height: 720,
  });
  await sit(page, null);
  const keys = player("keys at 1280", page);
  await keys.look("high-line");
  const covered = await spot(page, "high-line").evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(covered).toBe(false);
});

test("a phone on its side scrolls a long felt, and has every button in sight", async () => {
  const table = await opened("Side");
  const window = { width: 844, height: 390, hasTouch: true, isMobile: true };
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"), window);
  await sit(page, null);
  const hand = player("touch at 390", page);
  await hand.bet("hop-6-6");
  await says(page, "hop-6-6", "you have \\$5");
  const out = await page.locator(".controls button").evaluateAll(
    (all) =>
      all.filter((one) => {
        const { x, y, right, bottom } = one.getBoundingClientRect();
        return x < 0 || y < 0 || right > innerWidth || bottom > innerHeight;
      }).length,
  );
  expect(out).toBe(0);
});

test("the sign shows boards that no meter has, the console what to do with them", async () => {
  const table = await opened("Boards");
  await house.ask(table, { command: "sit", seat: 0, name: "Bob" });
  await house.ask(table, { command: "buy-in", seat: 0, amount: 50_000 });
  for (const wager of ["pass", ...BOARDS])
    await house.ask(table, { command: "put", seat: 0, wager, amount: 500 });
  await house.roll(table, "2-2");
  const sign = await house.visit(`/sign/${table}`);
  for (const title of ["Four Corners", "Hot Ten", "Long Ladder", "Three Amigos"])
    await sign.getByText(title).first().waitFor();
  await sign.getByRole("img", { name: "Long Ladder: 4" }).waitFor();
  const console = await house.visit(`/deal/${table}`, house.boss);
  const marks = console.getByText("Long Ladder").first();
  await marks.waitFor();
  for (const page of [sign, console]) {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  }
});
