// A house for a test: a server of its own on the loopback with a store of its own, people with
// accounts, and a browser to look at it with.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import type {
  Command,
  Me,
  Problem,
  Role,
  TableConfig,
  TableView,
} from "../../crates/boxman-server/api/wire.ts";
import { CHROMIUM } from "./chromium.ts";

const PROGRAM = process.env.BOXMAN_PROGRAM ?? resolve("../target/debug/boxman");
export const PASSWORD = "a good long password";

/** Somebody with a token. */
export interface Person {
  name: string;
  token: string;
}

export class House {
  address = "";
  /** Another store than a file of its own, and what else the server is told. */
  #told: string[];
  #folder = mkdtempSync(join(tmpdir(), "boxman-ui-"));
  #server: ChildProcess | null = null;
  #browser: Browser | null = null;
  #link = "";
  #asked = 0;
  boss: Person = { name: "boss", token: "" };

  constructor(told: string[] = []) {
    this.#told = told;
  }

  /** Opens a house: the server, the browser, and the first account. */
  static async open(told: string[] = []): Promise<House> {
    const house = new House(told);
    await house.start();
    house.#browser = await chromium.launch({
      executablePath: CHROMIUM!,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    house.boss = await house.enter("/api/setup", {
      link: house.#link,
      name: "boss",
      password: PASSWORD,
      table_name: "The boss",
    });
    return house;
  }

  /** Starts the server, where it was before if it was. */
  async start(): Promise<void> {
    const listen = this.address ? new URL(this.address).host : "127.0.0.1:0";
    const file = ["--store", `sqlite:${join(this.#folder, "boxman.db")}`];
    const told = this.#told.includes("--store") ? this.#told : [...file, ...this.#told];
    const server = spawn(PROGRAM, ["serve", "--listen", listen, ...told], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#server = server;
    // Whatever becomes of the tests, no server outlives them.
    process.once("exit", () => server.kill("SIGKILL"));
    const said: string[] = [];
    this.address = await new Promise((found, failed) => {
      const hear = (bytes: Buffer) => {
        said.push(String(bytes));
        const text = said.join("");
        this.#link = /\/setup\/([0-9a-f]+)/.exec(text)?.[1] ?? this.#link;
        const open = /open at (http:\S+)/.exec(text)?.[1];
        if (open) found(open);
      };
      server.stdout?.on("data", hear);
      server.stderr?.on("data", hear);
      server.on("error", failed);
      server.on("exit", (code) =>
        failed(new Error(`the server ended with ${code}: ${said.join("")}`)),
      );
    });
  }

  /** Ends the server, as an operator would or as a power cut does. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Stops the server and has its log derived again: what `boxman verify` says. */
  async verify(): Promise<string> {
    await this.stop();
    const store = join(this.#folder, "boxman.db");
    const { stdout, stderr } = spawnSync(PROGRAM, ["verify", store], { encoding: "utf8" });
    await this.start();
    return stdout + stderr;
  }

  async request<T>(path: string, body?: unknown, who: Person | null = this.boss): Promise<T> {
    const response = await fetch(this.address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "content-type": "application/json",
        ...(who ? { authorization: `Bearer ${who.token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${(JSON.parse(text) as Problem).detail}`);
    return (text ? JSON.parse(text) : null) as T;
  }

  async enter(path: string, body: object): Promise<Person> {
    const me = await this.request<Me>(path, body, null);
    return { name: me.name, token: me.token! };
  }

  guest = (name: string): Promise<Person> => this.enter("/api/guest", { name });

  /** Makes an account and logs it in. */
  async hire(name: string, ...roles: Role[]): Promise<Person> {
    const table_name = `${name} of the crew`;
    await this.request("/api/accounts", { name, table_name, password: PASSWORD, roles });
    return this.enter("/api/login", { name, password: PASSWORD });
  }

  async table(more: Partial<TableConfig> = {}): Promise<string> {
    const config = {
      name: "Downtown 1",
      rules: ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01"],
      options: {
        "make-em-all-progressive.meter.seed": "10000",
        "make-em-all-progressive.meter.increment": "15%",
        "fired-up.meter.seed": "5000",
        "fired-up.meter.increment": "15%",
      },
      dice: "dealer",
      practice: true,
      ...more,
    };
    return (await this.request<TableView>("/api/tables", config)).id;
  }

  /** Asks something of a table; crews at real tables name the betting round. */
  ask(table: string, command: Command, who: Person = this.boss, round?: number): Promise<unknown> {
    const id = `t${this.#asked++}`;
    return this.request(`/api/tables/${table}/commands`, { id, round, command }, who);
  }

  view = (table: string): Promise<TableView> => this.request(`/api/tables/${table}`);

  /** Real dice, keyed in. */
  async roll(table: string, dice: string): Promise<void> {
    const { round } = (await this.view(table)).hand;
    await this.ask(table, { command: "close-betting" }, this.boss, round);
    await this.ask(table, { command: "key-roll", dice }, this.boss, round);
  }

  /** The last roll is paid: bets open. */
  async paid(table: string): Promise<void> {
    const { round } = (await this.view(table)).hand;
    await this.ask(table, { command: "open-betting" }, this.boss, round);
  }

  /** Everybody closes their pages. */
  async leave(): Promise<void> {
    for (const context of this.#browser?.contexts() ?? []) await context.close();
  }

  /** A browser of somebody's own, by the straight line to the server or through another. */
  async visit(
    path: string,
    who: Person | null = null,
    options: Visit = {},
    through = this.address,
  ): Promise<Page> {
    const page = await (await this.context(who, options)).newPage();
    page.on("pageerror", (error) => this.faults.push(`${path}: ${error.message}`));
    page.on("console", (message) => {
      // Whoever is not logged in is told so, and that is no fault.
      const expected = /401|net::ERR|WebSocket/.test(message.text());
      if (message.type() === "error" && !expected) this.faults.push(`${path}: ${message.text()}`);
    });
    await page.goto(through + path);
    return page;
  }

  /** What browsers complained about. */
  faults: string[] = [];

  async context(
    who: Person | null,
    {
      width = 1280,
      height = 800,
      tumble = false,
      guide = false,
      keepUp = false,
      ...more
    }: Visit = {},
  ): Promise<BrowserContext> {
    const context = await this.#browser!.newContext({ viewport: { width, height }, ...more });
    context.setDefaultTimeout(12_000);
    if (who) await context.addCookies([{ name: "boxman", value: who.token, url: this.address }]);
    if (!tumble) await context.addInitScript(() => localStorage.setItem("boxman.tumble", "false"));
    if (!keepUp)
      await context.addInitScript(() => {
        localStorage.setItem("boxman.stayUp", localStorage.getItem("boxman.stayUp") ?? "false");
      });
    if (!guide) await context.addInitScript(() => localStorage.setItem("boxman.firstHand", "true"));
    return context;
  }
}

export interface Visit {
  width?: number;
  height?: number;
  /** Dice that take their time. */
  tumble?: boolean;
  /** The first hand is guided. */
  guide?: boolean;
  /** It is asked whether winning line bets stay up. */
  keepUp?: boolean;
  hasTouch?: boolean;
  isMobile?: boolean;
  reducedMotion?: "reduce";
  colorScheme?: "light" | "dark";
}

/** A spot on the felt. */
export const spot = (page: Page, name: string) => page.locator(`g[data-spot="${name}"]`);

/** Takes a seat with chips, through the page. */
export async function sit(page: Page, name: string | null, dollars = 500): Promise<void> {
  await page.getByRole("button", { name: "Take a seat" }).first().click();
  if (name !== null) await page.getByLabel("Your name at the table").fill(name);
  await page.getByLabel("Buy in for, in dollars").fill(String(dollars));
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("radiogroup", { name: "The chip in your hand" }).waitFor();
}

/** Clicks a spot, as many times as said, whether or not it takes a bet. */
export async function bet(page: Page, name: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) await spot(page, name).click({ force: true });
}

/** Chooses something from a menu of the rack. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menu").getByText(item, { exact: true }).click();
}

/** Whether the label of a spot says so, soon. */
export async function says(page: Page, name: string, text: string | RegExp): Promise<void> {
  const pattern = typeof text === "string" ? text : text.source;
  await page.waitForFunction(
    ([name, pattern]) =>
      new RegExp(pattern).test(
        document.querySelector(`g[data-spot="${name}"]`)?.getAttribute("aria-label") ?? "",
      ),
    [name, pattern] as const,
  );
}

/** The rack as the page shows it. */
export const rack = (page: Page) => page.locator(".money .amount").innerText();
