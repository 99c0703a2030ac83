// Two players and a dealer play a whole hand, each in a browser of their own, with a supervisor
// beside them and the sign on the wall.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { MeterView, Verdict } from "../../crates/boxman-server/api/wire.ts";
import { House, bet, choose, rack, says } from "./house.ts";
import { Desk } from "./desk.ts";

let house: House;
let table: string;
let ann: Page;
let bob: Page;
let dealer: Page;
let supervisor: Page;
let sign: Page;

beforeAll(async () => {
  house = await House.open();
  table = await house.table({ name: "Main floor", practice: false });
  // At a real table the crew books the chips.
  const players = [await house.hire("ann", "player"), await house.hire("bob", "player")];
  for (const [seat, who] of players.entries()) {
    await house.ask(table, { command: "sit", seat }, who);
    await house.ask(table, { command: "buy-in", seat, amount: [100_000, 50_000][seat]! });
  }
  ann = await house.visit(`/table/${table}`, players[0]);
  bob = await house.visit(`/table/${table}`, players[1]);
  dealer = await house.visit(`/deal/${table}`, await house.hire("dee", "dealer"));
  supervisor = await house.visit(`/deal/${table}`, await house.hire("sam", "supervisor"));
  sign = await house.visit(`/sign/${table}`);
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** The dealer closes betting, keys the dice and confirms; everybody sees them. Then the roll is
 * paid and betting opens, unless it is not to. */
async function roll(first: number, second: number, pays = true): Promise<void> {
  const { hand } = await house.view(table);
  if (hand.betting)
    await dealer
      .getByRole("button", { name: /^Close betting/ })
      .first()
      .click();
  await dealer.getByRole("button", { name: `First die shows ${first}` }).click();
  await dealer.getByRole("button", { name: `Second die shows ${second}` }).click();
  await dealer.getByRole("button", { name: /^Confirm/ }).click();
  for (const player of [ann, bob])
    await player
      .getByRole("list", { name: "Recent rolls, newest first" })
      .locator(`li:first-child[title="${first}-${second}"]`)
      .waitFor();
  if (pays) await paid();
}

/** The dealer has paid the last roll, and everybody sees that betting is open. */
async function paid(): Promise<void> {
  await new Desk(dealer, "dee").paid();
  await expect.poll(async () => (await house.view(table)).hand.phase).toBe("open");
  const { hand } = await house.view(table);
  expect(hand.phase).toBe("open");
  if (!hand.betting) return;
  for (const player of [ann, bob])
    await player
      .getByText(/^(Paying|No more bets)$/)
      .first()
      .waitFor({ state: "detached" });
}

/** The chips that an item of the work list moves, as the dealer reads them. */
const chips = async (kind: string, seat: number): Promise<string[]> =>
  dealer
    .locator(`li[data-kind="${kind}"][data-seat="${seat}"]`)
    .evaluateAll((items) => items.map((item) => item.getAttribute("data-chips") ?? ""));

const meter = async (): Promise<MeterView> =>
  (await house.view(table)).meters.find(({ paytable }) => paytable === "PT-BJS-MEA-03")!;

test("a fill that takes two people is only asked for until a second one agrees", async () => {
  await dealer.locator("#tray-amount").fill("50,000");
  await dealer.getByRole("button", { name: "Fill", exact: true }).click();
  await dealer.getByText("Asked for a fill of $50,000. A second person has to agree.").waitFor();
  // The chips of both buy-ins were sold out of an empty tray.
  expect(await dealer.locator("[data-tray]").getAttribute("data-tray")).toBe("-150000");
  await supervisor.getByRole("button", { name: /^Approve|^Agree/ }).click();
  await dealer.locator('[data-tray="4850000"]').waitFor();
});

test("they bet on the line and on the side", async () => {
  await bet(ann, "pass", 2);
  await bet(ann, "all-small");
  await ann.getByRole("radio", { name: "$1 chip" }).click();
  await bet(ann, "make-em-all-progressive");
  await bet(bob, "pass");
  await bet(bob, "make-em-all-progressive");
  await says(bob, "pass", "you have \\$5, 1 other bet");
  await says(ann, "make-em-all-progressive", "you have \\$1, 1 other bet");
  expect(await rack(ann)).toBe("$984");
});

test("the point is 4, and a come bet travels to the six", async () => {
  await roll(1, 3);
  await ann.getByText("ON · point 4").waitFor();
  await ann.getByRole("radio", { name: "$5 chip" }).click();
  await bet(ann, "come", 2);
  await says(ann, "come", "you have \\$10");
  await bet(bob, "place 8");
  await says(bob, "place 8", "you have \\$6");
  await choose(bob, "Press", "In full");
  await says(bob, "place 8", "you have \\$12");
  await roll(2, 4, false);
  await says(ann, "come 6", "you have \\$10");
  await ann.getByText("went to 6").waitFor();
  await dealer.getByRole("region", { name: "Take and pay" }).getByText("move to Come 6").waitFor();
  await paid();
});

test("a reload in mid-hand changes nothing", async () => {
  const before = await rack(ann);
  await ann.reload();
  await says(ann, "come 6", "you have \\$10");
  await says(ann, "all-small", "you have \\$5");
  expect(await rack(ann)).toBe(before);
});

test("nor does a server that falls over in mid-hand", async () => {
  await roll(1, 1);
  await house.stop("SIGKILL");
  for (const page of [ann, bob]) await page.getByText("Reconnecting…").waitFor();
  await house.start();
  for (const page of [ann, bob])
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
  await says(ann, "come 6", "you have \\$10");
  await roll(1, 2);
});

test("All Small is made, and the dealers get their envy", async () => {
  const before = (await house.view(table)).seats[0]!.rack;
  await roll(2, 3, false);
  await ann.getByText("won $150", { exact: true }).waitFor();
  await dealer
    .getByText(/pay the dealers \$/)
    .first()
    .waitFor();
  await paid();
  expect((await house.view(table)).seats[0]!.rack - before).toBe(15_500);
  await says(ann, "all-small", /^((?!you have).)*$/);
});

test("the pressed place bet is paid and stays up", async () => {
  const before = (await house.view(table)).seats[1]!.rack;
  await roll(4, 4, false);
  expect(await chips("pay", 1)).toEqual(["tray>rack:1400"]);
  // A tick is seen on the other console.
  await dealer.locator('li[data-kind="pay"][data-seat="1"] input').check();
  await supervisor.locator('li[data-kind="pay"][data-seat="1"].ticked').waitFor();
  await paid();
  await bob.getByText("won $14, stays up").waitFor();
  expect((await house.view(table)).seats[1]!.rack - before).toBe(1_400);
  await says(bob, "place 8", "you have \\$12");
});

test("a roll that was keyed wrong is void once two people say so", async () => {
  const before = (await house.view(table)).seats;
  await roll(6, 1, false);
  await says(ann, "pass", /^((?!you have).)*$/);
  await dealer.getByText("Void or correct the last roll").click();
  await dealer.getByRole("radio", { name: /Void/ }).check();
  await dealer.locator("#fix-reason").fill("the dice were 4-5");
  await dealer
    .locator("form", { has: dealer.locator("#fix-reason") })
    .getByRole("button")
    .last()
    .click();
  // Whoever asked cannot agree.
  await dealer.getByRole("heading", { name: "A second person, please" }).waitFor();
  expect(await dealer.getByRole("button", { name: /^Approve|^Agree/ }).count()).toBe(0);
  await supervisor.getByRole("button", { name: /^Approve|^Agree/ }).click();
  await says(ann, "pass", "you have \\$10");
  await says(ann, "come 6", "you have \\$10");
  await ann.getByText("every chip is back where it was").first().waitFor({ state: "attached" });
  expect((await house.view(table)).seats).toEqual(before);
  // No chip had been ticked off, so none has to be put back.
  expect((await house.view(table)).hand.last_roll).toBeNull();
});

test("every number once: the progressive is hit, confirmed and shared, and the sign tells", async () => {
  const { hand } = await house.view(table);
  if (hand.status === "paused") await supervisor.getByRole("button", { name: /^Resume/ }).click();
  await paid();
  for (const [first, second] of [
    [4, 5],
    [4, 6],
    [5, 6],
  ])
    await roll(first!, second!);
  const payable = (await meter()).amount;
  const before = (await house.view(table)).seats.map((seat) => seat.rack);
  await roll(6, 6);
  await ann.getByText(/^Jackpot, your share \$[\d,.]+, being confirmed$/).waitFor();
  // Nobody has won anything yet.
  await sign.getByText(/^Jackpot claimed, being verified: \$/).waitFor();
  expect(await sign.getByText("Jackpot!", { exact: true }).count()).toBe(0);
  await supervisor.getByRole("heading", { name: /^Jackpot:/ }).waitFor();
  for (const box of await supervisor.locator(".claim input[type=checkbox]").all())
    await box.check();
  // Here the tray pays it: its chips are followed.
  await supervisor.locator(".claim").getByLabel("Paid by").selectOption("tray");
  await supervisor.locator(".claim").getByRole("button").first().click();
  await ann
    .getByText(/Jackpot: you win/)
    .first()
    .waitFor({ state: "attached" });
  await sign.getByText("Jackpot!", { exact: true }).waitFor();
  await ann.getByText(/^Jackpot, your share \$[\d,.]+, paid$/).waitFor();
  // What is to be paid now stays on the list until it is done.
  await dealer.locator('li[data-kind="confirmed"]').first().waitFor();
  expect(await chips("confirmed", 0)).toHaveLength(1);
  await dealer.getByRole("button", { name: "Done" }).click();
  await dealer.locator('li[data-kind="confirmed"]').first().waitFor({ state: "detached" });
  const after = (await house.view(table)).seats.map((seat) => seat.rack);
  const half = Math.floor(payable / 2);
  expect(after.map((rack, seat) => rack - before[seat]!)).toEqual([half, half]);
  expect((await meter()).amount).toBe(1_000_000 + (payable - 2 * half));
  // The sign tells it later too, and when it is started again.
  const last = sign.getByText(/^Last jackpot \$\d/);
  await last.waitFor();
  const told = await last.innerText();
  await sign.reload();
  await last.waitFor();
  expect(await last.innerText()).toBe(told);
});

test("the hand ends on a seven, and the log can be derived again", async () => {
  await roll(3, 4);
  await ann.getByText("OFF · come-out").waitFor();
  expect((await house.view(table)).seats.flatMap((seat) => seat.bets)).toEqual([]);
  const verdict = await house.request<Verdict>(`/api/tables/${table}/verify`);
  expect(verdict.problems).toEqual([]);
  expect(verdict).toMatchObject({ ok: true, jackpots: 1, voided: 1 });
});
