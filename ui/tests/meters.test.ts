// The meters of the house and the slip of a jackpot, on a phone and at a desk: two people adjust a
// meter and move its money, and a jackpot that the cage pays has a slip with both figures.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MeterView } from "../../crates/boxman-server/api/wire.ts";
import { Chance } from "./chance.ts";
import { Desk } from "./desk.ts";
import { House, type Person } from "./house.ts";
import { PitTable } from "./pitTable.ts";

const PAYTABLE = "PT-BJS-MEA-03";
const WIDTHS = [
  [390, 844],
  [1280, 800],
] as const;

let house: House;
let sue: Person;
let dan: Person;
let table: string;
/** The meter of that table, and of another one. */
let meter: string;
let other: string;
beforeAll(async () => {
  house = await House.open();
  sue = await house.hire("sue", "supervisor");
  dan = await house.hire("dan", "supervisor");
  const open = async (name: string) =>
    house.table({ name, practice: false, confirm_over: 10_000, two_people_over: 10_000_000 });
  table = await open("Pit 6");
  const there = await open("Pit 7");
  const all = await house.request<MeterView[]>("/api/meters");
  const own = (id: string) =>
    all.find((one) => one.paytable === PAYTABLE && one.meter.includes(id))!.meter;
  [meter, other] = [own(table), own(there)];
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

const look = async (id: string) =>
  (await house.request<MeterView[]>("/api/meters")).find((one) => one.meter === id)!;
const card = (page: Page, id: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: id, exact: true }) });

/** What is seen of a page at this width has no fault of accessibility, and fits. */
async function isSound(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`),
  ).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide, "scrolls sideways by so many pixels").toBeLessThanOrEqual(0);
}

const visit = (path: string, who: Person, width: number, height: number) =>
  house.visit(path, who, { width, height, ...(width < 500 ? { hasTouch: true } : {}) });

/** Another supervisor reads the request on a page of their own, and agrees. */
async function agrees(reason: string, row: RegExp, width: number, height: number) {
  const page = await visit("/meters", dan, width, height);
  const request = card(page, meter).getByRole("region", { name: /^Request/ });
  await request.getByText(reason).waitFor();
  await request.getByRole("row", { name: row }).first().waitFor();
  await request.getByRole("button", { name: "Approve" }).click();
  await request.waitFor({ state: "detached" });
  await page.context().close();
}

test.each(WIDTHS)("two people adjust a meter and move its money, at %i", async (width, height) => {
  const [before, there] = [await look(meter), await look(other)];
  const page = await visit("/meters", sue, width, height);
  const own = card(page, meter);
  await own.getByRole("button", { name: "Adjust" }).click();
  await own.getByLabel("Amount, in dollars").fill("12,50");
  await own.getByLabel("Reason").fill("the sign was off");
  await own.getByRole("button", { name: "Ask to adjust it" }).click();
  await own.getByText(/“12,50” is not an amount in dollars/).waitFor();
  await own.getByLabel("Amount, in dollars").fill("1,250.50");
  // What was typed stays while the form is closed.
  for (let time = 0; time < 2; time++)
    await own.getByRole("button", { name: "Adjust", exact: true }).click();
  await own.getByRole("button", { name: "Ask to adjust it" }).click();
  await own.getByText("Asked for. A second person has to agree.").waitFor();
  await own.getByText("You asked for this, so another person has to agree.").waitFor();
  await isSound(page);
  await agrees("the sign was off", /^shown \$/, width, height);
  expect((await look(meter)).amount).toBe(before.amount + 125_050);

  await own.getByRole("button", { name: "Move money" }).click();
  await own.getByLabel("Amount, in dollars (leave empty for all)").fill("1,000");
  await own.getByLabel("The players' money goes").selectOption(other);
  await own.getByLabel("Reason").fill("Pit 6 is quiet");
  await own.getByRole("button", { name: "Ask to move the money" }).click();
  await own.getByText("Asked for. A second person has to agree.").waitFor();
  await agrees("Pit 6 is quiet", /^sent to meter .* \$1,000$/, width, height);
  // The money is on its way to the other meter, and then it is there.
  await expect.poll(async () => (await look(other)).amount).toBe(there.amount + 100_000);
  expect((await look(meter)).amount).toBe(before.amount + 25_050);
  await own.getByText("Asked for. A second person has to agree.").waitFor({ state: "detached" });
  await page.context().close();
});

/** Ann, Bob and Cy hit the meter; the boss keys the dice. */
async function jackpot(): Promise<void> {
  const ask = async (command: Parameters<House["ask"]>[1]) =>
    house.ask(table, command, house.boss, (await house.view(table)).hand.round);
  await ask({ command: "fill", amount: 2_000_000 });
  for (const [seat, name] of ["Ann", "Bob", "Cy"].entries()) {
    await ask({ command: "sit", seat, name });
    await ask({ command: "buy-in", seat, amount: 50_000 });
    await ask({ command: "put", seat, wager: "pass", amount: 1_000 });
    await ask({ command: "put", seat, wager: "make-em-all-progressive", amount: 100 });
  }
  for (const dice of ["1-3", "1-4", "2-4", "2-6", "4-5", "4-6", "1-1", "1-2", "5-6", "6-6"]) {
    if ((await house.view(table)).hand.phase === "paying") await house.paid(table);
    await house.roll(table, dice);
  }
}

test("a jackpot is confirmed, and its slip shows both figures", async () => {
  await jackpot();
  const console = await house.visit(`/deal/${table}`, sue);
  const claim = new Desk(console, "the supervisor");
  const [heading] = (await claim.sees("the claim", ({ claims }) => claims.length > 0)).claims;
  const pit = new PitTable(house, table, [claim, claim], house.boss, new Chance(1));
  expect(await pit.confirms(console, heading!)).toBe(true);
  const link = console.getByRole("link", { name: "Slip" });
  const [opened] = await Promise.all([console.context().waitForEvent("page"), link.click()]);
  await opened.getByRole("heading", { name: /^Jackpot/ }).waitFor();
  const path = new URL(opened.url()).pathname;
  expect(path).toMatch(new RegExp(`^/slip/${table}/\\d+$`));

  for (const [width, height] of WIDTHS) {
    const page = await visit(path, sue, width, height);
    const figure = async (name: string) => {
      const text = await page
        .locator("dt", { hasText: new RegExp(`^${name}$`) })
        .locator("+ dd")
        .innerText();
      return Math.round(Number(text.replace(/[$,]/g, "")) * 100);
    };
    await page.getByRole("heading", { name: /^Jackpot/ }).waitFor();
    const [shown, paid] = [await figure("Shown on the meter"), await figure("Paid")];
    // Three share it: what does not part into cents for each stays in the meter.
    expect(paid % 3).toBe(0);
    expect(shown - paid).toBe(await figure("Left in the meter"));
    expect(shown).toBeGreaterThan(1_000_000);
    for (const words of ["Ann, seat 1", "Bob, seat 2", "Cy, seat 3", "the cage", "S-31"])
      await page.getByText(words).first().waitFor();
    await isSound(page);
    await page.context().close();
  }
});
