// What moves on the felt when the dice have come to rest: chips that are paid, swept, handed back
// or that travel, and the marks that say what it came to. Everybody else's chips on a spot move
// as one, so that a full table moves no more than there are spots.

import type { RolledView, SeatView, SettledView } from "$wire";
import { dollars, signed } from "../lib/money.ts";
import { bySpot, netOf } from "../lib/table.ts";
import { numberOf } from "../lib/words.ts";
import { SMALL, standing, type Plan, type Point, type Region } from "./plan.ts";

/** Paid by the house to the bet and on to the player; swept to the house; handed back to the
 * player once the bet is paid; or gone to its number. */
export type Way = "pay" | "sweep" | "back" | "travel";

/** Chips on their way. */
export interface Movement {
  way: Way;
  spot: string;
  mine: boolean;
  cents: number;
  /** How large they are. */
  r: number;
  /** Where they come by, from the first to the last. */
  path: Point[];
}

/** What became of a bet of yours, written where it stood. */
export interface Mark {
  spot: string;
  at: Point;
  text: string;
  tone: "win" | "lose" | "moved";
}

export interface Aftermath {
  movements: Movement[];
  marks: Mark[];
}

/** How far a phone's chips go down to the player: its felt is longer than the screen. */
const DOWN = 480;

/** The bank, at the far side of the table. */
const bank = (plan: Plan): Point => ({ x: plan.width / 2, y: 0 });

/** Yours come down to your rack, the others' go to the rail at their side. */
function player(plan: Plan, from: Point, mine: boolean): Point {
  if (!mine) return { x: from.x < plan.width / 2 ? 0 : plan.width, y: from.y };
  const low = plan.kind === "tall" ? Math.min(plan.height, from.y + DOWN) : plan.height;
  return { x: plan.width / 2, y: low };
}

/** What a roll does to the chips that were on the felt before it. */
export function aftermath(
  roll: RolledView,
  before: SeatView[],
  plan: Plan,
  regions: Region[],
  seat: number | null,
): Aftermath {
  const places = new Map(regions.map((region) => [region.spot, region]));
  const bets = bySpot(before);
  const moving = new Map<string, Movement>();
  const marks: Mark[] = [];

  /** Where chips stand on a spot: yours in your place, the others' beside them. */
  function stands(region: Region, mine: boolean): Point {
    if (mine) return region.mine;
    const beside = bets.get(region.spot)?.some((placed) => placed.seat.seat === seat) ?? false;
    return standing(region, 1, beside)[0] ?? region.mine;
  }

  function move(way: Way, region: Region, mine: boolean, cents: number, to?: Region): void {
    const key = `${way} ${region.spot} ${to?.spot ?? ""} ${mine ? "yours" : "theirs"}`;
    const other = moving.get(key);
    if (other) {
      other.cents += cents;
      return;
    }
    const r = region.r * (mine ? 1 : SMALL);
    const from = stands(region, mine);
    const beside = { x: from.x + region.way * r * 1.5, y: from.y };
    const path = {
      pay: [bank(plan), beside, player(plan, beside, mine)],
      sweep: [from, bank(plan)],
      back: [from, player(plan, from, mine)],
      travel: [from, to ? stands(to, mine) : from],
    }[way];
    moving.set(key, { way, spot: region.spot, mine, cents, r, path });
  }

  for (const line of roll.lines) {
    const region = places.get(line.wager);
    if (!region) continue;
    const mine = line.seat === seat;
    const paid = line.to_rack > 0 ? netOf(line) : 0;
    if (line.fate === "travel") {
      const to = places.get(line.left ?? "");
      if (to) move("travel", region, mine, line.stake, to);
    } else if (line.to_rack > 0) {
      if (paid > 0) move("pay", region, mine, paid);
      if (line.to_rack > paid) move("back", region, mine, line.to_rack - paid);
    } else if (line.left === null) move("sweep", region, mine, line.stake);
    const said = mine ? mark(line, paid) : null;
    if (said) marks.push({ spot: region.spot, at: region.mine, ...said });
  }
  return { movements: [...moving.values()], marks };
}

function mark(line: SettledView, paid: number): Pick<Mark, "text" | "tone"> | null {
  switch (line.fate) {
    case "win":
      // Nothing comes to the rack: a meter pays it, once that is confirmed.
      if (line.to_rack === 0 && line.left === null) return { text: "Jackpot", tone: "win" };
      return { text: signed(paid), tone: "win" };
    case "lose":
      return { text: dollars(-line.stake), tone: "lose" };
    case "travel":
      return { text: `→ ${numberOf(line.left ?? "") ?? line.left}`, tone: "moved" };
    default:
      return null;
  }
}
