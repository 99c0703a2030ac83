// How a bet is won and lost, said as a dealer would: the house writes it as a rulebook does.

import type { WagerView } from "$wire";
import { listed } from "./words.ts";

/** What the first roll decides on a line or a come bet. */
export interface FirstRoll {
  wins: string;
  loses: string;
  pushes: string | null;
}

const numbers = (text: string) => listed(text.split(", "), "or");

/** `7 or 11`, `2, 3 or 12`; nothing for a bet that knows no first roll. */
export function firstRoll({ wins, loses }: Pick<WagerView, "wins" | "loses">): FirstRoll | null {
  const parts = (words: string) =>
    words.split("; ").flatMap((part) => /^first roll (.*?)( pushes)?$/.exec(part) ?? []);
  const [, won] = parts(wins);
  const [, lost, , , pushed] = parts(loses);
  if (!won || !lost) return null;
  return { wins: numbers(won), loses: numbers(lost), pushes: pushed ? numbers(pushed) : null };
}

/** What a part of a rule is written as, and how it is said. */
const SAID: [RegExp, (found: string) => string][] = [
  [/^first roll (.*) pushes$/, (many) => `${numbers(many)} on the first roll pushes`],
  [/^first roll (.*)$/, (many) => `${numbers(many)} on the first roll`],
  [/^then (.*)$/, (what) => `after that ${said(what)}`],
  [/^the number before 7$/, () => "its number before a 7"],
  [/^7 before the number$/, () => "a 7 before its number"],
  [/^all of (.*) before 7$/, (many) => `${listed(many.split(", "))}, all before a 7`],
  [/^different numbers of (.*)$/, (many) => `rolls without a repeat: ${numbers(many)}`],
  [/^rolls that follow (.*)$/, (order) => `rolls in the order ${order}`],
  [/^ends on 7 or a repeat$/, () => "it ends on a 7 or a repeat"],
  [/^ends on (.*)$/, (what) => `it ends on ${what}`],
  [/^(\d+(?:, \d+)+)$/, numbers],
  [/^7, (.*)$/, (other) => `a 7, or ${other}`],
  [/^7$/, () => "a 7"],
];

function said(part: string): string {
  for (const [written, say] of SAID) {
    const found = written.exec(part);
    if (found) return say(found[1] ?? "");
  }
  return part;
}

/** `7 or 11 on the first roll; after that its number before a 7`; with the number where the bet
 * stands on one. */
export function inWords(rule: string, number: number | null = null): string {
  const words = rule.split("; ").map(said).join("; ");
  return number === null ? words : words.replace(/\b(the|its) number\b/g, String(number));
}
