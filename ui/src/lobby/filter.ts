// Finding a table among many.

import type { TableLine } from "$wire";
import { free } from "./line.ts";

/** Fewer tables than this need no finding. */
export const MANY = 7;

export interface Wanted {
  /** Words of its name, its rules or its side bets. */
  text: string;
  chips: "any" | "practice" | "real";
  seat: boolean;
  sides: boolean;
}

export const ANYTHING: Wanted = { text: "", chips: "any", seat: false, sides: false };

/** The tables that are wanted; `inWords` says what their rules are called. */
export function wanted(
  lines: TableLine[],
  want: Wanted,
  inWords: (line: TableLine) => string = () => "",
): TableLine[] {
  const words = want.text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (want.chips !== "any" && line.practice !== (want.chips === "practice")) return false;
    if (want.seat && free(line) === 0) return false;
    if (want.sides && line.sides.length === 0) return false;
    const meters = line.meters.map((meter) => meter.title);
    const told = [line.name, ...line.sides, ...meters, inWords(line)].join(" ").toLowerCase();
    return words.every((word) => told.includes(word));
  });
}
