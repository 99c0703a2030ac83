import { describe, expect, test } from "vitest";
import type {
  Happened,
  History,
  MendMoveView,
  Movement,
  PastHand,
  RolledView,
  SettledView,
  TableView,
  Update,
} from "$wire";
import { EVERY, address, handsPath, place } from "./address.ts";
import { commissions, totals } from "./ledger.ts";
import {
  authorAt,
  closedWords,
  houseResult,
  howEnded,
  isUnderWay,
  linesBySeat,
  outcome,
  shooterOf,
  words,
} from "./inWords.ts";
import { markOf, nextRoll, rollPlaces, steps, takenBack } from "./steps.ts";

const table = {
  id: "0000001",
  seq: 10,
  seats: [{ seat: 0, name: "Ann", person: "guest-1", rack: 5_000, bets: [] }],
  hand: { puck: null, rolls: 0 },
  recent: [],
  wagers: [{ wager: "pass", title: "Pass Line", spots: ["pass"] }],
  meters: [],
} as unknown as TableView;

const line = (more: Partial<SettledView>): SettledView => ({
  seat: 0,
  wager: "pass",
  stake: 1_000,
  fate: "win",
  won: 1_000,
  withheld: 0,
  commission: 0,
  vig: 0,
  to_rack: 2_000,
  left: null,
  ...more,
});

const roll = (dice: string, lines: SettledView[] = []): RolledView => ({
  dice,
  total: 7,
  number: 1,
  shooter: 0,
  call: "seven, winner",
  point: null,
  lines,
  envy: 0,
  claims: [],
  thrown: null,
});

const update = (seq: number, events: Update["events"]): Update => ({
  seq,
  at: 1_700_000_000_000,
  by: "guest-1",
  events,
  seats: [],
  hand: null,
});

const page: History = {
  table,
  head: 14,
  updates: [
    update(11, [{ event: "put", seat: 0, wager: "pass", amount: 1_000 }]),
    update(12, [{ event: "betting-closed" }, { event: "rolled", ...roll("3-4") }]),
    update(13, [{ event: "left", seat: 5, amount: 250, kind: "walk" }]),
    update(14, [{ event: "rolled", ...roll("2-2") }]),
  ],
};

describe("a replay", () => {
  test("goes record by record up to the last one wanted", () => {
    const all = steps([page], 13);
    expect(all.map((step) => step.after.seq)).toEqual([11, 12, 13]);
    expect(all[1]?.before).toBe(all[0]?.after);
    expect(all[1]?.after.recent).toEqual(["3-4"]);
  });

  test("takes the server's word at the beginning of a page", () => {
    const other = { ...table, seq: 14, rules: "other" };
    const more: History = { table: other, head: 15, updates: [update(15, [{ event: "paused" }])] };
    const all = steps([page, more], 15);
    expect(all).toHaveLength(5);
    expect(all[4]?.before).toBe(other);
  });

  test("finds the rolls before and after a place", () => {
    const all = steps([page], 14);
    expect(rollPlaces(all)).toEqual([2, 4]);
    expect([0, 2, 4].map((from) => nextRoll(all, from, 1))).toEqual([2, 4, 4]);
    expect([4, 3, 2, 0].map((from) => nextRoll(all, from, -1))).toEqual([2, 2, 0, 0]);
  });

  test("knows which rolls were taken back", () => {
    const updates = [
      update(11, [{ event: "rolled", ...roll("3-4") }]),
      update(12, [{ event: "voided", dice: "3-4", reason: "cocked", undone: [] }]),
      update(13, [{ event: "rolled", ...roll("2-2") }]),
      update(14, [
        { event: "corrected", was: "2-2", reason: "misread", undone: [], rolled: roll("2-3") },
      ]),
    ];
    const all = steps([{ ...page, updates }], 14);
    expect([...takenBack(all)]).toEqual([1, 3]);
    expect(rollPlaces(all)).toEqual([1, 3, 4]);
    expect(all[3]?.after.recent).toEqual(["2-3"]);
  });

  test("tells of the tray, of paying, and of bets that a void undoes", () => {
    const undone = [
      { seat: 5, wager: "pass", amount: 1_000 },
      { seat: 5, wager: "pass", amount: -500 },
    ];
    const updates = [
      update(11, [
        { event: "bought-in", seat: 5, amount: 200_000, kind: "marker" },
        { event: "cashed-out", seat: 5, amount: 10_000, kind: "toke" },
      ]),
      update(12, [{ event: "rolled", ...roll("3-4") }, { event: "paying-begun" }]),
      update(13, [{ event: "betting-opened" }]),
      update(14, [{ event: "voided", dice: "3-4", reason: "cocked", undone }]),
      update(15, [
        { event: "work-done", list: 14 },
        { event: "envy-held", claims: [1], amount: 500 },
      ]),
    ];
    const said = steps([{ ...page, updates }], 15).map(words);
    const [kinds, rolled, opened, voided, done] = said;
    expect(kinds).toMatch(/bought in for \$2,000 on a marker; .* \$100, a toke for the dealers$/);
    expect(rolled).toMatch(/; The crew pays$/);
    expect(opened).toBe("Paid, bets open");
    expect(voided).toMatch(/cocked; \$10 of .* goes back to the rack; \$5 .* back on the felt$/);
    expect(done).toBe("The work list of record 14 is done; $5 for the dealers waits for the claim");
  });

  test("tells what the crew says of a player", () => {
    const updates = [
      update(11, [
        { event: "linked", sitting: 9, name: "Ann", person: "card 4711" },
        { event: "identified", sitting: 9, name: "Ann", taken: true },
      ]),
      update(12, [
        { event: "linked", sitting: 9, name: "Ann", person: null },
        { event: "identified", sitting: 9, name: "", taken: false },
      ]),
    ];
    expect(steps([{ ...page, updates }], 12).map(words)).toEqual([
      "The crew linked Ann to card 4711; The crew took the identity of Ann",
      "The crew unlinked Ann; The identity of a player does not count as taken any more",
    ]);
  });

  test("tells who pays a claim, and what was checked before", () => {
    const confirmed = { event: "confirmed", claim: 1, paid_by: "cage", slip: "17" } as const;
    const updates = [
      update(11, [{ event: "checked", claim: 1, item: "surveillance" }]),
      update(12, [{ ...confirmed, form: "W-2G 4", shown: 500_075 }]),
      update(13, [{ ...confirmed, paid_by: "tray", slip: null, form: null, shown: null }]),
    ];
    expect(steps([{ ...page, updates }], 13).map(words)).toEqual([
      "Claim 1: surveillance looked at the roll",
      "Claim 1 was confirmed: paid by the cage, slip 17, form W-2G 4, the meter showed $5,000.75",
      "Claim 1 was confirmed: paid out of the tray",
    ]);
  });

  test("says what a mend moved", () => {
    const move = (more: Partial<MendMoveView>): MendMoveView => ({
      seat: null,
      name: "",
      wager: "",
      place: "rack",
      amount: 0,
      lost: false,
      ...more,
    });
    const moves = [
      move({ seat: 0, place: "rack", amount: -4_500 }),
      move({ name: "Bea", place: "cage", amount: 1_400 }),
      move({ name: "Cy", place: "walked", amount: 500 }),
      move({ place: "dealers", amount: 100 }),
    ];
    const reason = "seen on camera 3";
    const roll = { of: 9, number: 4, keyed: "3-3", what: "showed 4-2" };
    const updates = [update(11, [{ event: "mended", ...roll, reason, moves }])];
    const [said] = steps([{ ...page, updates }], 11).map(words);
    expect(said).toMatch(/^Roll 4, keyed 3-3, was mended: showed 4-2: seen on camera 3; /);
    expect(said).toMatch(/ returns \$45; the cage pays \$14 to Bea; /);
    expect(said).toMatch(/Cy walked away with \$5 more; the dealers get \$1$/);
  });

  test("has little to say to strangers", () => {
    const strange = { ...table, sight: "stranger", seats: [] } as unknown as TableView;
    const updates = [
      { ...update(11, []), by: null },
      update(12, [{ event: "voided", dice: "3-4", reason: null, undone: [] }]),
      update(13, [{ event: "claim-paid", claim: 2, amount: 100_015, shares: [] }]),
    ];
    expect(steps([{ ...page, table: strange, updates }], 13).map(words)).toEqual([
      "Bets and chips",
      "The roll 3-4 was voided",
      "Jackpot paid: $1,000.15",
    ]);
  });

  test("tells seats of the same name apart", () => {
    const seat = (at: number, name: string, person: string | null) => ({
      ...table.seats[0]!,
      seat: at,
      name,
      person,
    });
    const seats = [seat(0, "Ann", "guest-1"), seat(2, "ann", "guest-2"), seat(3, "Bob", "guest-3")];
    const two = { ...table, seats };
    const hand = { shooter: 2, name: "ann" } as PastHand;
    expect(shooterOf(hand, two)).toBe("ann (seat 3)");
    expect(shooterOf(hand, { ...two, seats: seats.slice(1) })).toBe("ann");
    // Where the list shows the seat beside it.
    expect(shooterOf(hand)).toBe("ann");
    expect(shooterOf({ ...hand, name: null }, two)).toBe("Seat 3");
    const by = (person: string) => authorAt(two, { ...update(11, []), by: person });
    expect(["guest-1", "guest-2", "guest-3"].map(by)).toEqual([
      "Ann (seat 1)",
      "ann (seat 3)",
      "Bob",
    ]);
    // Two seats of one person are one author.
    const own = { ...two, seats: [seat(0, "Ann", "guest-1"), seat(2, "Ann", "guest-1")] };
    expect(authorAt(own, update(11, []))).toBe("Ann");
    const renamed = update(11, [{ event: "renamed", seat: 3, name: "Ann" }]);
    const updates = [{ ...renamed, seats: [{ ...seat(3, "Ann", "guest-3"), bets: [] }] }];
    expect(steps([{ ...page, table: two, updates }], 11).map(words)).toEqual([
      "Bob is called Ann (seat 4) now",
    ]);
  });

  test("speaks", () => {
    expect(steps([page], 14).map(words)).toEqual([
      "Ann put $10 on Pass Line",
      "No more bets; 3-4, seven, winner",
      "seat 6 left with $2.50",
      "2-2, seven, winner",
    ]);
  });
});

describe("a table that is closed", () => {
  const closed = { ...table, hand: { ...table.hand, status: "closed" } } as TableView;
  const running = { ...table, hand: { ...table.hand, status: "running" } } as TableView;

  test("is told to be", () => {
    expect(closedWords(running, null)).toBeNull();
    expect(closedWords(closed, null)).toBe("This table is closed. No more hands are played here.");
    expect(closedWords(closed, update(1, []).at)).toMatch(
      /^This table is closed since 1[45] Nov 2023, \d\d:\d\d\. No more/,
    );
  });

  test("has no hand that goes on", () => {
    const hand = { open: true, end: null } as PastHand;
    expect([isUnderWay(hand, false), howEnded(hand, false)]).toEqual([true, "under way"]);
    expect([isUnderWay(hand, true), howEnded(hand, true)]).toEqual([false, "table closed"]);
    const over = { open: false, end: "seven-out" } as PastHand;
    expect([isUnderWay(over, true), howEnded(over, true)]).toEqual([false, "seven-out"]);
  });
});

describe("commission", () => {
  const seated = (seq: number, rack: number, bets: unknown[], event: Happened): Update =>
    ({
      ...update(seq, [event]),
      seats: [{ seat: 0, name: "Ann", person: "guest-1", rack, bets }],
    }) as Update;
  const buy = (stake: number, vig: number) => ({ wager: "buy 4", stake, vig });
  const at = (event: "put" | "took", amount: number) =>
    ({ event, seat: 0, wager: "buy 4", amount }) as const;

  test("is told apart from the bet, also of a press and a bet taken down", () => {
    const wagers = [{ wager: "buy 4", title: "Buy 4", spots: ["buy 4"] }];
    const updates = [
      seated(11, 2_900, [buy(2_000, 100)], at("put", 2_100)),
      seated(12, 800, [buy(4_000, 200)], at("put", 2_100)),
      seated(13, 5_000, [], at("took", 4_200)),
      seated(14, 2_900, [buy(2_000, 100)], at("put", 2_100)),
      seated(15, 5_000, [], {
        ...at("took", 2_100),
        event: "returned",
        reason: "the dice had been thrown",
      }),
    ];
    const there = { ...table, wagers } as TableView;
    expect(steps([{ ...page, table: there, updates }], 15).map(words)).toEqual([
      "Ann put $20 on Buy 4 and $1 commission",
      "Ann put $20 on Buy 4 and $1 commission",
      "Ann took $40 from Buy 4 and $2 commission",
      "Ann put $20 on Buy 4 and $1 commission",
      "$20 on Buy 4 and $1 commission were handed back to Ann: the dice had been thrown",
    ]);
  });
});

describe("what a roll paid", () => {
  test.each([
    [line({}), "wins", 1_000],
    [line({ left: "place 6", commission: 50 }), "wins, stays up", 950],
    [line({ fate: "lose", won: 0 }), "loses", -1_000],
    [line({ fate: "travel", won: 0, left: "come 6" }), "moves to 6", null],
    [line({ fate: "return", won: 0 }), "comes back", null],
    [line({ fate: "push", won: 0 }), "pushes", 0],
  ])("%o", (bet, word, amount) => {
    expect(outcome(bet)).toEqual({ word, amount });
  });

  test("sums to what the house won, less envy", () => {
    const lines = [line({}), line({ fate: "lose", stake: 2_500 }), line({ seat: 1, won: 300 })];
    expect(houseResult({ ...roll("3-4", lines), envy: 100 })).toBe(-1_000 + 2_500 - 300 - 100);
    expect(linesBySeat(roll("3-4", lines)).map(([seat, of]) => [seat, of.length])).toEqual([
      [0, 2],
      [1, 1],
    ]);
  });
});

describe("an address", () => {
  test.each([
    [{ view: "hands", hand: 12, seq: 345, seat: null }, "/history/abc?hand=12&seq=345"],
    [{ view: "ledger", hand: null, seq: null, seat: 0 }, "/history/abc?view=ledger&seat=0"],
    [{ view: "hands", hand: null, seq: null, seat: null }, "/history/abc"],
  ] as const)("%o is %s and back", (there, text) => {
    expect(address("abc", there)).toBe(text);
    expect(place(new URL(text, "http://here").search)).toEqual(there);
  });

  test("that makes no sense is the list of hands", () => {
    expect(place("?view=x&hand=-1&seq=1e9&seat=")).toEqual(place(""));
  });

  test("asks for the hands that are wanted", () => {
    const filter = { ...EVERY, name: " An ", seat: 0, rolls: 3, jackpot: true, voided: true };
    expect(handsPath("abc", filter, 12)).toBe(
      "/api/tables/abc/hands?limit=50&before=12&name=An&shooter=0&rolls=3&jackpot=true&voided=true",
    );
    expect(handsPath("abc", EVERY, null, 1)).toBe("/api/tables/abc/hands?limit=1");
  });
});

describe("a ledger", () => {
  const movement = (what: Movement["what"], amount: number, rack: number) =>
    ({ what, amount, rack }) as Movement;

  test("adds up", () => {
    const all = [
      movement("bought-in", 10_000, 12_000),
      movement("put", -1_000, 11_000),
      movement("win", 2_000, 13_000),
      movement("commission", -50, 12_950),
      movement("void", -1_950, 11_000),
      movement("mend", 300, 11_300),
    ];
    expect(totals(all, true)).toEqual({
      before: 2_000,
      after: 11_300,
      bought: 10_000,
      staked: -1_000,
      returned: 1_950,
      voided: -1_950,
      mended: 300,
    });
    expect(totals(all.slice(2), false)).toMatchObject({ before: null, after: null });
  });

  test("tells commission apart from what is put on a spot, where the stake before is known", () => {
    const bet = (what: Movement["what"], wager: string, stake: number | null, amount: number) =>
      ({ what, wager, stake, amount }) as Movement;
    const all = [
      bet("put", "pass", 1_000, -1_000),
      bet("put", "buy 4", 2_000, -2_100),
      bet("put", "buy 4", 5_000, -3_150),
      bet("win", "buy 4", 5_000, 10_000),
      // Whether it stayed up is not said.
      bet("put", "buy 4", 6_000, -1_050),
      bet("lose", "buy 4", 6_000, 0),
      bet("put", "buy 4", 2_000, -2_100),
      bet("took", "buy 4", null, 2_100),
      bet("put", "buy 4", 2_000, -2_100),
      bet("void", "pass", null, -500),
      bet("put", "buy 4", 4_000, -2_100),
    ];
    expect(commissions(all, true)).toEqual([0, 100, 150, 0, 0, 0, 100, 0, 100, 0, 0]);
    expect(commissions(all, false)).toEqual([0, 0, 150, 0, 0, 0, 100, 0, 100, 0, 0]);
  });
});

test("a roll that was mended says so", () => {
  const step = { update: { seq: 9 } } as unknown as Parameters<typeof markOf>[0];
  const mended = [
    { of: 9, keyed: "4-2", what: "showed 5-1" },
    { of: 12, keyed: "3-3", what: "did not count" },
  ];
  expect(markOf(step, mended)).toBe("keyed 4-2, mended: showed 5-1");
  expect(markOf(undefined, mended)).toBeNull();
});
