// What is written beside a player at the rail.

import type { TableView } from "$wire";

/** The seat whose player has gone with the house's dice. Whoever stands at a real table needs no
 * connection. */
export function goneWithDice({ config, hand }: TableView, shooterAway: boolean): number | null {
  return shooterAway && config.dice === "house" ? hand.shooter : null;
}

/** Nothing for whoever only plays; only of the shooter is it known whether they are there. */
export function atTheRail(table: TableView, seat: number, shooterAway: boolean): string {
  if (seat !== table.hand.shooter) return "";
  return goneWithDice(table, shooterAway) === seat ? "away with the dice" : "shoots";
}
