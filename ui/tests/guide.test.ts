// The made-up bet of docs/side-bet.md, from its file to the felt: a house reads it, somebody bets
// on it and wins, and the atlas has it beside everybody else's.

import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, bet, rack, says, sit } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open(["--rulebook", resolve("../docs/three-amigos.toml")]);
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** The totals that carry a lammer on its board. */
async function marks(table: string): Promise<number[]> {
  interface Shown {
    hand: { trackers: { wager: string; marks: number[] }[] };
  }
  const { hand } = await house.request<Shown>(`/api/tables/${table}`);
  return hand.trackers.find(({ wager }) => wager === "amigos")?.marks ?? [];
}

test("the Three Amigos ride in on the felt and are paid", async () => {
  const rules = ["presque-isle", "three-amigos"];
  const table = await house.table({ name: "Amigos", rules, options: {} });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"));
  await sit(page, null);
  await bet(page, "pass");
  await bet(page, "amigos", 2);
  await says(page, "amigos", "you have \\$10");
  for (const [dice, total] of [
    ["1-1", 2],
    ["1-2", 3],
  ] as const) {
    await house.roll(table, dice);
    await page
      .getByRole("list", { name: "Recent rolls, newest first" })
      .locator(`li:first-child[title="${dice}"]`)
      .waitFor();
    // Craps takes the line bet; the amigo stays.
    expect(await marks(table), "lammers").toContain(total);
    await says(page, "amigos", "you have \\$10");
    await bet(page, "pass");
    await says(page, "pass", "you have \\$5");
  }
  expect(await rack(page)).toBe("$475");
  await house.roll(table, "6-6");
  // The third: $250, and the bet comes back; the third line bet is gone.
  await page.getByText("$735").first().waitFor();
  expect(await rack(page)).toBe("$735");
});

test("the atlas has it, to find and to put in order", async () => {
  const page = await house.visit("/edges?view=atlas");
  await page.getByRole("searchbox", { name: "Find a wager" }).fill("amigos");
  await page.getByText("2 of").waitFor();
  const first = page.locator("tbody tr").first();
  await first.getByText("4/35").waitFor();
  await page.getByRole("button", { name: "Edge %" }).click();
  await first.getByText("47/420").waitFor();
  expect(new URL(page.url()).pathname).toBe("/edges");
});
