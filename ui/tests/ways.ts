// Nine ways to play one page: three widths, each with a mouse, with fingers, and with the keyboard
// alone. A test says what is done; here is how it is done.

import type { Locator, Page } from "playwright-core";
import { spot, type Visit } from "./house.ts";

/** `npm run test:everywhere`: all of it, and not one way for each. */
export const EVERYWHERE = process.env.BOXMAN_EVERYWHERE !== undefined;

const WIDTHS = { 390: 844, 1280: 800, 2560: 1440 } as const;
type Width = keyof typeof WIDTHS;
type By = "mouse" | "touch" | "keys";
export type Way = `${By} at ${Width}`;

const ALL: Way[] = (["mouse", "touch", "keys"] as const).flatMap((by) =>
  ([390, 1280, 2560] as const).map((width): Way => `${by} at ${width}`),
);

/** The ways in which something is played that is played in one of them at least. */
export const waysOf = (one: Way): Way[] => (EVERYWHERE ? ALL : [one]);

const parts = (way: Way) => way.split(" at ") as [By, `${Width}`];

/** The window of somebody who plays so. */
export function windowOf(way: Way): Visit {
  const [by, wide] = parts(way);
  const width = Number(wide) as Width;
  const touch = by === "touch" ? { hasTouch: true, isMobile: width === 390 } : {};
  return { width, height: WIDTHS[width], ...touch };
}

export function player(way: Way, page: Page): Player {
  const By = { mouse: Mouse, touch: Touch, keys: Keys }[parts(way)[0]];
  return new By(page, way.endsWith("390"));
}

export abstract class Player {
  readonly page: Page;
  /** Whether the window is that of a phone. */
  readonly narrow: boolean;
  readonly pointed: boolean = true;

  constructor(page: Page, narrow: boolean) {
    this.page = page;
    this.narrow = narrow;
  }

  /** Presses a button, a link, a switch, or a field to write in. */
  abstract press(what: Locator): Promise<void>;
  /** Takes back what is in the hand from a spot. */
  abstract take(name: string): Promise<void>;
  /** Reads what a spot is. */
  abstract look(name: string): Promise<void>;

  /** Puts the amount in the hand on a spot, whether or not it takes a bet. */
  async bet(name: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time++) await this.press(spot(this.page, name));
  }

  /** The number that is printed in a box. */
  number(number: number): Promise<void> {
    return this.press(this.page.locator(`path.arm[data-spot="place ${number}"]`));
  }

  button(name: string | RegExp): Promise<void> {
    const exact = typeof name === "string";
    return this.press(this.page.getByRole("button", { name, exact }).first());
  }

  link(name: string): Promise<void> {
    return this.press(this.page.getByRole("link", { name, exact: true }).first());
  }

  /** Chooses something from a menu of the rack. */
  async choose(menu: string, item: string): Promise<void> {
    await this.button(menu);
    await this.pick(item);
  }

  /** Chooses something from the menu that is open. */
  pick(item: string): Promise<void> {
    return this.press(this.item(item));
  }
  protected item = (item: string) =>
    this.page.locator("[role=menu]:popover-open button", { hasText: item });

  /** Sends something away by its button. */
  dismiss(button: Locator): Promise<void> {
    return this.press(button);
  }

  /** Writes into a field, in place of what it held. */
  async write(field: Locator, text: string): Promise<void> {
    await this.enter(field);
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.type(text);
  }

  /** Goes into a field. */
  enter(field: Locator): Promise<void> {
    return this.press(field);
  }

  /** An amount of one's own in the hand. */
  async amount(dollars: string): Promise<void> {
    await this.page.keyboard.type(dollars);
  }

  /** Bare cloth, where no bet lies. */
  async cloth(): Promise<void> {
    await this.press(this.page.locator("#felt svg > g").first());
  }

  /** Has tumbling dice come to rest: anywhere will do. */
  skip(): Promise<void> {
    return this.press(this.page.getByRole("region", { name: "The hand" }));
  }

  /** Chooses one of a few that exclude each other. */
  radio(one: Locator): Promise<void> {
    return this.press(one.locator("xpath=ancestor::label"));
  }

  /** Chooses among the options of a field. */
  async option(field: Locator, option: string): Promise<void> {
    await field.selectOption(option);
  }
}

/** Until a thing is there and can be used. */
async function ready(what: Locator): Promise<void> {
  await what.waitFor();
  await what.evaluate(async (thing) => {
    while (thing.matches(":disabled")) await new Promise(requestAnimationFrame);
  });
}

/** Where a thing can be hit, once it stands still: in its middle, or wherever it is not covered. */
async function aim(what: Locator): Promise<{ x: number; y: number }> {
  await ready(what);
  await what.scrollIntoViewIfNeeded();
  const at = await what.evaluate(async (thing) => {
    const frame = () => new Promise(requestAnimationFrame);
    const place = () => {
      const { left, top, width, height } = thing.getBoundingClientRect();
      return [left, top, width, height] as const;
    };
    for (let before = ""; before !== place().join(); await frame()) before = place().join();
    const [left, top, width, height] = place();
    const shares = [0.5, ...Array.from({ length: 32 }, (_, at) => (at + 0.5) / 32)];
    for (const down of shares)
      for (const across of shares) {
        const [x, y] = [left + width * across, top + height * down];
        if (thing.contains(document.elementFromPoint(x, y))) return { x, y };
      }
    return null;
  });
  if (!at) throw new Error(`nothing of ${String(what)} can be hit`);
  return at;
}

class Mouse extends Player {
  async press(what: Locator): Promise<void> {
    const { x, y } = await aim(what);
    await this.page.mouse.click(x, y);
  }
  async take(name: string): Promise<void> {
    const { x, y } = await aim(spot(this.page, name));
    await this.page.mouse.click(x, y, { button: "right" });
  }
  async look(name: string): Promise<void> {
    const { x, y } = await aim(spot(this.page, name));
    await this.page.mouse.move(x, y);
  }
}

class Touch extends Player {
  async press(what: Locator): Promise<void> {
    const { x, y } = await aim(what);
    await this.page.touchscreen.tap(x, y);
  }
  /** A finger that stays. */
  async take(name: string): Promise<void> {
    const point = await aim(spot(this.page, name));
    const finger = await this.page.context().newCDPSession(this.page);
    await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
    await this.page.waitForTimeout(600);
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }
  /** A finger reads a bet by making it. */
  look(name: string): Promise<void> {
    return this.bet(name);
  }
  async amount(dollars: string): Promise<void> {
    await this.write(this.page.getByLabel("An amount of your own, in dollars"), dollars);
  }
}

class Keys extends Player {
  override readonly pointed = false;

  async press(what: Locator): Promise<void> {
    await ready(what);
    const { on, shortcut } = await what.evaluate((thing) => ({
      on: thing.closest("[data-spot]")?.getAttribute("data-spot") ?? null,
      shortcut: thing.getAttribute("aria-keyshortcuts"),
    }));
    if (shortcut?.length === 1) return this.page.keyboard.press(shortcut.toLowerCase());
    if (await what.evaluate((thing) => thing.matches("[type=radio]"))) return this.radio(what);
    if (on !== null) await this.go(on);
    else await this.reach(what);
    const ticks = await what.evaluate((thing) => thing.matches("[type=checkbox]"));
    await this.page.keyboard.press(ticks ? "Space" : "Enter");
  }

  override dismiss(): Promise<void> {
    return this.page.keyboard.press("Escape");
  }

  override enter(field: Locator): Promise<void> {
    return this.reach(field);
  }

  /** By arrows, to be chosen with Enter. */
  override async pick(item: string): Promise<void> {
    const one = this.item(item);
    await one.waitFor();
    for (let steps = 0; steps < 9; steps++) {
      if (await one.evaluate((one) => one === document.activeElement)) break;
      await this.page.keyboard.press("ArrowDown");
    }
    await this.page.keyboard.press("Enter");
  }

  async take(name: string): Promise<void> {
    await this.go(name);
    await this.page.keyboard.press("Backspace");
  }

  look(name: string): Promise<void> {
    return this.go(name);
  }

  override skip(): Promise<void> {
    return this.page.keyboard.press("Escape");
  }

  /** By arrows from the one that is chosen. */
  async radio(one: Locator): Promise<void> {
    const name = await one.getAttribute("name");
    const all = this.page.locator(`input[name="${name}"]`);
    const chosen = all.and(this.page.locator(":checked"));
    const some = (await chosen.count()) > 0;
    await this.reach(some ? chosen : all.first());
    if (!some) await this.page.keyboard.press("Space");
    for (let steps = 0; steps < 30 && !(await one.isChecked()); steps++)
      await this.page.keyboard.press("ArrowDown");
  }

  /** By its first letters. */
  async option(field: Locator, option: string): Promise<void> {
    await this.reach(field);
    await this.page.keyboard.type(option);
  }

  /** To something by Tab, and back by Shift and Tab where it has gone past. */
  async reach(what: Locator): Promise<void> {
    for (let tabs = 0; tabs < 150; tabs++) {
      const key = await what.evaluate((thing) => {
        const here = document.activeElement ?? document.body;
        if (here === thing) return null;
        const past = thing.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING;
        return past && here !== document.body ? "Shift+Tab" : "Tab";
      });
      if (key === null) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`no Tab leads to ${String(what)}`);
  }

  /** To a spot: by Tab to the felt, and there by arrows. */
  async go(name: string): Promise<void> {
    const target = spot(this.page, name);
    await target.waitFor();
    const onFelt = () => this.page.evaluate(() => !!document.activeElement?.closest("#felt g"));
    if (!(await onFelt())) await this.reach(this.page.locator('#felt g[tabindex="0"]'));
    const tried = new Set<string>();
    for (let steps = 0; steps < 60; steps++) {
      const keys = await target.evaluate((thing) => {
        const here = document.activeElement!;
        if (here === thing) return null;
        const [from, to] = [here, thing].map((one) => one.getBoundingClientRect());
        const across = to!.x + to!.width / 2 - from!.x - from!.width / 2;
        const down = to!.y + to!.height / 2 - from!.y - from!.height / 2;
        const level = across < 0 ? "ArrowLeft" : "ArrowRight";
        const upright = down < 0 ? "ArrowUp" : "ArrowDown";
        const name = here.getAttribute("data-spot");
        const order = Math.abs(across) > Math.abs(down) ? [level, upright] : [upright, level];
        return order.map((key) => `${key} ${name}`);
      });
      if (keys === null) return;
      const key = keys.find((key) => !tried.has(key)) ?? keys[0]!;
      tried.add(key);
      await this.page.keyboard.press(key.split(" ")[0]!);
    }
    throw new Error(`no arrows lead to ${name}`);
  }
}
