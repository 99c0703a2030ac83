// Three players who click and press at random: whatever they do, each page shows the chips that
// the server knows of. BOXMAN_STEPS and BOXMAN_SEED make it longer, and repeat it.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SeatView, Verdict } from "../../crates/boxman-server/api/wire.ts";
import { dollars } from "../src/lib/money.ts";
import { House, sit } from "./house.ts";

const STEPS = Number(process.env.BOXMAN_STEPS ?? 120);
let seed = Number(process.env.BOXMAN_SEED ?? Date.now() % 1_000_000);

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** A number under `most`. */
function any(most: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  // The low bits of such a generator go round in small circles.
  return Math.floor(seed / 65_536) % most;
}

async function click(page: Page, button: "left" | "right"): Promise<void> {
  const spots = page.locator("g[data-spot]");
  const spot = spots.nth(any(await spots.count()));
  // A spot that has gone meanwhile is no fault.
  await spot.click({ button, force: true, timeout: 2_000 }).catch(() => undefined);
}

/** The shooter rolls, with a chip on the line. */
async function roll(table: string, pages: Page[]): Promise<void> {
  const { hand, seats } = await house.view(table);
  const shooter = pages[hand.shooter ?? 0]!;
  const bets = seats.find(({ seat }) => seat === (hand.shooter ?? 0))?.bets ?? [];
  if (hand.puck === null && !bets.some(({ wager }) => wager === "pass"))
    await shooter.locator('g[data-spot="pass"]').click({ force: true });
  await shooter.keyboard.press("r");
}

/** What a page shows of a seat, and what the server knows of it, each in one line. */
async function shown(page: Page): Promise<string> {
  const labels = await page.locator("g[data-spot]").evaluateAll((all) =>
    all.map((spot) => {
      const amount = /you have (\$[\d,]*\d(?:\.\d\d)?)/.exec(spot.getAttribute("aria-label") ?? "");
      return amount ? `${(spot as unknown as SVGElement).dataset.spot} ${amount[1]}` : "";
    }),
  );
  return [await page.locator(".money .amount").innerText(), ...labels.filter(Boolean).sort()].join(
    ", ",
  );
}
const known = ({ rack, bets }: SeatView) =>
  [dollars(rack), ...bets.map(({ wager, stake }) => `${wager} ${dollars(stake)}`).sort()].join(
    ", ",
  );

test(`three players at random, seed ${seed}`, { timeout: 60_000 + STEPS * 1_000 }, async () => {
  const table = await house.table({ name: "Random", dice: "house" });
  const pages: Page[] = [];
  for (const name of ["Ann", "Bob", "Cy"]) {
    const page = await house.visit(`/table/${table}`, await house.guest(name));
    await sit(page, null, 2_000);
    pages.push(page);
  }
  for (let step = 0; step < STEPS; step++) {
    const page = pages[any(3)]!;
    const act = any(20);
    if (act < 9) await click(page, "left");
    else if (act < 11) await click(page, "right");
    else if (act < 14) await page.keyboard.press("123ucbpiao"[any(10)]!);
    else await roll(table, pages);
    if (step % 4 !== 3) continue;
    for (const [seat, page] of pages.entries()) {
      const agrees = async () => {
        const { seats } = await house.view(table);
        return expect(await shown(page)).toBe(known(seats.find((other) => other.seat === seat)!));
      };
      await expect.poll(() => agrees().then(() => true, String), { timeout: 8_000 }).toBe(true);
    }
  }
  const verdict = await house.request<Verdict>(`/api/tables/${table}/verify`);
  expect(verdict.problems).toEqual([]);
  console.log(`${STEPS} steps, ${verdict.rolls} rolls, ${verdict.bets} bets, all pages agreed`);
});
