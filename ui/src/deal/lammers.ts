// The lammers after a roll: which to place, and which boards to clear.

import type { ClaimView, TrackerView, WagerView } from "$wire";
import { listed, title, wagerOf } from "../lib/words.ts";
import { claimName } from "./work.ts";

/** What is to be done on one board. */
export interface Board {
  wager: string;
  title: string;
  /** Numbers that get a lammer now. */
  place: number[];
  /** Numbers whose lammers come off. */
  clear: number[];
  /** Whether a lammer lies on the board afterwards. */
  marked: boolean;
  /** How many rolls of a sequence have matched, where it follows one. */
  matched: number | null;
  /** How far it has come in words, where it counts something else than numbers. */
  progress: string | null;
}

/** Compares the trackers before and after a roll. */
export function lammers(before: TrackerView[], after: TrackerView[], wagers: WagerView[]): Board[] {
  const boards: Board[] = [];
  for (const tracker of after) {
    // Where a side bet has a spot for each number, each has lammers of its own.
    const wager =
      wagers.find((other) => other.wager === tracker.wager) ?? wagerOf(wagers, tracker.wager);
    // On the Bonus Craps circles there is no board of its own to keep.
    if (!wager || wager.board?.on_bonus) continue;
    const earlier = before.find((other) => other.wager === tracker.wager);
    const was = earlier?.marks ?? [];
    const counts = tracker.count > 0 && tracker.count !== (earlier?.count ?? 0);
    const progress = counts && tracker.marks.length === 0 ? tracker.progress : null;
    const place = tracker.marks.filter((number) => !was.includes(number));
    const clear = was.filter((number) => !tracker.marks.includes(number));
    if (place.length === 0 && clear.length === 0 && progress === null) continue;
    const matched = wager.board?.shape === "sequence" ? tracker.matched : null;
    const spot = tracker.wager;
    const marked = tracker.marks.length > 0;
    boards.push({
      wager: spot,
      title: title(wagers, spot),
      place,
      clear,
      marked,
      matched,
      progress,
    });
  }
  return boards;
}

/** What is to be done on a board, in words. Lammers that won what is held stay where they lie until
 * its claim is answered: they are verified first. */
export function boardWork(board: Board, claims: ClaimView[], wagers: WagerView[]): string {
  const { place, clear, marked, matched, progress } = board;
  if (progress !== null) return progress;
  const off =
    clear.length === 0
      ? ""
      : `take the ${clear.length === 1 ? "lammer" : "lammers"} off ${listed(clear.map(String))}`;
  if (place.length > 0) {
    const sequence = matched === null ? "" : `, ${matched} in sequence`;
    const on = `place ${place.length === 1 ? "a lammer" : "lammers"} on ${listed(place.map(String))}`;
    return [`${on}${sequence}`, off].filter(Boolean).join("; ");
  }
  const waits = claims.filter((claim) => isOf(claim, board, wagers));
  if (waits.length > 0) {
    const names = waits.map((claim) => claimName(claim, wagers));
    return `leave the lammers until ${listed(names)} ${names.length === 1 ? "is" : "are"} answered, then clear the board`;
  }
  return marked ? off : "clear the board";
}

/** Whether a claim was won on the bets of a board. */
function isOf({ wager, paytable }: ClaimView, board: Board, wagers: WagerView[]): boolean {
  const of = wagers.find((other) => other.wager === board.wager) ?? wagerOf(wagers, board.wager);
  if (paytable !== null) return of?.paytable === paytable;
  return wager === board.wager || (wager !== null && of?.spots.includes(wager) === true);
}
