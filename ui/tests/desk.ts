// A dealer's console as a person works it: what its screen says, and the buttons that are pressed.

import type { Page } from "playwright-core";
import { setTimeout as pause } from "node:timers/promises";

/** An item of a work list, in the words of the screen. */
export interface ShownItem {
  who: string;
  bet: string;
  what: string;
  /** Whether it can be ticked off at all, and whether it is. */
  ticks: boolean;
  ticked: boolean;
}

export interface ShownList {
  /** The number that tells two lists of the same words apart. */
  list: number;
  headline: string;
  /** Whether it has a button of its own to say that it is done. */
  done: boolean;
  items: ShownItem[];
}

/** What a console shows. */
export interface Screen {
  line: string;
  betting: string;
  rolls: number;
  shooter: string;
  puck: string;
  tray: string;
  lists: ShownList[];
  /** What waits for a second person. */
  requests: string[];
  /** Jackpots and awards that wait, by their headings. */
  claims: string[];
  /** Chips that came to the table or left it, the latest first. */
  moved: { key: string; what: string; chips: string }[];
  /** Racks and bets of the seats, by their number. */
  seats: Record<number, { name: string; rack: string }>;
  /** Refusals that are shown anywhere. */
  alerts: string[];
  /** What keeps the table from being closed. */
  remains: string[];
  /** The buttons that can be pressed. */
  buttons: string[];
}

export class Desk {
  readonly page: Page;
  readonly who: string;

  constructor(page: Page, who: string) {
    this.page = page;
    this.who = who;
  }

  /** Reads the screen. */
  read(): Promise<Screen> {
    return this.page.evaluate(() => {
      const words = (one: Element | null | undefined) =>
        (one?.textContent ?? "").replace(/[\s\u00a0]+/g, " ").trim();
      const all = (selector: string, within: ParentNode = document) => [
        ...within.querySelectorAll(selector),
      ];
      const figure = (name: string) =>
        words(all(".bar dt").find((one) => words(one) === name)?.nextElementSibling);
      return {
        line: words(document.querySelector(".bar .line")),
        betting: words(document.querySelector(".bar .betting")),
        rolls: Number(figure("Rolls")),
        shooter: figure("Shooter"),
        puck: words(document.querySelector(".bar .puck .hidden")),
        tray: words(document.querySelector("[data-tray] strong")),
        lists: all("[data-list]").map((list) => ({
          list: Number((list as HTMLElement).dataset.list),
          headline: words(list.querySelector("h3")),
          done: all("header button", list).length > 0,
          items: all(".part", list).flatMap((part) =>
            all("li", part).map((item) => {
              const box = item.querySelector<HTMLInputElement>("input");
              return {
                who: words(item.querySelector(".who")).replace(/:$/, ""),
                bet: words(item.querySelector(".bet")).replace(/:$/, ""),
                what: words(item.querySelector(".what b")),
                ticks: box !== null,
                ticked: box?.checked ?? false,
              };
            }),
          ),
        })),
        requests: all("section[aria-labelledby=second] li .what").map(words),
        claims: all("section.claim h2").map(words),
        moved: all("li[data-moved]").map((one) => ({
          key: one.getAttribute("data-moved")!,
          what: words(one.querySelector(".what")),
          chips: words(one.querySelector(".chips")),
        })),
        seats: Object.fromEntries(
          all("li.seat > .head").map((head) => [
            Number(words(head.querySelector(".number"))),
            {
              name: words(head.querySelector("strong")),
              rack: words(head.querySelector(".money > span")).replace("rack ", ""),
            },
          ]),
        ),
        alerts: all("[role=alert] .alert").map(words),
        remains: all(".bar .refusal li").map(words),
        buttons: all("button:not(:disabled)").map(words),
      };
    });
  }

  /** The screen as soon as it is so. */
  async sees(what: string, is: (screen: Screen) => boolean, within = 12_000): Promise<Screen> {
    const end = Date.now() + within;
    for (;;) {
      const screen = await this.read();
      if (is(screen)) return screen;
      if (Date.now() > end)
        throw new Error(`${this.who} does not see ${what}: ${JSON.stringify(screen, null, 1)}`);
      await pause(15);
    }
  }

  button(name: string | RegExp) {
    return this.page.getByRole("button", { name }).first();
  }

  /** Keys dice without confirming them. */
  async key(dice: string): Promise<void> {
    const [first, second] = dice.split("-");
    await this.button(`First die shows ${first}`).click();
    await this.button(`Second die shows ${second}`).click();
  }

  confirm(): Promise<void> {
    return this.button(/^(Close betting & confirm|Confirm) \d-\d/).click();
  }

  /** Presses at once. The press is lost if another console's act has just changed the button. */
  confirmNow(): Promise<void> {
    return this.page.evaluate(() =>
      document.querySelector<HTMLButtonElement>("button.confirm")?.click(),
    );
  }

  /** Says that the roll is paid, also if not everything is ticked off. */
  async paid(): Promise<void> {
    await this.button("Paid, bets open").click();
    const asks = this.button("Open all the same");
    await asks
      .or(this.button(/^Close betting/).and(this.page.locator(":enabled")))
      .first()
      .waitFor();
    if (await asks.isVisible()) await asks.click();
  }

  /** Opens a seat's drawer, if it is shut. */
  async open(seat: number): Promise<void> {
    const head = this.page.locator(`li.seat > .head`, {
      has: this.page.locator(`.number`, { hasText: new RegExp(`^${seat}$`) }),
    });
    if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
  }

  /** Bets for a walk-up: the chips in words, or nothing if it was refused. */
  async bet(seat: number, wager: string, amount: number): Promise<string | null> {
    await this.open(seat);
    const drawer = this.page.locator("li.seat.open");
    await drawer.getByLabel("Wager").fill(wager);
    await drawer.getByLabel("Amount").fill(String(amount));
    await drawer.getByRole("button", { name: "Put", exact: true }).click();
    const became = await this.page.waitForFunction(() => {
      const form = document.querySelector("li.seat.open form[aria-label^='Bets for']");
      const refused = form?.nextElementSibling?.matches("[role=alert]")
        ? form.nextElementSibling
        : null;
      const text = (one: Element | null | undefined) => one?.textContent?.trim() ?? "";
      const said = text(document.querySelector("li.seat.open .moved p"));
      return said || (text(refused) ? `refused: ${text(refused)}` : "");
    });
    const words = await became.jsonValue();
    return /^Put (.*)\.$/.exec(words)?.[1] ?? null;
  }

  /** Buys chips in for a seat, or cashes them out. */
  async chips(
    seat: number,
    act: "Buy in" | "Cash out",
    amount: number,
    kind?: string,
  ): Promise<void> {
    await this.open(seat);
    const drawer = this.page.locator("li.seat.open");
    if (kind)
      await drawer
        .getByLabel(act === "Buy in" ? "Buys in with" : "Cashes out")
        .selectOption({ label: kind });
    await drawer.getByLabel("Chips, in dollars").fill(String(amount));
    await drawer.getByRole("button", { name: act, exact: true }).click();
  }

  /** A fill or a credit. */
  async tray(act: "Fill" | "Credit", amount: number): Promise<void> {
    await this.page.locator("#tray-amount").fill(String(amount));
    await this.page.getByRole("button", { name: act, exact: true }).click();
  }

  /** Asks to void or correct the last roll. */
  async fix(to: string | null, reason: string): Promise<void> {
    const fix = this.page.locator("section", {
      has: this.page.getByRole("heading", { name: "Void or correct the last roll" }),
    });
    if ((await fix.locator("details[open]").count()) === 0) await fix.locator("summary").click();
    await fix.getByRole("radio", { name: to === null ? /^Void/ : /^Correct/ }).check();
    if (to !== null) {
      const [first, second] = to.split("-");
      await fix.getByRole("button", { name: `First die shows ${first}` }).click();
      await fix.getByRole("button", { name: `Second die shows ${second}` }).click();
    }
    await fix.locator("#fix-reason").fill(reason);
    await fix.getByRole("button", { name: /^Ask to/ }).click();
  }

  /** Asks to mend an earlier roll, so many rolls back. Its number, and whether chips have to move
   * because of it. */
  async mend(back: number, wrong: Wrong, reason: string): Promise<{ roll: number; due: boolean }> {
    const mend = this.page.locator("#mend");
    if ((await mend.locator("details[open]").count()) === 0) await mend.locator("summary").click();
    const roll = mend.locator("#mend-roll option:not([disabled])").nth(back);
    await roll.waitFor({ state: "attached" });
    const number = Number(/Roll (\d+)/.exec((await roll.textContent()) ?? "")?.[1]);
    await mend.locator("#mend-roll").selectOption(await roll.getAttribute("value"));
    if ("dice" in wrong) {
      await mend.getByRole("radio", { name: "The dice showed something else" }).check();
      const [first, second] = wrong.dice.split("-");
      await mend.getByRole("button", { name: `First die shows ${first}` }).click();
      await mend.getByRole("button", { name: `Second die shows ${second}` }).click();
    } else if ("wager" in wrong) {
      await mend.getByRole("radio", { name: /^A bet was late/ }).check();
      const bet = mend.getByRole("group", { name: "Bet 1" });
      await bet.getByLabel("Player").selectOption(String(wrong.seat - 1));
      await bet.getByLabel("Bet", { exact: true }).selectOption(wrong.wager);
      await bet.getByLabel("Amount in dollars").fill(String(wrong.dollars));
    } else {
      await mend.getByRole("radio", { name: "Too much or too little was paid" }).check();
      await mend.getByLabel("Player", { exact: true }).selectOption(String(wrong.seat - 1));
      const which = wrong.dollars > 0 ? "got too much" : "got too little";
      await mend
        .getByLabel("Too much or too little", { exact: true })
        .selectOption({ label: which });
      await mend
        .getByLabel("Amount in dollars", { exact: true })
        .fill(String(Math.abs(wrong.dollars)));
    }
    await mend.getByRole("button", { name: "Show what is due" }).click();
    await mend.getByRole("heading", { name: /^Roll \d+, keyed/ }).waitFor();
    const ticked = await mend.locator(".line input[type=checkbox]:checked").count();
    await mend.locator("#mend-reason").fill(reason);
    await mend.getByRole("button", { name: /^Ask to mend/ }).click();
    return { roll: number, due: ticked > 0 && ("dice" in wrong || "wager" in wrong) };
  }

  /** Asks to close the table for good. */
  async close(reason: string): Promise<void> {
    // The form stays open after a refusal.
    const ask = this.page.getByRole("button", { name: "Ask to close it" });
    if (!(await ask.isVisible()))
      await this.page.getByRole("button", { name: "Close table …" }).click();
    await this.page.locator(".bar").getByLabel("Because").fill(reason);
    await ask.click();
  }
}

/** What was wrong about a roll: other dice, a bet that was not keyed, or chips that a player got
 * too many of, or too few. */
export type Wrong =
  | { dice: string }
  | { seat: number; wager: string; dollars: number }
  | { seat: number; dollars: number };
