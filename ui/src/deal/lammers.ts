// The lammers after a roll: which to place, and which boards to clear.

import type { TrackerView, WagerView } from "$wire";
import { title, wagerOf } from "../lib/words.ts";

/** What is to be done on one board. */
export interface Board {
  wager: string;
  title: string;
  /** Numbers that get a lammer now. */
  place: number[];
  /** Numbers whose lammers come off. */
  clear: number[];
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
    boards.push({ wager: spot, title: title(wagers, spot), place, clear, matched, progress });
  }
  return boards;
}
