// Twenty hands are played, with all that comes and goes: nothing that is looked at or clicked moves.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, sit, type Visit } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** What must stay where it is. */
const PARTS = {
  strip: "[aria-label='The hand']",
  felt: "#felt",
  line: "[aria-label='About the bet']",
  rack: ".rack",
  money: ".money",
  chips: ".chips",
  acts: ".acts",
  dice: ".dealer, .roll",
};

/** A point made, a seven out at once, a natural; and a hand with every number in it. */
const HANDS = [
  ["4-4", "4-5", "4-4", "5-6", "3-3", "3-4"],
  ["5-5", "3-4"],
  ["6-1", "2-2", "5-2"],
  ["1-1", "4-5", "3-4"],
];
const EVERY = ["2-2", "1-1", "1-2", "2-3", "4-2", "4-4", "4-5", "4-6", "5-6", "6-6", "3-4"];
const PLAYED = Array.from({ length: 20 }, (_, at) =>
  at === 9 ? EVERY : HANDS[at % HANDS.length]!,
);

/** Where the parts are. */
const places = (page: Page) =>
  page.evaluate(
    (parts) =>
      Object.entries(parts).map(([name, selector]) => {
        const { x, y, width, height } = document.querySelector(selector)!.getBoundingClientRect();
        return `${name} at ${x}, ${y}: ${width} by ${height}`;
      }),
    PARTS,
  );

/** The browser's own score of what moves from now on, and what it was that moved. */
interface Shifted {
  score: number;
  what: string[];
}

const watch = (page: Page) =>
  page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null }[];
    }
    const shifted: Shifted = { score: 0, what: [] };
    Object.assign(window, { shifted });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        shifted.score += value;
        const moved = sources.map(({ node }) => node?.textContent?.trim().slice(0, 30));
        shifted.what.push(`${value.toFixed(5)}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift" });
  });

const shifted = (page: Page) =>
  page.evaluate(() => (window as unknown as { shifted: Shifted }).shifted);

/** The point after a roll. */
function next(point: number | null, dice: string): number | null {
  const total = Number(dice[0]) + Number(dice[2]);
  if (point === null) return [4, 5, 6, 8, 9, 10].includes(total) ? total : null;
  return total === point || total === 7 ? null : point;
}

test.each<[string, Visit]>([
  ["a desk", { width: 1280, height: 720 }],
  ["a phone", { width: 390, height: 844, hasTouch: true, isMobile: true }],
])("at %s", async (name, window) => {
  const table = await house.table({ name });
  const ann = await house.guest("Ann");
  const put = (wager: string, dollars: number) =>
    house.ask(table, { command: "put", seat: 0, wager, amount: dollars * 100 }, ann);
  const page = await house.visit(`/table/${table}`, ann, window);
  await page.evaluate(() => localStorage.setItem("boxman.stayUp", "true"));
  await page.reload();
  await sit(page, null, 5_000);
  await page.evaluate(() => document.fonts.ready);
  await watch(page);
  const before = await places(page);
  let point: number | null = null;
  let rolls = 0;
  for (const [at, hand] of PLAYED.entries()) {
    await put("make-em-all-progressive", 1);
    // A notice of why not.
    if (at % 5 === 0) await bet(page, "come");
    for (const dice of hand) {
      if (point === null) await put("pass", 10);
      else if (at % 2 === 0) await Promise.all([put("come", 10), put("place 6", 12)]);
      if (at % 4 === 0) await put("field", 5);
      await house.roll(table, dice);
      point = next(point, dice);
      await page.getByText(`Roll ${++rolls},`).first().waitFor({ state: "attached" });
      expect(await places(page), `${dice} in hand ${at + 1}`).toEqual(before);
    }
  }
  const { score, what } = await shifted(page);
  expect(score, what.join("\n")).toBeLessThan(0.01);
});
