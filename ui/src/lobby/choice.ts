// Picking the rules of a new table: one base game, and for each side bet a paytable or none.

import type { PaytableView, RulebookView, TableConfig } from "$wire";
import { optionsLine, termsOptions } from "../lib/meterTerms.ts";

/** Paytables of one rulebook that cover the same wagers: one of them, or none. */
export interface Group {
  rulebook: string;
  wagers: string[];
  paytables: string[];
  /** What is chosen where nobody chooses. */
  usual: string | null;
}

/** The choices a rulebook leaves. */
export function groups(rulebook: RulebookView): Group[] {
  const found: Group[] = [];
  for (const paytable of rulebook.paytables) {
    const same = found.find((group) => group.wagers.join() === paytable.wagers.join());
    if (same) same.paytables.push(paytable.name);
    else
      found.push({
        rulebook: rulebook.name,
        wagers: paytable.wagers,
        paytables: [paytable.name],
        usual: null,
      });
  }
  for (const group of found)
    group.usual = group.paytables.find((name) => rulebook.default_paytables.includes(name)) ?? null;
  return found;
}

/** What is picked: the paytable of each group, by rulebook and wagers. */
export type Picked = Record<string, string>;
export const keyOf = (group: Group) => `${group.rulebook}/${group.wagers.join()}`;

/** What is picked to start with: everything that the first rulebook of side bets has. */
export function usualPick(rulebooks: RulebookView[]): Picked {
  const side = rulebooks.find((rulebook) => !rulebook.base);
  const picks = side ? groups(side) : [];
  return Object.fromEntries(
    picks.map((group) => [keyOf(group), group.usual ?? group.paytables[0] ?? ""]),
  );
}

/** The rules as the server takes them: `bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03`. */
export function rulesOf(base: string, all: Group[], picked: Picked): string[] {
  const byBook = new Map<string, string[]>([[base, []]]);
  for (const group of all) {
    const paytable = picked[keyOf(group)];
    if (!paytable) continue;
    byBook.set(group.rulebook, [...(byBook.get(group.rulebook) ?? []), paytable]);
  }
  return [...byBook].map(([book, paytables]) =>
    paytables.length > 0 ? `${book}:${paytables.join(",")}` : book,
  );
}

/** The paytables that are picked. */
export function pickedTables(books: RulebookView[], all: Group[], picked: Picked): PaytableView[] {
  return all.flatMap((group) => {
    const book = books.find((book) => book.name === group.rulebook);
    return book?.paytables.filter((table) => table.name === picked[keyOf(group)]) ?? [];
  });
}

/** The address of the edges of these rules. */
export function edgesAddress(rules: string[], options: TableConfig["options"]): string {
  const query = new URLSearchParams({ rules: rules.join(" ") });
  const line = optionsLine(options);
  if (line !== "") query.set("options", line);
  return `/api/edges?${query}`;
}

/** What practice tables have on where their base game leaves it open. */
const FRIENDLY = ["place-may-be-called-on"];

/** The options of a practice table of this base game. */
export function practiceOptions(base: RulebookView | undefined): TableConfig["options"] {
  const known = base?.options.map(([name]) => name) ?? [];
  return Object.fromEntries(
    FRIENDLY.filter((name) => known.includes(name)).map((name) => [name, "on"]),
  );
}

/** The practice table that is opened where nobody chooses. */
export function practiceTable(rulebooks: RulebookView[]): TableConfig {
  const base = rulebooks.find((rulebook) => rulebook.base);
  const books = rulebooks.filter((rulebook) => !rulebook.base || rulebook === base);
  const all = books.flatMap(groups);
  const picked = usualPick(rulebooks);
  return {
    name: "Practice",
    rules: rulesOf(base?.name ?? "", all, picked),
    options: {
      ...practiceOptions(base),
      ...termsOptions(pickedTables(books, all, picked), {}),
    },
    limits: {},
    dice: "house",
    practice: true,
    betting_seconds: null,
    seats: 16,
    meters: {},
    empty_meters: false,
  };
}
