import { describe, expect, test } from "vitest";
import type { RulebookView } from "$wire";
import {
  edgesPath,
  offered,
  readChoice,
  readRules,
  rulesLine,
  sheetsPath,
  withPaytable,
  withRulebook,
  writeChoice,
} from "./choice.ts";

function book(name: string, tables: Record<string, string[]>, defaults: string[]): RulebookView {
  const paytables = Object.entries(tables).map(([name, wagers]) => {
    return { name, wagers, progressive: false, suggested: {} };
  });
  const rest = { title: name, source: "", options: [], hash: "" };
  return { ...rest, name, base: name === "base", paytables, default_paytables: defaults };
}

const base = book("base", {}, ["W1"]);
const side = book("side", { W1: ["small"], W2: ["small"], M1: ["meter"] }, ["W1"]);
const other = book("other", { L1: ["little"] }, ["L1"]);
const books = [base, side, other];

describe("rules", () => {
  test("read and written as on a tape", () => {
    const line = "presque-isle bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03 super-shooter:none";
    expect(rulesLine(readRules(line))).toBe(line);
    expect(rulesLine(readRules(""))).toBe("presque-isle");
  });

  test("a base game borrows paytables of other rulebooks", () => {
    expect(offered(base, books).map((table) => table.name)).toEqual(["W1", "W2"]);
    expect(offered(other, books).map((table) => table.name)).toEqual(["L1"]);
  });

  test("a wager has one paytable at a time", () => {
    const tables = offered(side, books);
    const rules = readRules("side");
    const two = withPaytable(rules, side, tables, "W2", true);
    expect(rulesLine(two)).toBe("side:W2");
    const three = withPaytable(two, side, tables, "M1", true);
    expect(rulesLine(three)).toBe("side:W2,M1");
    const back = withPaytable(three, side, tables, "M1", false);
    expect(rulesLine(withPaytable(back, side, tables, "W1", true))).toBe("side");
    expect(rulesLine(withPaytable(rules, side, tables, "W1", false))).toBe("side:none");
  });

  test("side bets come and go", () => {
    const rules = withRulebook(readRules("base"), "side", true);
    expect(rulesLine(rules)).toBe("base side");
    expect(rulesLine(withRulebook(rules, "side", false))).toBe("base");
  });
});

describe("addresses", () => {
  test("what is as usual is not mentioned", () => {
    expect(writeChoice(readChoice(""))).toBe("");
    expect(writeChoice(readChoice("?bettors=1&rolls=100&rules=presque-isle"))).toBe("");
  });

  test("a link leads to the same figures", () => {
    const search =
      "?view=par&rules=presque-isle+side:A,B&options=payout-unit%3D1&stake=500&find=place" +
      "&sort=-edge&paytables=A,B&unit=500&meter=4000000&bettors=6&rolls=120&terms=x%3D15%25" +
      "&seed=5000&increment=20%25&reserve=0";
    expect(writeChoice(readChoice(search))).toBe(search);
  });

  test("the atlas is a view like the others", () => {
    expect(writeChoice(readChoice("?view=atlas&sort=-hour"))).toBe("?view=atlas&sort=-hour");
    expect(readChoice("?view=map").view).toBe("edges");
  });

  test("nonsense is left out", () => {
    const choice = readChoice("?bettors=99&unit=-1&meter=x&stake=1.5&rolls=0&paytables=,,A,A");
    expect(choice).toMatchObject({ bettors: 1, unit: null, meter: null, stake: null, rolls: 100 });
    expect(choice.paytables).toEqual(["A"]);
  });

  test("a meter is sent only where there is one", () => {
    const choice = readChoice("?paytables=A&meter=0&bettors=2&shown=5");
    const [metered, plain] = [[{ progressive: true, suggested: {} }], []];
    expect(sheetsPath(choice, metered, "page")).toBe(
      "/api/par?paytables=A&meter=0&bettors=2&rolls_per_hour=100&format=page",
    );
    expect(sheetsPath(choice, plain, "csv")).not.toContain("meter");
    expect(edgesPath(choice, plain)).toBe("/api/edges?rules=presque-isle");
    expect(edgesPath(choice, metered)).toBe("/api/edges?rules=presque-isle&meter=5");
  });

  test("meters are on the suggested terms, or on those somebody chose", () => {
    const suggested = { "m.meter.seed": "1000", "m.meter.increment": "15%" };
    const tables = [{ progressive: true, suggested }];
    const sheets = (search: string) => sheetsPath(readChoice(search), tables, "page");
    expect(sheets("?paytables=M1")).toContain(
      "&options=m.meter.seed%3D1000+m.meter.increment%3D15%25&",
    );
    expect(sheets("?paytables=M1&seed=50&terms=m.meter.increment%3D9%25")).toContain(
      "&options=m.meter.seed%3D50+m.meter.increment%3D9%25&",
    );
    expect(edgesPath(readChoice("?options=put%3Don"), tables)).toBe(
      "/api/edges?rules=presque-isle&options=m.meter.seed%3D1000+m.meter.increment%3D15%25+put%3Don",
    );
  });
});
