// What is written beside a player at the rail.

import type { TableView } from "$wire";

/** Nothing for whoever only plays; only of the shooter is it known whether they are there. */
export function atTheRail({ hand }: TableView, seat: number, shooterAway: boolean): string {
  if (seat !== hand.shooter) return "";
  return shooterAway ? "away with the dice" : "shoots";
}
