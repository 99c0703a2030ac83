// Three nodes on a PostgreSQL with a standby, a proxy in front, and two who play: the node that
// runs their table is killed in mid-hand, and the felt goes on with every chip in place.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TableView } from "../../crates/boxman-server/api/wire.ts";
import { House, bet, rack, says, sit } from "./house.ts";

const PROGRAM = process.env.BOXMAN_PROGRAM ?? resolve("../target/debug/boxman");
const DATABASE = join(dirname(PROGRAM), "examples/database");
const NAMES = ["one", "two", "three"];

/** A PostgreSQL with a standby, which answers line by line. */
class Database {
  #process: ChildProcess = spawn(DATABASE, { stdio: ["pipe", "pipe", "inherit"] });
  #lines: Interface = createInterface({ input: this.#process.stdout! });
  #waiting: ((line: string) => void)[] = [];
  #said: string[] = [];

  constructor() {
    this.#lines.on("line", (line) => {
      const next = this.#waiting.shift();
      if (next) next(line);
      else this.#said.push(line);
    });
  }

  line(): Promise<string> {
    const said = this.#said.shift();
    if (said !== undefined) return Promise.resolve(said);
    return new Promise((found) => this.#waiting.push(found));
  }

  sql(statement: string): Promise<string> {
    this.#process.stdin!.write(`${statement}\n`);
    return this.line();
  }

  close(): Promise<unknown> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.stdin!.end();
    return ended;
  }
}

/** What stands in front of nodes: each connection goes to the first that is there. */
class Proxy {
  /** Which node is asked first. */
  first = 0;
  #server: Server;
  #addresses: string[];

  constructor(nodes: House[]) {
    this.#addresses = nodes.map(({ address }) => address);
    this.#server = createServer((socket) => this.#pass(socket, this.first, nodes.length));
  }

  #pass(socket: Socket, node: number, left: number): void {
    if (left === 0) return void socket.destroy();
    const { hostname, port } = new URL(this.#addresses[node]!);
    const there = connect(Number(port), hostname);
    socket.on("error", () => there.destroy());
    there.once("error", () => this.#pass(socket, (node + 1) % this.#addresses.length, left - 1));
    there.once("connect", () => {
      there.removeAllListeners("error");
      there.on("error", () => socket.destroy());
      there.on("close", () => socket.destroy());
      socket.on("close", () => there.destroy());
      socket.pipe(there).pipe(socket);
    });
  }

  open(): Promise<string> {
    return new Promise((found) =>
      this.#server.listen(0, "127.0.0.1", () =>
        found(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`),
      ),
    );
  }

  close(): void {
    this.#server.close();
  }
}

const installed = existsSync(DATABASE);
const folder = mkdtempSync(join(tmpdir(), "boxman-nodes-"));
let database: Database;
let nodes: House[];
let proxy: Proxy;

beforeAll(async () => {
  if (!installed) return;
  database = new Database();
  const store = await database.line();
  const told = (name: string) => [
    ...["--store", store, "--key", join(folder, "key"), "--node", name],
    ...["--durability", "replica"],
  ];
  const first = await House.open(told(NAMES[0]!));
  nodes = [first];
  for (const name of NAMES.slice(1)) {
    const node = new House(told(name));
    await node.start();
    nodes.push(node);
  }
  proxy = new Proxy(nodes);
  // Nothing changes hands any more once each has its share.
  const share = "SELECT count(*) = 3 AND max(n) - min(n) < 4 FROM";
  const counts = "(SELECT count(*) AS n FROM pit GROUP BY name) AS counts";
  while ((await database.sql(`${share} ${counts}`)) !== "t") await pause(200);
  // Whoever speaks for the house does so through the proxy from now on.
  first.address = await proxy.open();
});

afterAll(async () => {
  if (!installed) return;
  proxy.close();
  const [first, ...others] = nodes;
  for (const node of others) await node.close();
  await first!.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  expect(first!.faults).toEqual([]);
});

/** Which node runs a table. */
async function owner(table: string): Promise<number> {
  const name = await database.sql(
    `SELECT p.name FROM stream s JOIN pit p USING (pit) WHERE s.stream = 'table/${table}'`,
  );
  return NAMES.indexOf(name);
}

/** Somebody at the table, through the node that is said. */
async function player(table: string, name: string, node: number): Promise<Page> {
  proxy.first = node;
  const house = nodes[0]!;
  const page = await house.visit(`/table/${table}`, await house.guest(name));
  await sit(page, null);
  return page;
}

test.runIf(installed)("the owner is killed in mid-hand, and the felt goes on", async () => {
  const house = nodes[0]!;
  const table = await house.table({ name: "Downtown" });
  const killed = await owner(table);
  const [here, there] = [(killed + 1) % 3, killed];
  const ann = await player(table, "Ann", here);
  const bob = await player(table, "Bob", there);
  proxy.first = here;
  await bet(ann, "pass", 2);
  await bet(bob, "pass");
  await says(ann, "pass", "you have \\$10");
  await says(bob, "pass", "you have \\$5");
  await house.roll(table, "4-2");
  await bet(ann, "place 8");
  await says(ann, "place 8", "you have \\$6");
  const before = await house.view(table);

  const begun = Date.now();
  await nodes[killed]!.stop("SIGKILL");
  // One spoke to the node that is gone, one to a node that passed everything on to it. A bet that
  // finds no connection is not sent, so whoever is back is who can bet.
  for (const page of [ann, bob]) {
    while (!(await bets(page, "place 10"))) expect(Date.now() - begun).toBeLessThan(8_000);
    console.log(`a bet is taken again ${Date.now() - begun} ms after the kill`);
  }
  await says(ann, "pass", "you have \\$10");
  await says(ann, "place 8", "you have \\$6");
  await says(bob, "pass", "you have \\$5");
  const after = await house.view(table);
  const others = ({ seats }: TableView) =>
    seats.map(({ bets }) => bets.filter(({ wager }) => wager !== "place 10"));
  expect(others(after)).toEqual(others(before));
  expect(after.hand.puck).toEqual(before.hand.puck);
  expect(await owner(table)).not.toBe(killed);
  if (process.env.BOXMAN_PICTURES) await pictures(ann, bob);

  const racks = after.seats.map(({ rack }) => rack);
  await house.roll(table, "5-1");
  await expect.poll(() => rack(ann)).toBe(dollars(racks[0]! + 2_000));
  await expect.poll(() => rack(bob)).toBe(dollars(racks[1]! + 1_000));
});

/** Bets on a spot with nothing on it; whether the table has taken it. */
async function bets(page: Page, name: string): Promise<boolean> {
  await bet(page, name);
  const taken = page.locator(`g[data-spot="${name}"][aria-label*="you have $"]`);
  return taken.waitFor({ state: "attached", timeout: 250 }).then(
    () => true,
    () => false,
  );
}

const dollars = (cents: number): string => `$${cents / 100}`;

/** What it looks like, for those who want to see. */
async function pictures(wide: Page, phone: Page): Promise<void> {
  await wide.screenshot({ path: join(process.env.BOXMAN_PICTURES!, "nodes-desk.png") });
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.screenshot({ path: join(process.env.BOXMAN_PICTURES!, "nodes-phone.png") });
}
