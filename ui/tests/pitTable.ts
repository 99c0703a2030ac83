// A real table with a dealer's and a supervisor's console: what the crew does there, and the
// chips that it moves for it. Nobody reads the ledger to know what to move: `agrees` compares.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Chance } from "./chance.ts";
import { ChipModel, amountOf, ledger } from "./chipModel.ts";
import type { Desk, Screen, ShownItem, Wrong } from "./desk.ts";
import { bet, says, type House, type Person } from "./house.ts";

/** What walk-ups bet. */
const BETS: readonly [wager: string, dollars: readonly number[]][] = [
  ["pass", [10, 15]],
  ["dont-pass", [10]],
  ["field", [5, 10]],
  ["place 6", [12, 18]],
  ["place 8", [12]],
  ["place 5", [10]],
  ["buy 4", [20]],
  ["hard 6", [5]],
  ["hard 8", [5]],
  ["come", [10]],
  ["odds", [20]],
  ["any-craps", [5]],
];

export class PitTable {
  readonly id: string;
  readonly model = new ChipModel();
  readonly dealer: Desk;
  readonly supervisor: Desk;
  /** A player in a browser, and the seat she has. */
  ann: Page | null = null;
  annSits = 0;
  /** What becomes of a jackpot that is won next. */
  answer: "confirm" | "deny" = "confirm";
  #desks: [Desk, Desk];
  #house: House;
  #boss: Person;
  #chance: Chance;
  #seats: number[] = [];
  /** What of the work lists has been done, by list, words and how often the words are there. */
  #worked = new Set<string>();
  /** Chips in and out that the crew has read. */
  #read = new Set<string>();

  constructor(house: House, id: string, desks: [Desk, Desk], boss: Person, chance: Chance) {
    this.id = id;
    this.#desks = desks;
    [this.dealer, this.supervisor] = desks;
    this.#house = house;
    this.#boss = boss;
    this.#chance = chance;
  }

  /** Somebody sits down at the rail, with chips. */
  async seat(name: string, dollars: number, kind: string): Promise<void> {
    const form = this.dealer.page.getByRole("form", { name: "Seat a player" });
    await form.getByLabel("Name").fill(name);
    await form.getByLabel("Buy-in").fill(String(dollars));
    await form.getByLabel("With").selectOption({ label: kind });
    await this.money(() => form.getByRole("button", { name: "Seat", exact: true }).click());
    const { seats } = await this.dealer.read();
    const [seat] = Object.entries(seats).find(([, other]) => other.name === name)!;
    this.#seats.push(Number(seat));
  }

  /** Chips that come to the table or leave it; "agreed" if a second person has to agree first,
   * "waits" if they are left to wait. */
  async money(act: () => Promise<void>, then?: "agreed" | "waits"): Promise<void> {
    const before = await this.dealer.read();
    await act();
    const isNew = ({ moved }: Screen) => moved.some(({ key }) => !this.#read.has(key));
    const asked = ({ requests }: Screen) => requests.length > before.requests.length;
    const became = await this.dealer.sees(
      "what became of the chips",
      (screen) => isNew(screen) || asked(screen),
    );
    if (then) expect(became.requests.length).toBe(before.requests.length + 1);
    if (then === "waits") return;
    // Every sum of the day counts: sooner or later a second person has to agree anyhow.
    if (!isNew(became)) await this.#approve(this.supervisor, became.requests.at(-1)!);
    await this.dealer.sees("chips in or out", isNew);
    await this.#readMoved();
  }

  /** Does what the console says of chips in and out. */
  async #readMoved(): Promise<void> {
    const { moved } = await this.dealer.read();
    for (const { key, what, chips } of [...moved].reverse()) {
      if (this.#read.has(key)) continue;
      this.#read.add(key);
      this.model.moved(what, chips);
    }
  }

  async #approve(desk: Desk, request: string): Promise<void> {
    await desk.sees("the request", ({ requests }) => requests.includes(request));
    const item = desk.page.locator("section[aria-labelledby=second] li", {
      has: desk.page.getByRole("button", { name: "Approve" }),
    });
    await item.last().getByRole("button", { name: "Approve" }).click();
    await desk.sees("that it is agreed", ({ requests }) => !requests.includes(request));
  }

  /** Agrees to whatever still waits. */
  async agreeToWaiting(): Promise<void> {
    for (const request of (await this.supervisor.read()).requests) {
      await this.#approve(this.supervisor, request);
      const isNew = ({ moved }: Screen) => moved.some(({ key }) => !this.#read.has(key));
      await this.dealer.sees("chips in or out", isNew);
      await this.#readMoved();
    }
  }

  /** Any console. */
  #desk = (): Desk => this.#chance.one(this.#desks);

  /** A walk-up bets through one of the consoles; what is refused moves nothing. */
  async bet(seat: number, wager: string, dollars: number): Promise<boolean> {
    const words = await this.#desk().bet(seat, wager, dollars);
    if (words !== null) this.model.put(seat - 1, words);
    return words !== null;
  }

  /** Some walk-ups bet something. */
  async bets(many: number): Promise<void> {
    for (let time = 0; time < many; time++) {
      const [wager, dollars] = this.#chance.one(BETS);
      await this.bet(this.#chance.one(this.#seats), wager, this.#chance.one(dollars));
    }
  }

  /** Ann clicks a spot in her browser, and puts the chips down that her page names. */
  async annBets(spot: string, title: string, times: number): Promise<void> {
    if (!this.ann) return;
    const label = () =>
      this.ann!.locator(`g[data-spot="${spot}"]`).evaluate(
        (one) => /you have (\$[\d,.]*\d)/.exec(one.getAttribute("aria-label") ?? "")?.[1] ?? "$0",
      );
    const before = Number((await label()).slice(1));
    await bet(this.ann, spot, times);
    await says(this.ann, spot, `you have \\$${before + 5 * times}`);
    this.model.put(this.annSits - 1, `$${5 * times} on ${title}`);
  }

  /** The shooter has to have a line bet at a come-out. */
  async #line(): Promise<void> {
    const { puck, shooter, seats } = await this.supervisor.read();
    if (!puck.startsWith("Puck OFF")) return;
    const sits = Object.entries(seats).find(([, { name }]) => name === shooter);
    const seat = Number(sits?.[0] ?? this.#seats[0]);
    if (seat === this.annSits) await this.annBets("pass", "Pass Line", 1);
    else await this.bet(seat, "pass", 10);
  }

  /** The dealer closes betting and keys the dice; both consoles see them. */
  async roll(dice: string): Promise<void> {
    await this.#line();
    const { rolls } = await this.dealer.read();
    if (this.#chance.in(3)) {
      await this.dealer.button(/^Close betting/).click();
      await this.dealer.sees("no more bets", ({ betting }) => betting === "Betting closed");
    }
    await this.dealer.key(dice);
    await this.dealer.confirm();
    await this.#rolled(rolls + 1, dice);
  }

  /** Both consoles confirm the same throw at the same time. */
  async rollTwice(dice: string): Promise<void> {
    await this.#line();
    const { rolls } = await this.dealer.read();
    for (const desk of this.#desks) {
      await desk.sees("open betting", ({ betting }) => betting === "Betting open");
      await desk.key(dice);
    }
    await Promise.all(this.#desks.map((desk) => desk.confirmNow()));
    await this.#rolled(rolls + 1, dice);
    // The one that came second says so, and books nothing.
    const told = () =>
      Promise.all(
        this.#desks.map(async (desk) =>
          (await desk.read()).alerts.some((alert) => alert.includes("for this throw already")),
        ),
      );
    await expect.poll(async () => (await told()).filter(Boolean).length).toBe(1);
    for (const desk of this.#desks) expect((await desk.read()).rolls).toBe(rolls + 1);
    for (const desk of this.#desks) await desk.page.keyboard.press("Escape");
  }

  async #rolled(number: number, dice: string): Promise<void> {
    const back = dice.split("-").reverse().join("-");
    const headlines = [dice, back].map((dice) => `Roll ${number}: ${dice}`);
    for (const desk of this.#desks)
      await desk.sees(`roll ${number}, ${dice}`, ({ lists }) =>
        lists.some(({ headline }) => headlines.includes(headline)),
      );
  }

  /** What of the lists is still to be done, with a key for each. */
  #left({ lists }: Screen): { item: ShownItem; key: string; list: number; at: number }[] {
    return lists.flatMap(({ list, headline, items }) =>
      items.flatMap((item, at) => {
        if (!item.ticks) return [];
        const key = `${list} ${headline} ${item.who} ${item.bet} ${item.what} ${at}`;
        return [{ item, key, list, at }];
      }),
    );
  }

  #work(item: ShownItem, key: string): void {
    if (this.#worked.has(key)) return;
    this.#worked.add(key);
    this.model.work(item, key);
  }

  /** Moves the chips of a few items, ticks them off, and waits until the other console shows it. */
  async tick(many: number): Promise<void> {
    const [here, there] = this.#chance.shuffled(this.#desks) as [Desk, Desk];
    const left = this.#left(await here.read()).filter(({ item }) => !item.ticked);
    for (const { item, key, list, at } of this.#chance.shuffled(left).slice(0, many)) {
      this.#work(item, key);
      const box = (desk: Desk) =>
        desk.page.locator(`[data-list="${list}"] .part li`).nth(at).locator("input");
      await box(here).check();
      await expect.poll(() => box(there).isChecked()).toBe(true);
    }
  }

  /** Moves everything that the lists name, says so, and answers what waits to be confirmed. */
  async settle(): Promise<void> {
    if (this.#chance.in(3)) await this.tick(1);
    await this.#finish();
    for (;;) {
      const { claims } = await this.supervisor.read();
      if (claims.length === 0) break;
      await this.#answerClaim(claims[0]!);
      await this.#finish();
    }
    await this.agrees();
  }

  async #finish(): Promise<void> {
    const desk = this.#desk();
    const screen = await desk.read();
    for (const { item, key } of this.#left(screen)) this.#work(item, key);
    if (screen.betting === "Paying") {
      await desk.paid();
      for (const other of this.#desks)
        await other.sees("that it is paid", ({ betting }) => betting !== "Paying");
    }
    for (;;) {
      const { lists } = await desk.read();
      const done = lists.find(({ done }) => done);
      if (!done) break;
      await desk.page
        .locator(`[data-list="${done.list}"]`)
        .getByRole("button", { name: "Done" })
        .click();
      for (const other of this.#desks)
        await other.sees("that the list is done", ({ lists }) =>
          lists.every(({ list, done: open }) => list !== done.list || !open),
        );
    }
  }

  /** Confirms what waits, or asks to deny it. */
  async #answerClaim(heading: string): Promise<void> {
    const lists = new Set((await this.dealer.read()).lists.map(({ list }) => list));
    if (this.answer === "deny" && heading.startsWith("Jackpot")) {
      this.answer = "confirm";
      await this.#deny(heading, "the dice were not seen");
    } else if (!(await this.confirms(this.supervisor.page, heading))) {
      // The one who keyed the roll does not confirm what it won.
      await this.#withBoss(async (boss) => expect(await this.confirms(boss, heading)).toBe(true));
    }
    for (const desk of this.#desks)
      await desk.sees(`what is to be done about ${heading}`, (screen) =>
        screen.lists.some(({ list, headline }) => headline.startsWith("Claim") && !lists.has(list)),
      );
  }

  #claim = (page: Page, heading: string) =>
    page.locator("section.claim", { has: page.getByRole("heading", { name: heading }) }).first();

  /** Whether somebody has confirmed a claim, who may not be the one to do so. */
  async confirms(page: Page, heading: string): Promise<boolean> {
    const claim = this.#claim(page, heading);
    const id = await claim.getAttribute("aria-labelledby");
    const boxes = claim.locator("input[type=checkbox]");
    await boxes.first().waitFor();
    for (const box of await boxes.all()) {
      if (await box.isDisabled()) continue;
      await box.click();
      await expect.poll(() => box.isChecked()).toBe(true);
    }
    // No tray pays cents: a jackpot is the cage's.
    if (heading.startsWith("Jackpot")) {
      await claim.getByLabel("Paid by").selectOption({ label: "the cage, against a slip" });
      await claim.getByLabel("Slip number").fill("S-31");
    }
    await claim.getByRole("button", { name: "Confirm and pay the claim" }).click();
    const answered = await page.waitForFunction((id) => {
      const claim = document.querySelector(`[aria-labelledby="${id}"]`);
      if (!claim) return "paid";
      return claim.querySelector("[role=alert] .alert")?.textContent ?? "";
    }, id);
    const refused = await answered.jsonValue();
    if (refused !== "paid") expect(refused).toMatch(/keyed/);
    return refused === "paid";
  }

  async #deny(heading: string, reason: string): Promise<void> {
    const claim = this.#claim(this.supervisor.page, heading);
    await claim.locator("input.why").fill(reason);
    await claim.getByRole("button", { name: "Ask to deny the claim" }).click();
    await this.#withBoss(async (boss) => {
      const request = boss.locator("section[aria-labelledby=second] li", { hasText: reason });
      await request.getByRole("button", { name: "Approve" }).click();
      await request.waitFor({ state: "detached" });
    });
  }

  /** At a third console, while it is needed. */
  async #withBoss(act: (page: Page) => Promise<void>): Promise<void> {
    const boss = await this.#house.visit(`/deal/${this.id}`, this.#boss);
    await act(boss);
    await boss.context().close();
  }

  /** The last roll does not count: one asks, the other agrees. */
  async void(reason: string): Promise<void> {
    const { rolls } = await this.dealer.read();
    await this.dealer.fix(null, reason);
    await this.#agreeTo(reason);
    for (const desk of this.#desks)
      await desk.sees(
        "the void",
        (one) =>
          one.rolls === rolls - 1 &&
          one.lists.every(({ headline }) => !headline.startsWith(`Roll ${rolls}:`)),
      );
    await this.#resume();
  }

  /** The last roll showed something else. */
  async correct(dice: string, reason: string): Promise<void> {
    await this.dealer.fix(dice, reason);
    await this.#agreeTo(reason);
    for (const desk of this.#desks)
      await desk.sees("the correction", ({ lists }) =>
        lists.some(({ headline }) => headline.startsWith("Corrected")),
      );
    await this.#resume();
  }

  /** An earlier roll of the day was wrong: money goes after it, and nothing else changes. */
  async mend(back: number, wrong: Wrong, reason: string): Promise<void> {
    const { roll, due } = await this.dealer.mend(back, wrong, reason);
    await this.#agreeTo(reason);
    if (due)
      for (const desk of this.#desks)
        await desk.sees("the mend", ({ lists }) =>
          lists.some(({ headline }) => headline.startsWith(`Mended: roll ${roll},`)),
        );
    await this.#finish();
    await this.agrees();
  }

  /** The dealer's hand slipped: a player got other chips than the list said. Two people put the
   * books after the chips. */
  async slip(back: number, seat: number, dollars: number, reason: string): Promise<void> {
    this.model.slip(seat - 1, dollars * 100);
    await this.mend(back, { seat, dollars }, reason);
  }

  /** What lies in the tray goes to the cage. */
  async emptyTray(): Promise<void> {
    const { tray } = await this.dealer.read();
    await this.money(() => this.dealer.tray("Credit", amountOf(tray) / 100));
  }

  /** Asks to close the table for good: what is still there, if there is anything. */
  async asksToClose(reason: string): Promise<string[]> {
    await this.supervisor.close(reason);
    const { remains } = await this.supervisor.sees(
      "whether it can be closed",
      (one) => one.requests.some((request) => request.includes(reason)) || one.remains.length > 0,
    );
    return remains;
  }

  /** The table is closed for good by two people. */
  async close(reason: string): Promise<void> {
    await this.supervisor.close(reason);
    await this.supervisor.sees("the request", ({ requests }) =>
      requests.some((request) => request.includes(reason)),
    );
    await this.#withBoss(async (boss) => {
      const request = boss.locator("section[aria-labelledby=second] li", { hasText: reason });
      await request.getByRole("button", { name: "Approve" }).click();
    });
    for (const desk of this.#desks)
      await desk.sees("that it is closed", ({ betting }) => betting === "Table closed");
  }

  async #agreeTo(reason: string): Promise<void> {
    const { requests } = await this.supervisor.sees("the request", (one) =>
      one.requests.some((request) => request.includes(reason)),
    );
    await this.#approve(
      this.supervisor,
      requests.find((request) => request.includes(reason))!,
    );
  }

  async #resume(): Promise<void> {
    if ((await this.supervisor.read()).betting !== "Table paused") return;
    await this.supervisor.button("Resume").click();
    for (const desk of this.#desks)
      await desk.sees("that play goes on", ({ betting }) => betting !== "Table paused");
  }

  async noRoll(): Promise<void> {
    await this.#line();
    await this.dealer.button(/^Close betting/).click();
    for (const desk of this.#desks)
      await desk.sees("no more bets", ({ betting }) => betting === "Betting closed");
    await this.supervisor.button(/^No roll/).click();
    for (const desk of this.#desks)
      await desk.sees("that there was no roll", ({ betting }) => betting === "Betting open");
  }

  /** Both consoles pass the dice: they go on by one. */
  async passDice(): Promise<void> {
    const { shooter } = await this.dealer.read();
    for (const desk of this.#desks) await desk.button("Pass the dice …").click();
    await Promise.all(this.#desks.map((desk) => desk.button(/^Yes, .* passes the dice$/).click()));
    for (const desk of this.#desks)
      await desk.sees("the dice passed", (screen) => screen.shooter !== shooter);
    await this.#finish();
  }

  /** The server is killed, and started again. */
  async kill(): Promise<void> {
    await this.#house.stop("SIGKILL");
    for (const desk of this.#desks)
      await desk.sees("that the line is cut", ({ line }) => line !== "Connected");
    await this.#house.start();
    for (const desk of this.#desks)
      await desk.sees("the table again", ({ line }) => line === "Connected");
  }

  /** A console is loaded again in the middle of a list. */
  async reload(): Promise<void> {
    const desk = this.#desk();
    const { lists } = await desk.read();
    await desk.page.reload();
    await desk.sees("its lists again", (screen) => screen.lists.length === lists.length);
  }

  /** Rolls until the dice pass on. */
  async sevenOut(): Promise<void> {
    for (;;) {
      const { puck } = await this.supervisor.read();
      await this.roll(this.#chance.dice(puck.startsWith("Puck OFF") ? 4 : 7));
      await this.settle();
      if (!puck.startsWith("Puck OFF")) return;
    }
  }

  async everybodyLeaves(): Promise<void> {
    const { seats } = await this.dealer.read();
    for (const seat of Object.keys(seats).map(Number)) {
      await this.dealer.open(seat);
      const drawer = this.dealer.page.locator("li.seat.open");
      await drawer.getByRole("button", { name: "Leave …" }).click();
      await this.money(() => drawer.getByRole("button", { name: "Yes, leaves" }).click());
    }
  }

  /** The model has every chip where the ledger has it. */
  async agrees(): Promise<void> {
    const view = await this.#house.view(this.id);
    const diary = this.model.diary.slice(-12).join("\n");
    expect(this.model.lies(), diary).toEqual(ledger(view));
    const lies = ledger(view).tray;
    await this.dealer.sees(
      `${lies} in the tray`,
      ({ tray }) => tray.replace("\u2060", "") === lies,
    );
  }
}
