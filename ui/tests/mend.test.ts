// The form that mends an earlier roll: every roll once, and lines that are of this question and
// this log.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { History, MendLine } from "../../crates/boxman-server/api/wire.ts";
import { House, type Person } from "./house.ts";

let house: House;
let table: string;
let dan: Person;
let sue: Person;
/** The records of the rolls. */
let rolls: number[];
beforeAll(async () => {
  house = await House.open();
  dan = await house.hire("dan", "supervisor");
  sue = await house.hire("sue", "supervisor");
  table = await house.table({ name: "Pit 8", practice: false });
  const ask = async (command: Parameters<House["ask"]>[1]) =>
    house.ask(table, command, dan, (await house.view(table)).hand.round);
  await ask({ command: "fill", amount: 500_000 });
  await ask({ command: "sit", seat: 0, name: "Ann" });
  await ask({ command: "buy-in", seat: 0, amount: 50_000 });
  await ask({ command: "put", seat: 0, wager: "pass", amount: 1_000 });
  for (const dice of ["1-3", "2-6", "4-5"]) {
    await ask({ command: "put", seat: 0, wager: "field", amount: 500 });
    await house.roll(table, dice);
    await house.paid(table);
  }
  const { updates } = await house.request<History>(
    `/api/tables/${table}/history?after=1&limit=200`,
  );
  rolls = updates.flatMap(({ seq, events }) =>
    events.some(({ event }) => event === "rolled") ? [seq] : [],
  );
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

test("a roll that the address names is listed once, and its lines go with another mend", async () => {
  const [first, second] = rolls as [number, number, number];
  const page = await house.visit(`/deal/${table}?mend=${first}`, dan);
  const mend = page.locator("#mend");
  const options = mend.locator("#mend-roll option:not([disabled])");
  await expect.poll(() => options.count()).toBe(3);
  expect(await mend.locator("#mend-roll").inputValue()).toBe(String(first));
  await mend.getByRole("radio", { name: "The throw did not count" }).check();
  await mend.getByRole("button", { name: "Show what is due" }).click();
  const lines = mend.getByRole("heading", { name: "Roll 1, keyed 1-3" });
  await lines.waitFor();

  // Two others mend another roll meanwhile.
  const question = { of: second, kind: "no-roll" } as const;
  const due = await house.request<MendLine[]>(
    `/api/tables/${table}/mend/suggest`,
    question,
    house.boss,
  );
  const command = { command: "mend", ...question, lines: due, reason: "cocked" } as const;
  await house.ask(table, command, house.boss);
  const [request] = (await house.view(table)).hand.proposals;
  await house.ask(table, { command: "approve", proposal: request!.proposal }, sue);
  await lines.waitFor({ state: "detached" });
  await mend.getByText("What is due has changed. Show it again before you ask.").waitFor();
  await expect.poll(async () => (await options.allInnerTexts()).join()).toMatch(/mended/);
  expect(await options.count()).toBe(3);
  expect(await mend.locator("#mend-roll").inputValue()).toBe(String(first));
  await mend.getByRole("button", { name: "Show what is due" }).click();
  await lines.waitFor();
});
