// What is being looked at, as the address says it: a link leads to the same figures.

import type { PaytableView, RulebookView } from "$wire";
import { optionsLine, termsOptions, type MeterTerms } from "../lib/meterTerms.ts";

/** A rulebook on the table; without paytables it offers its defaults. */
export interface Chosen {
  name: string;
  paytables: string[] | null;
}

export type View = "edges" | "par" | "atlas";

const VIEWS: readonly string[] = ["par", "atlas"];

export interface Choice {
  view: View;
  rules: Chosen[];
  options: string;
  /** Cents. */
  stake: number | null;
  /** What every meter shows on the table of edges, in cents. */
  shown: number | null;
  find: string;
  /** A column, with `-` before it for the largest first. */
  sort: string;
  paytables: string[];
  unit: number | null;
  meter: number | null;
  bettors: number;
  rolls: number;
  terms: string;
  /** What meters start at and what feeds them, where it is not as suggested. */
  meters: MeterTerms;
}

export const BASE = "presque-isle";
export const BETTORS_MOST = 24;
export const ROLLS = 100;
export const ROLLS_MOST = 10_000;
/** So many paytables are compared at once. */
export const PAYTABLES_MOST = 12;
/** The terms of a meter that an address may name. */
const TERMS = ["seed", "increment", "reserve"] as const;

/** `presque-isle bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03`, as on a tape. */
export function rulesLine(rules: readonly Chosen[]): string {
  return rules
    .map(({ name, paytables }) =>
      paytables === null ? name : `${name}:${paytables.join(",") || "none"}`,
    )
    .join(" ");
}

export function readRules(line: string): Chosen[] {
  const words = line.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [{ name: BASE, paytables: null }];
  return words.map((word) => {
    const [name = "", tables] = word.split(":");
    if (tables === undefined) return { name, paytables: null };
    const paytables = tables.split(",").filter((table) => table !== "" && table !== "none");
    return { name, paytables };
  });
}

function whole(text: string | null, least: number, most: number): number | null {
  if (text === null || !/^\d{1,13}$/.test(text)) return null;
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}

function view(text: string | null): View {
  return text !== null && VIEWS.includes(text) ? (text as View) : "edges";
}

/** What an address asks for; what makes no sense in it is left out. */
export function readChoice(search: string): Choice {
  const query = new URLSearchParams(search);
  const list = (name: string) => (query.get(name) ?? "").split(",").filter((word) => word !== "");
  return {
    view: view(query.get("view")),
    rules: readRules(query.get("rules") ?? ""),
    options: query.get("options") ?? "",
    stake: whole(query.get("stake"), 1, 100_000_000),
    shown: whole(query.get("shown"), 0, 1e12),
    find: query.get("find") ?? "",
    sort: query.get("sort") ?? "",
    paytables: [...new Set(list("paytables"))].slice(0, PAYTABLES_MOST),
    unit: whole(query.get("unit"), 1, 100_000_000),
    meter: whole(query.get("meter"), 0, 1e12),
    bettors: whole(query.get("bettors"), 1, BETTORS_MOST) ?? 1,
    rolls: whole(query.get("rolls"), 1, ROLLS_MOST) ?? ROLLS,
    terms: query.get("terms") ?? "",
    meters: Object.fromEntries(
      TERMS.filter((word) => query.has(word)).map((word) => [word, query.get(word) ?? ""]),
    ),
  };
}

/** The other way round; what is as usual is not mentioned. */
export function writeChoice(choice: Choice): string {
  const rules = rulesLine(choice.rules);
  return encode({
    view: choice.view === "edges" ? null : choice.view,
    rules: rules === BASE ? null : rules,
    options: choice.options,
    stake: choice.stake,
    shown: choice.shown,
    find: choice.find,
    sort: choice.sort,
    paytables: choice.paytables.join(","),
    unit: choice.unit,
    meter: choice.meter,
    bettors: choice.bettors === 1 ? null : choice.bettors,
    rolls: choice.rolls === ROLLS ? null : choice.rolls,
    terms: choice.terms,
    ...Object.fromEntries(TERMS.map((word) => [word, choice.meters[word] ?? null])),
  });
}

/** `?a=1&b=2`, or nothing. */
export function encode(values: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== "") query.set(name, String(value));
  }
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text && `?${text}`;
}

type Table = Pick<PaytableView, "progressive" | "suggested">;

/** Where the edges are asked for, with these paytables on offer. */
export function edgesPath(choice: Choice, tables: readonly Table[]): string {
  const options = optionsLine(termsOptions(tables, choice.meters), choice.options);
  const meter = tables.some((table) => table.progressive) ? choice.shown : null;
  const { stake } = choice;
  return `/api/edges${encode({ rules: rulesLine(choice.rules), options, stake, meter })}`;
}

/** Where the sheets of these paytables are asked for, in one of their formats. */
export function sheetsPath(choice: Choice, tables: readonly Table[], format: string): string {
  return `/api/par${encode({
    paytables: choice.paytables.join(","),
    unit: choice.unit,
    meter: tables.some((table) => table.progressive) ? choice.meter : null,
    bettors: choice.bettors,
    rolls_per_hour: choice.rolls,
    options: optionsLine(termsOptions(tables, choice.meters), choice.terms),
    format,
  })}`;
}

export interface Offered {
  name: string;
  wagers: string[];
}

/** The paytables a rulebook can be played with: its own, and others that price the wagers its
 * defaults do. */
export function offered(book: RulebookView, books: readonly RulebookView[]): Offered[] {
  const all = books.flatMap((other) => other.paytables);
  const own = new Set(book.paytables.map((table) => table.name));
  const borrowed = all
    .filter((table) => book.default_paytables.includes(table.name) && !own.has(table.name))
    .flatMap((table) => table.wagers);
  const others = all.filter(
    (table) => !own.has(table.name) && table.wagers.some((wager) => borrowed.includes(wager)),
  );
  return [...book.paytables, ...others];
}

/** The rules with a paytable put on offer or taken away. A wager has one paytable at a time, so
 * others for the same wagers make room. */
export function withPaytable(
  rules: readonly Chosen[],
  book: RulebookView,
  tables: readonly Offered[],
  table: string,
  on: boolean,
): Chosen[] {
  const wagers = tables.find((other) => other.name === table)?.wagers ?? [];
  const rivals = tables.filter((other) => other.wagers.some((wager) => wagers.includes(wager)));
  return rules.map((chosen) => {
    if (chosen.name !== book.name) return chosen;
    const now = (chosen.paytables ?? book.default_paytables).filter(
      (other) => other !== table && !(on && rivals.some((rival) => rival.name === other)),
    );
    const order = (name: string) => tables.findIndex((other) => other.name === name);
    const paytables = on ? [...now, table].sort((a, b) => order(a) - order(b)) : now;
    return { ...chosen, paytables: same(paytables, book.default_paytables) ? null : paytables };
  });
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** The rules with side bets put on the table or taken off. */
export function withRulebook(rules: readonly Chosen[], name: string, on: boolean): Chosen[] {
  const others = rules.filter((chosen) => chosen.name !== name);
  return on ? [...others, { name, paytables: null }] : others;
}
