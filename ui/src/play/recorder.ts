// Records a session, one record of the table after the other. Pure: what a record adds depends on
// the session, the record and the table around it, and on nothing else. What bets bring is taken
// from the chips themselves; what they should bring from the edges the server names.

import type { Happened, RolledView, SeatView, TableView, Update, WagerEdge } from "$wire";
import { seatOf, seatsOf } from "../lib/table.ts";
import { title, wagerOf } from "../lib/words.ts";
import { ZERO, add, negative, parse, text, times } from "./fraction.ts";
import { rollsOf, type Hand, type LastRoll, type Session, type Wager } from "./session.ts";

/** As many points of the line are kept at most, and as many hands. */
export const POINTS = 200;
const HANDS = 60;

/** The edges of a table's spots, as the server names them. */
export type Edges = ReadonlyMap<string, Pick<WagerEdge, "edge">>;

/** One record, and the table around it. */
export interface Step {
  update: Update;
  before: TableView;
  after: TableView;
  person: string;
  edges: Edges;
}

const DECIDED = new Set(["win", "lose", "push"]);

/** A session of a seat that somebody has just taken, or was found in with chips. */
export function begin(table: TableView, seat: SeatView, at: number): Session {
  const person = seat.person ?? "";
  const bought = worth(seat);
  return {
    id: `${table.id}-${table.seq}-${seat.seat}-${person}`,
    table: table.id,
    table_name: table.config.name,
    person,
    seat: seat.seat,
    started: at,
    ended: null,
    seen: at,
    bought,
    result: 0,
    rolls: Array<number>(11).fill(0),
    shooting: { hands: 0, rolls: 0, sevens: 0, points: 0, longest: null },
    hands: [],
    line: [[0, 0]],
    wagers: {},
    jackpots: { hit: 0, paid: 0 },
    dice: { thrown: 0, checked: 0, sound: 0, unsound: [] },
    first: table.seq,
    last: table.seq,
    undo: null,
  };
}

/** The session after one more record; what was counted already changes nothing. Of several seats
 * one is counted, so that no roll counts twice: another only once the first has been left. */
export function record(session: Session | null, step: Step): Session | null {
  const { update, before, after, person } = step;
  if (session && update.seq <= session.last) return session;
  if (session === null || session.ended !== null) {
    const sitting = seatOf(before, person);
    if (sitting) return record(begin(before, sitting, update.at), step);
    const seat = seatOf(after, person);
    return seat ? begin(after, seat, update.at) : session;
  }
  const next = update.events.reduce((so_far, event) => heard(so_far, event, step), {
    ...session,
    last: update.seq,
    seen: update.at,
  });
  const seat = after.seats.find((other) => other.seat === session.seat);
  return valued(next, seat?.person === person ? worth(seat) : 0);
}

/** The session goes on, though nobody knows what happened since. */
export function rejoin(session: Session, table: TableView, at: number): Session {
  const seat = seatsOf(table, session.person).find((other) => other.seat === session.seat);
  if (!seat) return { ...session, ended: session.seen };
  return valued({ ...session, last: table.seq, seen: at, undo: null }, worth(seat));
}

/** A roll of the house's dice was checked. */
export function checked(session: Session, seq: number, sound: boolean): Session {
  const { dice } = session;
  return {
    ...session,
    dice: {
      ...dice,
      checked: dice.checked + 1,
      sound: dice.sound + (sound ? 1 : 0),
      unsound: sound ? dice.unsound : [...dice.unsound, seq].slice(-10),
    },
  };
}

/** Chips in the rack and on the layout, with commission that is not earned yet. */
function worth(seat: SeatView): number {
  return seat.bets.reduce((sum, bet) => sum + bet.stake + bet.vig, seat.rack);
}

/** The result from what the chips are worth, and the line up to it. */
function valued(session: Session, chips: number): Session {
  const result = chips - session.bought;
  const rolls = rollsOf(session);
  let stride = 1;
  while (rolls / stride > POINTS - 2) stride *= 2;
  const kept = session.line.filter(([roll]) => roll < rolls && roll % stride === 0);
  return { ...session, result, line: [...kept, [rolls, result]] };
}

function heard(session: Session, event: Happened, step: Step): Session {
  const mine = "seat" in event && event.seat === session.seat;
  switch (event.event) {
    case "rolled":
      return rolled(session, event, step, step.before.hand.hand_rolls, vigs(session, step.before));
    case "voided":
      return takenBack(session);
    case "corrected": {
      const { undo } = session;
      const before = undo?.before ?? Math.max(step.before.hand.hand_rolls - 1, 0);
      return rolled(takenBack(session), event.rolled, step, before, undo?.vigs ?? {});
    }
    case "bought-in":
      return mine ? { ...session, bought: session.bought + event.amount } : session;
    case "cashed-out":
      return mine ? { ...session, bought: session.bought - event.amount } : session;
    case "left":
      if (!mine) return session;
      return { ...session, bought: session.bought - event.amount, ended: step.update.at };
    case "held": {
      // It is taken back with its roll.
      if (!mine) return session;
      const moved = brought(event.wager, -event.amount, step);
      const { undo } = session;
      return {
        ...session,
        wagers: sum(session.wagers, moved),
        undo: undo && { ...undo, wagers: sum(undo.wagers, moved) },
      };
    }
    case "released":
      if (!mine) return session;
      return { ...session, wagers: sum(session.wagers, brought(event.wager, event.amount, step)) };
    case "claim-denied": {
      const share = shareOf(event.shares, session.seat);
      if (share === 0) return session;
      return { ...session, wagers: sum(session.wagers, brought(event.wager, share, step)) };
    }
    case "claim-paid": {
      const share = shareOf(event.shares, session.seat);
      if (share === 0) return session;
      const { hit, paid } = session.jackpots;
      const spot = claimed(event.claim, step);
      return {
        ...session,
        jackpots: { hit: hit + 1, paid: paid + share },
        wagers: spot ? sum(session.wagers, brought(spot, share, step)) : session.wagers,
      };
    }
    default:
      return session;
  }
}

function rolled(
  session: Session,
  roll: RolledView,
  { update, after, edges }: Step,
  before: number,
  vigsBefore: Record<string, number>,
): Session {
  const mine = roll.shooter === session.seat;
  const goesOn = after.hand.hand_rolls > 0;
  const point = roll.point !== null && after.hand.puck === null && goesOn;
  const vigsAfter = vigs(session, after);
  let wagers: Record<string, Wager> = {};
  for (const line of roll.lines) {
    if (line.seat !== session.seat || !DECIDED.has(line.fate)) continue;
    // Chips after less chips before: whatever became of commission is in them.
    const left = line.left === null ? 0 : line.stake + (vigsAfter[line.left] ?? 0);
    const net = line.to_rack + left - line.stake - (vigsBefore[line.wager] ?? 0);
    const { name, edge } = priced(edges, after, line.wager);
    const expected = edge ? negative(times(edge, line.stake)) : ZERO;
    wagers = sum(wagers, {
      [name]: {
        title: title(after.wagers, name),
        decided: 1,
        staked: line.stake,
        net,
        expected: text(expected),
        unpriced: edge ? 0 : line.stake,
      },
    });
  }

  const net = Object.values(wagers).reduce((all, one) => all + one.net, 0);
  const last = session.hands.at(-1);
  const going = before > 0 && last?.rolls === before && last.mine === mine ? last : null;
  const hand: Hand = {
    seq: going?.seq ?? update.seq,
    rolls: before + 1,
    mine,
    points: (going?.points ?? 0) + (point ? 1 : 0),
    net: (going?.net ?? 0) + net,
  };
  const { shooting, dice } = session;
  const { longest } = shooting;
  const undo: LastRoll = {
    total: roll.total,
    mine,
    point,
    before,
    wagers,
    vigs: vigsBefore,
    hand: going,
    longest,
  };
  return {
    ...session,
    rolls: counted(session.rolls, roll.total, 1),
    shooting: mine
      ? {
          hands: shooting.hands + (going ? 0 : 1),
          rolls: shooting.rolls + 1,
          sevens: shooting.sevens + (roll.total === 7 ? 1 : 0),
          points: shooting.points + (point ? 1 : 0),
          longest:
            hand.rolls > (longest?.rolls ?? 0) ? { rolls: hand.rolls, seq: hand.seq } : longest,
        }
      : shooting,
    hands: [...(going ? session.hands.slice(0, -1) : session.hands), hand].slice(-HANDS),
    wagers: sum(session.wagers, wagers),
    dice: roll.thrown ? { ...dice, thrown: dice.thrown + 1 } : dice,
    undo,
  };
}

/** The last roll does not count; the dice that were thrown and checked stay so. */
function takenBack(session: Session): Session {
  const { undo, shooting } = session;
  if (!undo) return session;
  const { mine, point, hand, total, longest } = undo;
  return {
    ...session,
    rolls: counted(session.rolls, total, -1),
    shooting: mine
      ? {
          hands: shooting.hands - (hand ? 0 : 1),
          rolls: shooting.rolls - 1,
          sevens: shooting.sevens - (total === 7 ? 1 : 0),
          points: shooting.points - (point ? 1 : 0),
          longest,
        }
      : shooting,
    hands: [...session.hands.slice(0, -1), ...(hand ? [hand] : [])],
    wagers: sum(session.wagers, undo.wagers, -1),
    undo: null,
  };
}

function counted(rolls: number[], total: number, more: 1 | -1): number[] {
  return rolls.map((count, place) => (place === total - 2 ? Math.max(count + more, 0) : count));
}

/** Commission that lies with the bets of the session's seat, by spot. */
function vigs(session: Session, table: TableView): Record<string, number> {
  const bets = table.seats.find(({ seat }) => seat === session.seat)?.bets ?? [];
  return Object.fromEntries(
    bets.filter(({ vig }) => vig !== 0).map(({ wager, vig }) => [wager, vig]),
  );
}

/** What a bet is priced as: a come bet on its number is still the come bet it was. */
function priced(edges: Edges, table: TableView, spot: string) {
  const name = edges.has(spot) ? spot : (wagerOf(table.wagers, spot)?.wager ?? spot);
  const edge = edges.get(name)?.edge;
  return { name, edge: edge ? parse(edge) : null };
}

/** Chips that came or went after the dice had decided. */
function brought(spot: string, net: number, { after, edges }: Step): Record<string, Wager> {
  const { name } = priced(edges, after, spot);
  const nothing = { decided: 0, staked: 0, expected: "0", unpriced: 0 };
  return { [name]: { title: title(after.wagers, name), ...nothing, net } };
}

function shareOf(shares: [number, number][], seat: number): number {
  return shares.reduce((all, [whose, share]) => (whose === seat ? all + share : all), 0);
}

/** The spot a jackpot was won on. */
function claimed(claim: number, { update, before }: Step): string | null {
  const made = update.events.flatMap((event) => (event.event === "rolled" ? event.claims : []));
  const paytable =
    made.find(([id]) => id === claim)?.[1] ??
    before.hand.claims.find((waiting) => waiting.claim === claim)?.paytable;
  return before.wagers.find((wager) => wager.paytable === paytable)?.spots[0] ?? null;
}

/** Some wagers and some more, or without them; what has come to nothing is left out. */
export function sum(
  wagers: Record<string, Wager>,
  more: Record<string, Wager>,
  sign: 1 | -1 = 1,
): Record<string, Wager> {
  const all = { ...wagers };
  for (const [name, one] of Object.entries(more)) {
    const so_far = all[name];
    const expected = parse(one.expected) ?? ZERO;
    const added = {
      title: one.title,
      decided: (so_far?.decided ?? 0) + sign * one.decided,
      staked: (so_far?.staked ?? 0) + sign * one.staked,
      net: (so_far?.net ?? 0) + sign * one.net,
      expected: text(
        add(parse(so_far?.expected ?? "0") ?? ZERO, sign === 1 ? expected : negative(expected)),
      ),
      unpriced: (so_far?.unpriced ?? 0) + sign * one.unpriced,
    };
    if (added.decided === 0 && added.net === 0) delete all[name];
    else all[name] = added;
  }
  return all;
}
