// Where seats are drawn around a table from above.

/** The crew stands at the top: this share of the rail is theirs. */
const CREW = 0.14;
/** So many points of the rail are measured. */
const POINTS = 720;

export interface Ring {
  /** The middles of the seats, in pixels; the first is left of the crew. */
  places: { x: number; y: number }[];
  /** How wide a seat may be without touching the next. */
  size: number;
}

/** So many seats around an oval of this size, evenly apart along the rail. */
export function ring(seats: number, width: number, height: number, most: number): Ring {
  const [a, b] = [Math.max(0, (width - most) / 2), Math.max(0, (height - most) / 2)];
  // Counter-clockwise from the top.
  const rail = Array.from({ length: POINTS + 1 }, (_, point) => {
    const angle = (point / POINTS) * 2 * Math.PI;
    return { x: width / 2 - a * Math.sin(angle), y: height / 2 - b * Math.cos(angle) };
  });
  const along = [0];
  for (const [point, { x, y }] of rail.entries()) {
    const before = rail[point - 1];
    if (before) along.push((along.at(-1) ?? 0) + Math.hypot(x - before.x, y - before.y));
  }
  const length = along.at(-1) ?? 0;
  const apart = (length * (1 - CREW)) / seats;
  const places = Array.from({ length: seats }, (_, seat) => {
    const wanted = (length * CREW) / 2 + (seat + 0.5) * apart;
    const point = along.findIndex((far) => far >= wanted);
    return rail[point] ?? { x: width / 2, y: height / 2 };
  });
  return { places, size: Math.min(most, Math.floor(apart) - 2) };
}

/** The seat to start with. */
export function firstFree(seats: number, taken: ReadonlyMap<number, unknown>): number | null {
  for (let seat = 0; seat < seats; seat++) if (!taken.has(seat)) return seat;
  return null;
}
