// What is kept of a session: a seat from sitting down to leaving it, in a few kilobytes.

/** What one kind of bet brought. Cents. */
export interface Wager {
  /** What it is called: `Place 6`. */
  title: string;
  /** How often the dice decided it: won, lost or pushed. */
  decided: number;
  /** What was on it then, all together. */
  staked: number;
  /** What it brought, commission taken out. */
  net: number;
  /** What it should have brought by its exact edge, as a fraction of cents. */
  expected: string;
  /** The part of what was staked whose edge is not known. */
  unpriced: number;
}

/** A hand played along: one shooter's turn with the dice. */
export interface Hand {
  /** The record of its first roll seen, which finds it in the history. */
  seq: number;
  rolls: number;
  /** Whether one had the dice oneself. */
  mine: boolean;
  /** Points made. */
  points: number;
  /** What it brought. */
  net: number;
}

/** What one did with the dice. */
export interface Shooting {
  hands: number;
  rolls: number;
  sevens: number;
  points: number;
  /** The longest hand; none while one has not shot. */
  longest: { rolls: number; seq: number } | null;
}

/** How the house's dice were checked. */
export interface DiceCheck {
  /** Rolls of the house's dice. */
  thrown: number;
  /** Those checked against the commitment this browser had before. */
  checked: number;
  sound: number;
  /** Records of rolls that were not sound. */
  unsound: number[];
}

/** What the last roll added, to be taken back if it does not count. */
export interface LastRoll {
  total: number;
  mine: boolean;
  point: boolean;
  /** How many rolls the hand had before it. */
  before: number;
  wagers: Record<string, Wager>;
  /** Commission that lay with bets before it, by spot. */
  vigs: Record<string, number>;
  /** The hand in the list as it was before, where it had begun. */
  hand: Hand | null;
  longest: Shooting["longest"];
}

export interface Session {
  id: string;
  table: string;
  table_name: string;
  person: string;
  seat: number;
  /** Milliseconds since 1970. */
  started: number;
  /** When the seat was left; none while nobody saw that. */
  ended: number | null;
  /** When something was last seen of it. */
  seen: number;
  /** Chips bought less chips cashed out; what the seat had where it was found sitting. */
  bought: number;
  /** What the chips are worth beyond that. */
  result: number;
  /** How often each total came, 2 to 12. */
  rolls: number[];
  shooting: Shooting;
  /** The last hands, oldest first. */
  hands: Hand[];
  /** The result after so many rolls, thinned out where there are many. */
  line: [number, number][];
  wagers: Record<string, Wager>;
  jackpots: { hit: number; paid: number };
  dice: DiceCheck;
  /** The first and the last record seen. */
  first: number;
  last: number;
  undo: LastRoll | null;
}

/** How many rolls a session has seen. */
export function rollsOf({ rolls }: Pick<Session, "rolls">): number {
  return rolls.reduce((sum, count) => sum + count, 0);
}

/** What no kind of bet accounts for, such as what happened where nobody could look. */
export function otherOf({ result, wagers }: Pick<Session, "result" | "wagers">): number {
  return Object.values(wagers).reduce((left, { net }) => left - net, result);
}

/** A seat not seen for this long has surely been given up, in milliseconds. */
const LONG = 12 * 60 * 60 * 1000;

/** Whether somebody may still sit there. */
export function isOpen({ ended, seen }: Session, now: number): boolean {
  return ended === null && now - seen < LONG;
}

/** Whether something that was kept is a session: a store may hold what others wrote. */
export function isSession(kept: unknown): kept is Session {
  if (typeof kept !== "object" || kept === null) return false;
  const { id, table, rolls, line, wagers, hands, shooting, dice } = kept as Partial<Session>;
  return (
    typeof id === "string" &&
    typeof table === "string" &&
    Array.isArray(rolls) &&
    rolls.length === 11 &&
    Array.isArray(line) &&
    Array.isArray(hands) &&
    typeof wagers === "object" &&
    typeof shooting === "object" &&
    typeof dice === "object"
  );
}
