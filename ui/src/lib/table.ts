// A table as this browser knows it: what the server sent, and each update applied to it. Pure:
// the live table and the replay of a hand both step through here.

import type {
  BetView,
  Happened,
  SettledView,
  RolledView,
  SeatView,
  TableView,
  Update,
} from "$wire";

/** How many rolls are kept for the strip of recent ones: as many as the server keeps. */
const RECENT = 60;

/** The table after one more record. */
export function apply(table: TableView, update: Update): TableView {
  const hand = update.hand ?? table.hand;
  let recent = table.recent;
  for (const event of update.events) recent = remember(recent, event);
  let seats = table.seats;
  if (update.seats.length > 0) {
    const changed = new Map(update.seats.map((seat) => [seat.seat, seat]));
    const kept = table.seats.filter((seat) => !changed.has(seat.seat));
    seats = [...kept, ...update.seats]
      .filter((seat) => seat.name !== null)
      .sort((one, other) => one.seat - other.seat);
  }
  return { ...table, seq: update.seq, hand, seats, recent };
}

function remember(recent: string[], event: Happened): string[] {
  switch (event.event) {
    case "rolled":
      return [...recent, event.dice].slice(-RECENT);
    case "voided":
      return recent.slice(0, -1);
    case "corrected":
      return [...recent.slice(0, -1), event.rolled.dice];
    default:
      return recent;
  }
}

/** The two faces of `3-4`. */
export function faces(dice: string): [number, number] {
  const [first = 1, second = 1] = dice.split("-").map(Number);
  return [first, second];
}

/** Their total. */
export function total(dice: string): number {
  const [first, second] = faces(dice);
  return first + second;
}

/** The roll that an update brought, if it did. */
export function rolled(update: Update): RolledView | null {
  for (const event of update.events) {
    if (event.event === "rolled") return event;
    if (event.event === "corrected") return event.rolled;
  }
  return null;
}

/** Somebody's bet on a spot. */
export interface Placed {
  seat: SeatView;
  bet: BetView;
}

/** Everybody's bets, by spot. */
export function bySpot(seats: SeatView[]): Map<string, Placed[]> {
  const spots = new Map<string, Placed[]>();
  for (const seat of seats) {
    for (const bet of seat.bets) {
      const placed = spots.get(bet.wager);
      if (placed) placed.push({ seat, bet });
      else spots.set(bet.wager, [{ seat, bet }]);
    }
  }
  return spots;
}

/** The seats that somebody plays from a browser. */
export function seatsOf(table: TableView, person: string | undefined): SeatView[] {
  return person === undefined ? [] : table.seats.filter((seat) => seat.person === person);
}

/** The first of them. */
export function seatOf(table: TableView, person: string | undefined): SeatView | null {
  return seatsOf(table, person)[0] ?? null;
}

/** The name of a seat, as the crew would call it: with its number where others have the name. */
export function nameOf(table: TableView, seat: number): string {
  return withSeat(table, bareName(table, seat), seat);
}

/** A name that a seat has, or had: with the seat's number if others here have the name. */
export function withSeat({ seats }: TableView, name: string, seat: number): string {
  const others = seats.some((other) => other.seat !== seat && isAlike(other.name, name));
  return others ? `${name} (seat ${seat + 1})` : name;
}

/** The same for where the number of the seat stands beside it. */
export function bareName({ seats }: TableView, seat: number): string {
  return seats.find((other) => other.seat === seat)?.name ?? `seat ${seat + 1}`;
}

const isAlike = (one: string | null, other: string) => one?.toLowerCase() === other.toLowerCase();

/** What a roll did to a seat: chips won and lost, not counting bets that came back. */
export function resultFor(roll: RolledView, seat: number): { lines: SettledView[]; net: number } {
  const lines = roll.lines.filter((line) => line.seat === seat);
  const net = lines.reduce((sum, line) => sum + netOf(line), 0);
  return { lines, net };
}

/** What a line brought: winnings less commission, or minus the stake; commission that was paid in
 * advance is gone with either. */
export function netOf(line: SettledView): number {
  const result = line.fate === "lose" ? -line.stake : line.won - line.commission;
  return result - line.vig;
}

/** What happened while a browser was away. */
export interface Missed {
  /** The totals rolled. */
  totals: number[];
  /** What they brought the seat. */
  net: number;
}

/** What happened while a browser was away; nothing where the dice did not move. */
export function missed(updates: Update[], seat: number | null): Missed | null {
  const rolls = updates.map(rolled).filter((roll) => roll !== null);
  if (rolls.length === 0) return null;
  const own = (shares: [number, number][]) =>
    shares.reduce((sum, [winner, cents]) => sum + (winner === seat ? cents : 0), 0);
  let net = seat === null ? 0 : rolls.reduce((sum, roll) => sum + resultFor(roll, seat).net, 0);
  // What was paid, held or handed back apart from the rolls.
  for (const event of updates.flatMap(({ events }) => events)) {
    if (event.event === "claim-paid" || event.event === "claim-denied") net += own(event.shares);
    if (event.event === "held") net -= own([[event.seat, event.amount]]);
    if (event.event === "released") net += own([[event.seat, event.amount]]);
  }
  return { totals: rolls.map((roll) => roll.total), net };
}

/** The same where only the table before and after is known; buying in counts as winning then. */
export function missedBetween(
  before: TableView,
  after: TableView,
  seat: number | null,
): Missed | null {
  const rolls = after.hand.rolls - before.hand.rolls;
  if (rolls <= 0) return null;
  const worth = ({ seats }: TableView) => {
    const own = seats.find((other) => other.seat === seat);
    return own ? own.bets.reduce((sum, bet) => sum + bet.stake + bet.vig, own.rack) : 0;
  };
  return { totals: after.recent.slice(-rolls).map(total), net: worth(after) - worth(before) };
}
