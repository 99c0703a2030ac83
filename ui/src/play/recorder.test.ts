import { describe, expect, test } from "vitest";
import type {
  BetView,
  Happened,
  HandView,
  RolledView,
  SeatView,
  SettledView,
  TableView,
  Update,
  WagerView,
} from "$wire";
import { apply } from "../lib/table.ts";
import { POINTS, checked, record, rejoin, type Edges } from "./recorder.ts";
import { otherOf, rollsOf, type Session } from "./session.ts";
import { BYTES, compact } from "./store.ts";

const wager = (name: string, title: string, spots = [name], paytable: string | null = null) =>
  ({ wager: name, title, spots, paytable }) as WagerView;
const WAGERS = [
  wager("pass", "Pass Line"),
  wager("come", "Come", ["come", "come 6"]),
  wager("odds pass", "Odds behind Pass"),
  wager("odds come", "Odds behind Come", ["odds come 6"]),
  wager("buy", "Buy", ["buy 4"]),
  wager("fired-up", "Fired Up", ["fired-up"], "PT-1"),
  wager("strange", "Strange"),
];
const EDGES: Edges = new Map([
  ["pass", { edge: "7/495" }],
  ["come", { edge: "7/495" }],
  ["odds pass", { edge: "0" }],
  ["odds come 6", { edge: "0" }],
  ["buy 4", { edge: "1/20" }],
  ["fired-up", { edge: "1/3" }],
  ["strange", { edge: null }],
]);

const bet = (wager: string, stake: number, vig = 0): BetView => ({
  wager,
  stake,
  vig,
  call: "house",
  working: true,
});
const HAND = { hand_rolls: 0, puck: null, shooter: 0, rolls: 0, claims: [] } as unknown as HandView;

/** A table that somebody plays at, record by record, with what a recorder makes of it. */
class Game {
  session: Session | null = null;
  table: TableView = {
    id: "t",
    seq: 10,
    config: { name: "Downtown" },
    seats: [],
    wagers: WAGERS,
    recent: [],
    hand: HAND,
  } as unknown as TableView;
  log: { update: Update; before: TableView; after: TableView }[] = [];
  rack = 0;
  bets: BetView[] = [];

  tell(events: object[], hand: Partial<HandView> | null = null, seated = true): this {
    const before = this.table;
    const name = seated ? "Ann" : null;
    const person = seated ? "ann" : null;
    const seat: SeatView = { seat: 0, name, person, rack: this.rack, bets: this.bets };
    const update: Update = {
      seq: before.seq + 1,
      at: (before.seq + 1) * 1000,
      by: "ann",
      events: events as Happened[],
      seats: [seat],
      hand: hand ? { ...before.hand, ...hand } : null,
    };
    this.table = apply(before, update);
    const step = { update, before, after: this.table };
    this.log.push(step);
    return this.hear(step);
  }

  hear(step: (typeof this.log)[number]): this {
    this.session = record(this.session, { ...step, person: "ann", edges: EDGES });
    return this;
  }

  sit(chips: number): this {
    this.tell([{ event: "sat", seat: 0, name: "Ann" }]);
    this.rack = chips;
    return this.tell([{ event: "bought-in", seat: 0, amount: chips }]);
  }

  put(wager: string, stake: number, vig = 0): this {
    this.rack -= stake + vig;
    this.bets = [...this.bets, bet(wager, stake, vig)];
    return this.tell([{ event: "put", seat: 0, wager, amount: stake }]);
  }

  /** What a roll did to each bet named; the others stand. */
  roll(
    total: number,
    fates: Record<string, Partial<SettledView> & { vig?: number }>,
    hand: Partial<HandView>,
    more: Partial<RolledView> = {},
    how: (roll: RolledView) => object[] = (roll) => [{ event: "rolled", ...roll }],
  ): this {
    const lines = Object.entries(fates).map(([wager, { vig, ...fate }]): SettledView => {
      const up = this.bets.find((bet) => bet.wager === wager)!;
      this.bets = this.bets.filter((bet) => bet !== up);
      const settled = {
        won: 0,
        withheld: 0,
        commission: 0,
        vig: 0,
        to_rack: 0,
        left: null,
        fate: "win",
        ...fate,
      };
      if (settled.left) this.bets.push({ ...up, wager: settled.left, vig: vig ?? up.vig });
      this.rack += settled.to_rack;
      return { seat: 0, wager, stake: up.stake, ...settled };
    });
    const roll = {
      dice: total === 12 ? "6-6" : `1-${total - 1}`,
      total,
      number: this.table.hand.rolls + 1,
      shooter: 0,
      point: this.table.hand.puck,
      call: "",
      lines,
      envy: 0,
      claims: [],
      thrown: null,
      ...more,
    };
    return this.tell(how(roll), { rolls: roll.number, ...hand });
  }

  get kept(): Session {
    return this.session!;
  }
}

/** A come-out winner, a point with odds and a come bet that travels, both won, then seven out. */
function evening(game = new Game()): Game {
  game.sit(50_000).put("pass", 1_000);
  game.roll(7, { pass: { won: 1_000, to_rack: 2_000 } }, { hand_rolls: 1 });
  game.put("pass", 1_000);
  game.roll(4, {}, { hand_rolls: 2, puck: 4 });
  game.put("odds pass", 2_000).put("come", 1_000).put("buy 4", 2_000, 100);
  game.roll(6, { come: { fate: "travel", left: "come 6" } }, { hand_rolls: 3, puck: 4 });
  game.put("odds come 6", 500);
  game.roll(
    6,
    { "come 6": { won: 1_000, to_rack: 2_000 }, "odds come 6": { won: 600, to_rack: 1_100 } },
    { hand_rolls: 4, puck: 4 },
  );
  game.roll(
    4,
    {
      pass: { won: 1_000, to_rack: 2_000 },
      "odds pass": { won: 4_000, to_rack: 6_000 },
      // The commission for its next decision comes out of the winnings.
      "buy 4": { won: 4_000, commission: 100, to_rack: 3_900, left: "buy 4" },
    },
    { hand_rolls: 5, puck: null },
  );
  game.put("pass", 1_000);
  game.roll(5, {}, { hand_rolls: 6, puck: 5 });
  return game.roll(
    7,
    { pass: { fate: "lose" }, "buy 4": { fate: "lose" } },
    { hand_rolls: 0, puck: null },
  );
}

describe("an evening", () => {
  const { kept, table } = evening();

  test("brought what the chips say", () => {
    expect(kept.result).toBe(1_000 + 1_600 + 1_000 + 4_000 + 3_900 - 1_000 - 2_100);
    expect(kept.bought).toBe(50_000);
    expect(otherOf(kept)).toBe(0);
  });

  test("each kind of bet has its own, commission and travelling come bets included", () => {
    expect(kept.wagers).toEqual({
      pass: {
        title: "Pass Line",
        decided: 3,
        staked: 3_000,
        net: 1_000,
        expected: "-1400/33",
        unpriced: 0,
      },
      come: {
        title: "Come",
        decided: 1,
        staked: 1_000,
        net: 1_000,
        expected: "-1400/99",
        unpriced: 0,
      },
      "odds come 6": {
        title: "Odds behind Come 6",
        decided: 1,
        staked: 500,
        net: 600,
        expected: "0",
        unpriced: 0,
      },
      "odds pass": {
        title: "Odds behind Pass",
        decided: 1,
        staked: 2_000,
        net: 4_000,
        expected: "0",
        unpriced: 0,
      },
      "buy 4": {
        title: "Buy 4",
        decided: 2,
        staked: 4_000,
        net: 4_000 - 100 - 2_100,
        expected: "-200",
        unpriced: 0,
      },
    });
  });

  test("counts rolls, hands and points", () => {
    expect(kept.rolls).toEqual([0, 0, 2, 1, 2, 2, 0, 0, 0, 0, 0]);
    expect(kept.shooting).toEqual({
      hands: 1,
      rolls: 7,
      sevens: 2,
      points: 1,
      longest: { rolls: 7, seq: 14 },
    });
    expect(kept.hands).toEqual([{ seq: 14, rolls: 7, mine: true, points: 1, net: kept.result }]);
  });

  test("draws its line roll by roll", () => {
    expect(kept.line.map(([roll]) => roll)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(kept.line.map(([, result]) => result)).toEqual([
      0, 1_000, 1_000, 1_000, 2_600, 11_500, 11_500, 8_400,
    ]);
  });

  test("is known by its table, its first record, its seat and its player", () => {
    expect(kept).toMatchObject({ id: "t-11-0-ann", first: 11, last: table.seq, started: 11_000 });
  });
});

test("nothing is counted twice, however often it is heard", () => {
  const game = evening();
  const before = game.kept;
  for (const step of game.log) game.hear(step);
  expect(game.session).toBe(before);
});

test("after a reload it goes on as if nothing had been", () => {
  const whole = evening().kept;
  // Kept after every record in turn, read again, and the log heard from the beginning.
  const { log } = evening();
  for (let cut = 1; cut < log.length; cut += 1) {
    const game = new Game();
    for (const step of log.slice(0, cut)) game.hear(step);
    game.session = JSON.parse(compact(game.kept)) as Session;
    for (const step of log) game.hear(step);
    expect(game.session).toEqual(whole);
  }
});

test("after the line broke, what is told again is not counted again", () => {
  const { log, kept } = evening();
  const game = new Game();
  for (const step of log.slice(0, 9)) game.hear(step);
  // The server goes on from an earlier record than the last one heard.
  for (const step of log.slice(5)) game.hear(step);
  expect(game.session).toEqual(kept);
});

describe("a roll that is taken back", () => {
  const VOIDED = { event: "voided", dice: "1-6", reason: "", undone: [] };

  test("leaves everything as it was", () => {
    const game = evening();
    // The last roll but for its records: the same evening without the seven.
    const seven = game.log.at(-1)!;
    const until = new Game();
    for (const step of game.log.slice(0, -1)) until.hear(step);
    game.bets = seven.before.seats[0]!.bets;
    game.rack = seven.before.seats[0]!.rack;
    game.tell([VOIDED], { ...seven.before.hand });
    const { last, seen } = game.kept;
    expect(game.kept).toEqual({ ...until.kept, last, seen, undo: null });
  });

  test("may be settled anew as another", () => {
    const game = evening();
    const seven = game.log.at(-1)!;
    game.bets = seven.before.seats[0]!.bets;
    game.rack = seven.before.seats[0]!.rack;
    game.roll(
      5,
      { pass: { won: 1_000, to_rack: 2_000 } },
      { hand_rolls: 7, puck: null, rolls: 7 },
      { number: 7, point: 5 },
      (rolled) => [{ event: "corrected", was: "1-6", reason: "", undone: [], rolled }],
    );
    expect(game.kept.rolls).toEqual([0, 0, 2, 2, 2, 1, 0, 0, 0, 0, 0]);
    expect(game.kept.shooting).toMatchObject({ hands: 1, rolls: 7, sevens: 1, points: 2 });
    expect(game.kept.wagers["pass"]).toMatchObject({ decided: 3, net: 3_000 });
    expect(game.kept.wagers["buy 4"]).toMatchObject({ decided: 1, net: 3_900 });
    expect(otherOf(game.kept)).toBe(0);
    expect(game.kept.line.at(-1)).toEqual([7, game.kept.result]);
  });

  test("and settled anew the same way changes nothing", () => {
    const game = evening();
    const { wagers, result } = game.kept;
    const seven = game.log.at(-1)!;
    game.bets = seven.before.seats[0]!.bets;
    game.rack = seven.before.seats[0]!.rack;
    game.roll(
      7,
      { pass: { fate: "lose" }, "buy 4": { fate: "lose" } },
      { hand_rolls: 0, puck: null, rolls: 7 },
      { number: 7, point: 5 },
      (rolled) => [{ event: "corrected", was: "1-6", reason: "", undone: [], rolled }],
    );
    expect(game.kept).toMatchObject({ wagers, result });
  });

  test("takes winnings with it that waited to be confirmed", () => {
    const game = new Game().sit(10_000).put("strange", 100);
    game.roll(12, { strange: { won: 9_000, to_rack: 9_100 } }, { hand_rolls: 1 });
    game.rack -= 9_000;
    game.tell([{ event: "held", claim: 1, seat: 0, wager: "strange", amount: 9_000 }]);
    game.rack -= 100;
    game.bets = [bet("strange", 100)];
    game.tell([VOIDED], { hand_rolls: 0, rolls: 0 });
    expect(game.kept.result).toBe(0);
    expect(game.kept.wagers).toEqual({});
  });

  test("is no roll where it was the only one", () => {
    const game = new Game().sit(10_000).put("pass", 1_000);
    game.roll(2, { pass: { fate: "lose" } }, { hand_rolls: 1 });
    game.bets = [bet("pass", 1_000)];
    game.tell([VOIDED], { hand_rolls: 0, rolls: 0 });
    expect(rollsOf(game.kept)).toBe(0);
    expect(game.kept).toMatchObject({ result: 0, hands: [], line: [[0, 0]] });
    expect(game.kept.wagers).toEqual({});
    expect(game.kept.shooting).toMatchObject({ hands: 0, rolls: 0, longest: null });
  });

  test("that began a hand takes the hand with it, and the longest is the one before", () => {
    const game = evening();
    game.put("pass", 1_000);
    game.roll(6, {}, { hand_rolls: 1, puck: 6 });
    expect(game.kept.hands).toHaveLength(2);
    game.tell([VOIDED], { hand_rolls: 0, rolls: 7, puck: null });
    expect(game.kept.hands).toHaveLength(1);
    expect(game.kept.shooting).toMatchObject({ hands: 1, longest: { rolls: 7, seq: 14 } });
  });
});

test("somebody else's hand counts for the dice and not for the shooter", () => {
  const game = new Game().sit(10_000).put("pass", 1_000);
  game.roll(7, { pass: { won: 1_000, to_rack: 2_000 } }, { hand_rolls: 1 }, { shooter: 3 });
  expect(game.kept.shooting).toMatchObject({ hands: 0, rolls: 0, sevens: 0, longest: null });
  expect(game.kept.hands).toEqual([{ seq: 14, rolls: 1, mine: false, points: 0, net: 1_000 }]);
  expect(game.kept.rolls[5]).toBe(1);
});

test("a jackpot is paid later, and counts where it was won", () => {
  const game = new Game().sit(10_000).put("fired-up", 100);
  const claims: RolledView["claims"] = [[4, "PT-1", [0, 2]]];
  const waiting = { claim: 4, paytable: "PT-1" } as HandView["claims"][number];
  game.roll(12, { "fired-up": { won: -100 } }, { hand_rolls: 1, claims: [waiting] }, { claims });
  expect(game.kept.wagers["fired-up"]).toMatchObject({ decided: 1, net: -100 });
  game.rack += 60_000;
  game.tell([
    {
      event: "claim-paid",
      claim: 4,
      amount: 120_000,
      shares: [
        [0, 60_000],
        [2, 60_000],
      ],
    },
  ]);
  expect(game.kept.jackpots).toEqual({ hit: 1, paid: 60_000 });
  expect(game.kept.wagers["fired-up"]).toMatchObject({ decided: 1, staked: 100, net: 59_900 });
  expect(game.kept.result).toBe(59_900);
  expect(game.kept.line.at(-1)).toEqual([1, 59_900]);
});

test("winnings that wait to be confirmed are not had, and then they are", () => {
  const game = new Game().sit(10_000).put("strange", 100);
  game.roll(12, { strange: { won: 9_000, to_rack: 9_100 } }, { hand_rolls: 1 });
  expect(game.kept.wagers["strange"]).toMatchObject({ net: 9_000, expected: "0", unpriced: 100 });
  game.rack -= 9_000;
  game.tell([{ event: "held", claim: 1, seat: 0, wager: "strange", amount: 9_000 }]);
  expect(game.kept).toMatchObject({ result: 0, wagers: { strange: { net: 0, decided: 1 } } });
  game.rack += 9_000;
  game.tell([{ event: "released", claim: 1, seat: 0, wager: "strange", amount: 9_000 }]);
  expect(game.kept.wagers["strange"]).toMatchObject({ net: 9_000 });
  expect(otherOf(game.kept)).toBe(0);
});

test("whoever leaves has ended it, and sitting down again begins another", () => {
  const game = new Game().sit(10_000).put("pass", 1_000);
  game.roll(7, { pass: { won: 1_000, to_rack: 2_000 } }, { hand_rolls: 1 });
  game.tell([{ event: "cashed-out", seat: 0, amount: 0, kind: "walk" }]);
  game.rack = 0;
  game.tell([{ event: "left", seat: 0, amount: 11_000, kind: "walk" }], null, false);
  const ended = game.kept;
  expect(ended).toMatchObject({ result: 1_000, ended: ended.seen });
  game.sit(5_000);
  expect(game.kept).toMatchObject({ result: 0, ended: null, bought: 5_000 });
  expect(game.kept.id).not.toBe(ended.id);
});

test("where nobody could look, only the chips are known", () => {
  const game = new Game().sit(10_000).put("pass", 1_000);
  const before = game.kept;
  const seat = { ...game.table.seats[0]!, rack: 12_000, bets: [] };
  const after = { ...game.table, seq: 900, seats: [seat] };
  const kept = rejoin(before, after, 99_000);
  expect(kept).toMatchObject({ result: 2_000, last: 900, wagers: {}, ended: null });
  expect(otherOf(kept)).toBe(2_000);
  // The seat is somebody else's by now.
  expect(rejoin(before, { ...after, seats: [] }, 99_000).ended).toBe(before.seen);
});

describe("of several seats", () => {
  /** Ann sits in seat 5 too, which she took first. */
  const both = (rack: number): TableView => {
    const one: SeatView = { seat: 0, name: "Ann", person: "ann", rack, bets: [] };
    return { ...new Game().table, seats: [one, { ...one, seat: 5, rack: 12_000 }] };
  };
  const first = (): Session => ({ ...new Game().sit(10_000).kept, seat: 5 });
  const heard = (session: Session, before: TableView, news: object) => {
    const update = { seq: before.seq + 1, at: 1, by: "ann", hand: null, ...news } as Update;
    const after = apply(before, update);
    const step = { update, before, after, person: "ann", edges: EDGES };
    return { session: record(session, step)!, after };
  };

  test("the one that was taken first goes on after a gap", () => {
    const kept = rejoin(first(), { ...both(700), seq: 900 }, 99_000);
    expect(kept).toMatchObject({ seat: 5, ended: null, result: 2_000 });
  });

  test("another is counted from when that was left, with the next roll", () => {
    const table = { ...both(20_000), seq: 50 };
    const left = heard(first(), table, {
      events: [{ event: "left", seat: 5, amount: 12_000, kind: "walk" }],
      seats: [{ seat: 5, name: null, person: null, rack: 0, bets: [] }],
    });
    expect(left.session).toMatchObject({ seat: 5, result: 2_000, ended: 1 });
    const lines = [{ seat: 0, wager: "pass", stake: 1_000, fate: "lose", left: null, to_rack: 0 }];
    const roll = { event: "rolled", total: 7, shooter: 0, point: null, lines, thrown: null };
    const next = heard(left.session, left.after, {
      events: [roll],
      seats: [{ ...table.seats[0], rack: 19_000 }],
    });
    expect(next.session).toMatchObject({ seat: 0, bought: 20_000, result: -1_000, ended: null });
    expect(rollsOf(next.session)).toBe(1);
  });
});

test("dice that were checked are counted, and those that were not sound are named", () => {
  const thrown = { secret: "", shooter_bytes: "" };
  const game = new Game().sit(10_000).put("pass", 1_000);
  game.roll(4, {}, { hand_rolls: 1, puck: 4 }, { thrown });
  game.roll(5, {}, { hand_rolls: 2, puck: 4 }, { thrown });
  const kept = checked(checked(game.kept, 14, true), 15, false);
  expect(kept.dice).toEqual({ thrown: 2, checked: 2, sound: 1, unsound: [15] });
});

test("a long session stays short, and small enough to be kept", () => {
  const game = new Game().sit(100_000);
  for (let roll = 1; roll <= 700; roll += 1) {
    game.put("pass", 1_000);
    game.roll(2, { pass: { fate: "lose" } }, { hand_rolls: roll % 3 });
    game.rack += 1_000;
  }
  expect(rollsOf(game.kept)).toBe(700);
  expect(game.kept.line.length).toBeLessThanOrEqual(POINTS);
  expect(game.kept.line.length).toBeGreaterThan(POINTS / 3);
  expect(game.kept.line.at(-1)![0]).toBe(700);
  const wagers = Object.fromEntries(
    Array.from({ length: 60 }, (_, place) => [
      `some long wager ${place}`,
      { ...game.kept.wagers["pass"]!, expected: "-4959941501491/24067258815600" },
    ]),
  );
  const written = compact({ ...game.kept, wagers });
  expect(written.length).toBeLessThanOrEqual(BYTES);
  expect((JSON.parse(written) as Session).wagers).toEqual(wagers);
});
