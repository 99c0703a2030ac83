// Whatever goes wrong, the page says what happened and the chips are right.

import { afterAll, beforeAll, expect, test } from "vitest";
import { House, PASSWORD, bet, rack, says, sit, spot } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

test("wrong amounts are refused with a word, and nothing moves", async () => {
  const table = await house.table({ name: "Amounts" });
  const page = await house.visit(`/table/${table}`, await house.guest("Ann"));
  await page.getByRole("button", { name: "Take a seat" }).first().click();
  for (const wrong of ["", "-5", "five", "1.234", "12,50", "99999999999"]) {
    await page.getByLabel("Buy in for, in dollars").fill(wrong);
    await page.getByRole("button", { name: "Sit down" }).click();
    if (wrong) await page.getByRole("dialog").getByRole("alert").waitFor();
  }
  await page.keyboard.press("Escape");
  await sit(page, null, 3);
  await page.getByRole("radio", { name: "$100 chip" }).click();
  await bet(page, "field");
  await page.getByRole("alert").filter({ hasText: "You have $3 in your rack." }).waitFor();
  expect((await house.view(table)).seats[0]).toMatchObject({ rack: 300, bets: [] });
});

test("a stale click: the table has moved on, the refusal says so and the chips are right", async () => {
  const table = await house.table({ name: "Stale" });
  const page = await house.visit(`/table/${table}`, await house.guest("Bob"));
  await sit(page, null);
  await bet(page, "pass");
  await says(page, "pass", "you have \\$5");
  await house.ask(table, { command: "close-betting" });
  await bet(page, "field");
  await page.getByRole("alert").waitFor();
  expect(await rack(page)).toBe("$495");
  expect((await house.view(table)).seats[0]?.bets).toHaveLength(1);
});

test("a lost connection comes back by itself and tells what was missed", async () => {
  const table = await house.table({ name: "Lost" });
  const page = await house.visit(`/table/${table}`, await house.guest("Cy"));
  await sit(page, null);
  await bet(page, "pass", 2);
  await says(page, "pass", "you have \\$10");
  await house.stop("SIGKILL");
  await page.getByText("Reconnecting…").waitFor();
  // Only now offline, so that it comes back after the roll: a browser that is offline may never
  // hear that a socket it holds has ended.
  await page.context().setOffline(true);
  await house.start();
  await house.roll(table, "5-6");
  await page.context().setOffline(false);
  await page.getByText(/While you were away the dice came 11/).waitFor();
  await page.getByText("+\u2060$10 for you").waitFor();
  expect(await rack(page)).toBe("$510");
});

test("a bet made while the server is away is not sent, and says so", async () => {
  const table = await house.table({ name: "Away" });
  const page = await house.visit(`/table/${table}`, await house.guest("Di"));
  await sit(page, null);
  await house.stop("SIGKILL");
  await page.getByText("Reconnecting…").waitFor();
  await bet(page, "place 6");
  await page.getByRole("alert").filter({ hasText: "nothing was sent" }).waitFor();
  await house.start();
  await page.getByText("Reconnecting…").waitFor({ state: "detached" });
  expect((await house.view(table)).seats[0]?.bets).toEqual([]);
  await bet(page, "place 6");
  await says(page, "place 6", "you have \\$6");
  expect(await rack(page)).toBe("$494");
});

test("a second tab shows the same chips", async () => {
  const table = await house.table({ name: "Tabs" });
  const one = await house.visit(`/table/${table}`, await house.guest("Ed"));
  await sit(one, null);
  const other = await one.context().newPage();
  await other.goto(`${house.address}/table/${table}`);
  await bet(one, "field");
  await says(other, "field", "you have \\$5");
  await spot(other, "field").click({ button: "right" });
  await says(one, "field", /^((?!you have).)*$/);
  expect(await rack(one)).toBe("$500");
});

test("a table that closes while you bet says so", async () => {
  const table = await house.table({ name: "Closing" });
  const page = await house.visit(`/table/${table}`, await house.guest("Flo"));
  await sit(page, null);
  await house.ask(table, { command: "close" });
  await page.getByText("The table has been closed.").first().waitFor();
  await bet(page, "field");
  await page.getByRole("alert").waitFor();
  expect(await rack(page)).toBe("$500");
});

test("addresses that lead nowhere say so", async () => {
  const nowhere = await house.visit("/table/zzzzzzz");
  await nowhere.getByRole("heading", { name: "This table is not open" }).waitFor();
  house.faults = house.faults.filter((fault) => !fault.includes("404"));
  const login = await house.visit("/login");
  await login.getByLabel("Name to log in with").fill("nobody");
  await login.getByLabel("Password").fill("wrong password");
  await login.getByRole("button", { name: "Log in" }).click();
  await login.getByRole("alert").waitFor();
});

test("a sign that was cut off while a jackpot was won shows the meter as it is", async () => {
  const table = await house.table({ name: "Cut off" });
  await house.ask(table, { command: "sit", seat: 0, name: "Gus" });
  await house.ask(table, { command: "buy-in", seat: 0, amount: 100_000 });
  await house.ask(table, { command: "put", seat: 0, wager: "pass", amount: 500 });
  await house.ask(table, { command: "put", seat: 0, wager: "fired-up", amount: 100 });
  const page = await (await house.context(null)).newPage();
  let cut = false;
  const lines: { close: () => Promise<void> }[] = [];
  await page.routeWebSocket(/\/socket/, (line) => {
    if (cut) return void line.close();
    line.connectToServer();
    lines.push(line);
  });
  await page.goto(`${house.address}/sign/${table}`);
  const shows = (amount: string) =>
    page.getByRole("img", { name: `Fired Up Progressive: ${amount}` }).waitFor();
  await shows("$5,000.15");
  cut = true;
  for (const line of lines) await line.close();
  for (const dice of ["3-3", "2-3", "1-3", "1-2", "1-1"]) await house.roll(table, dice);
  cut = false;
  await shows("$5,000.00");
  await page.close();
});

test("a locked console locks every page of that login, in every tab", async () => {
  const table = await house.table({ name: "Locked" });
  const sam = await house.hire("sam", "supervisor", "administrator");
  const console = await house.visit(`/deal/${table}`, sam);
  const tab = await console.context().newPage();
  await tab.goto(`${house.address}/`);
  await tab.getByRole("heading", { name: "People" }).waitFor();
  await console.getByRole("button", { name: "Lock now" }).click();
  await tab.getByLabel("Password of sam of the crew").waitFor();
  expect(await tab.getByRole("heading", { name: "People" }).count()).toBe(0);
  await tab.reload();
  await tab.getByLabel("Password of sam of the crew").fill("not the password");
  await tab.getByRole("button", { name: "Unlock" }).click();
  await tab.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
  // Whoever gave a wrong one waits a second.
  await tab.waitForTimeout(1_000);
  await tab.getByLabel("Password of sam of the crew").fill(PASSWORD);
  await tab.getByRole("button", { name: "Unlock" }).click();
  await tab.getByRole("heading", { name: "People" }).waitFor();
  await console.getByLabel("Password of sam of the crew").waitFor({ state: "detached" });
});

test("an idle console locks no console in use, and one password opens both", async () => {
  const nina = await house.hire("nina", "supervisor");
  const [one, other] = [await house.table({ name: "One" }), await house.table({ name: "Other" })];
  const used = await house.visit(`/deal/${one}?idle=3`, nina);
  const idle = await used.context().newPage();
  await idle.goto(`${house.address}/deal/${other}?idle=3`);
  await idle.getByRole("button", { name: "Lock now" }).waitFor();
  const cover = (page: typeof used) => page.getByLabel("Password of nina of the crew");
  const covers = async () => [await cover(used).count(), await cover(idle).count()];
  const work = async (seconds: number) => {
    for (let step = 0; step < seconds * 4; step++) {
      await used.mouse.move(200 + (step % 7), 200);
      await used.waitForTimeout(250);
      expect(await covers()).toEqual([0, 0]);
    }
  };
  await used.bringToFront();
  await work(6);
  // Neither is touched.
  await Promise.all([cover(used), cover(idle)].map((cover) => cover.waitFor()));
  await idle.waitForTimeout(3_000);
  await cover(used).fill(PASSWORD);
  await used.getByRole("button", { name: "Unlock" }).click();
  await Promise.all([used, idle].map((page) => cover(page).waitFor({ state: "detached" })));
  await work(4);
  await used.context().close();
});

test("a console that was logged out comes back when its person logs in, in any tab", async () => {
  const olga = await house.hire("olga", "supervisor");
  const table = await house.table({ name: "Again" });
  const console = await house.visit(`/deal/${table}`, olga);
  const tab = await console.context().newPage();
  await tab.goto(`${house.address}/deal/${table}`);
  await tab.getByRole("button", { name: "Lock now" }).waitFor();
  await tab.getByRole("button", { name: "Lock now" }).click();
  await tab.getByRole("button", { name: "Log out" }).click();
  await console.getByText("You have been logged out.").waitFor();
  await tab.waitForURL(/\/login/);
  await tab.getByLabel("Name to log in with").fill("olga");
  await tab.getByLabel("Password").fill(PASSWORD);
  await tab.getByRole("button", { name: "Log in" }).click();
  await console.getByText("You have been logged out.").waitFor({ state: "detached" });
  await console.getByText("Connected", { exact: true }).waitFor();
  await console.context().close();
});

test("a bet dragged to where it cannot go stays where it was", async () => {
  const table = await house.table({ name: "Drag" });
  const page = await house.visit(`/table/${table}`, await house.guest("Hal"));
  await sit(page, null);
  await bet(page, "field");
  await says(page, "field", "you have \\$5");
  await spot(page, "field").dragTo(spot(page, "odds pass"), { force: true });
  await page.getByRole("alert").waitFor();
  expect((await house.view(table)).seats[0]?.bets).toMatchObject([{ wager: "field", stake: 500 }]);
});

test("somebody logged out in another tab is told so and watches on", async () => {
  const table = await house.table({ name: "Out" });
  const page = await house.visit(`/table/${table}`, await house.guest("Ida"));
  await sit(page, null);
  const tab = await page.context().newPage();
  await tab.goto(`${house.address}/`);
  tab.on("dialog", (dialog) => void dialog.accept());
  await tab.getByRole("button", { name: "Ida" }).click();
  await tab.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("alert").filter({ hasText: "You have been logged out" }).waitFor();
  await page.getByText("You are watching Out.").waitFor();
  expect((await house.view(table)).seats[0]).toMatchObject({ name: "Ida", rack: 50_000 });
});
