// Where seats are drawn around a table from above.

/** The crew stands at the top: so many degrees of the rail are theirs. */
const CREW = 70;

/** The middle of a seat, in percent of the drawing; the first is left of the crew. */
export function seatPlace(seat: number, seats: number): { x: number; y: number } {
  const degrees = -90 - CREW / 2 - ((seat + 0.5) * (360 - CREW)) / seats;
  const angle = (degrees * Math.PI) / 180;
  return { x: 50 + 45 * Math.cos(angle), y: 50 + 39 * Math.sin(angle) };
}

/** The seat to start with. */
export function firstFree(seats: number, taken: ReadonlyMap<number, unknown>): number | null {
  for (let seat = 0; seat < seats; seat++) if (!taken.has(seat)) return seat;
  return null;
}
