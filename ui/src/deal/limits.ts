// What the console says of the limits of the day, and of who a player is.

import type { LimitView, NotedView, SeatLimitsView } from "$wire";

/** The limits on buy-ins that a player has crossed. */
export const crossed = ({ cash, markers }: SeatLimitsView): LimitView[] =>
  [cash, markers].filter((limit) => limit.over);

/** The limits to show beside a seat: those that nobody has used are left out. */
export const inUse = ({ cash, markers, cash_outs }: SeatLimitsView): LimitView[] =>
  [cash, markers, cash_outs].filter((limit) => limit.used !== 0);

/** `14:03 by Mx. dan`. */
export function noted({ at, name, by }: NotedView): string {
  const when = new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return `${when} by ${name ?? by}`;
}

/** The persons whom the crew has named at this table, each once. */
export function named(seats: readonly SeatLimitsView[]): string[] {
  return [...new Set(seats.flatMap(({ person }) => person ?? []))].sort();
}
