// What meters run on, as options of their paytables: the server suggests terms, people change them.

import type { PaytableView } from "$wire";

/** By the last word of an option: `seed`, `increment`, `reserve`. What is left out or empty is as
 * suggested. */
export type MeterTerms = Record<string, string>;

type Metered = Pick<PaytableView, "suggested">;

const wordOf = (option: string) => option.slice(option.lastIndexOf(".") + 1);

/** What is suggested for these paytables. */
export function suggestedTerms(tables: readonly Metered[]): MeterTerms {
  const all = tables.flatMap(({ suggested }) => Object.entries(suggested));
  return Object.fromEntries(all.map(([option, value]) => [wordOf(option), value]));
}

/** The options that put the meters of these paytables on these terms. */
export function termsOptions(
  tables: readonly Metered[],
  terms: MeterTerms,
): Record<string, string> {
  const all = tables.flatMap(({ suggested }) => Object.entries(suggested));
  const chosen = ([option, value]: [string, string]): [string, string] => [
    option,
    written(terms[wordOf(option)] ?? "", value),
  ];
  return Object.fromEntries(all.map(chosen));
}

/** The terms of each meter, by the name of its paytable. */
export type TermsOfMeters = Record<string, MeterTerms>;

/** The options that put each of these meters on terms of its own, with a ceiling if one is given. */
export function ownTermsOptions(
  tables: readonly (Metered & { name: string })[],
  terms: TermsOfMeters,
): Record<string, string> {
  const own = tables.map((table) => {
    const { ceiling = "", ...others } = terms[table.name] ?? {};
    const seeds = Object.keys(table.suggested).filter((option) => wordOf(option) === "seed");
    const most = ceiling.replace(/\s/g, "");
    const ceilings = seeds.map((option) => [option.replace(/seed$/, "ceiling"), most]);
    return {
      ...termsOptions([table], others),
      ...(most === "" ? {} : (Object.fromEntries(ceilings) as Record<string, string>)),
    };
  });
  return Object.assign({}, ...own) as Record<string, string>;
}

/** As an option takes it: one word, a share with its sign. */
function written(typed: string, suggested: string): string {
  const word = typed.replace(/\s/g, "");
  if (word === "") return suggested;
  return suggested.endsWith("%") && !word.endsWith("%") ? `${word}%` : word;
}

/** `NAME=VALUE NAME=VALUE`; what somebody wrote out by name goes first. */
export function optionsLine(options: Record<string, string>, typed = ""): string {
  const words = typed.split(/\s+/).filter((word) => word !== "");
  const named = new Set(words.map((word) => word.split("=")[0]));
  const others = Object.entries(options).filter(([name]) => !named.has(name));
  return [...others.map(([name, value]) => `${name}=${value}`), ...words].join(" ");
}
