import type { BetView, SettledView, RolledView, SeatView, WagerView } from "$wire";
import { expect, test } from "vitest";
import { takeAndPay, undo, type Before } from "./takeAndPay.ts";

const numbers = (wager: string) => [4, 5, 6, 8, 9, 10].map((number) => `${wager} ${number}`);
const wager = (name: string, title: string, spots: string[], paytable: string | null = null) =>
  ({ wager: name, title, spots, paytable }) as WagerView;

const WAGERS = [
  wager("pass", "Pass Line", ["pass"]),
  wager("dont-pass", "Don't Pass", ["dont-pass"]),
  wager("come", "Come", ["come", ...numbers("come")]),
  wager("dont-come", "Don't Come", ["dont-come", ...numbers("dont-come")]),
  wager("odds come", "Odds behind Come", numbers("odds come")),
  wager("place", "Place", numbers("place")),
  wager("buy", "Buy", numbers("buy")),
  wager("horn", "Horn", ["horn"]),
  wager("fired-up", "Fired Up Progressive", ["fired-up"], "PT-FUP"),
];

/** `seat wager stake fate won commission to_rack [→ left]`, dollars. */
function line(text: string): SettledView {
  const [facts = "", left] = text.split(" → ");
  const match = /^(\d+) (.+) (\d+) (\w+) (-?[\d.]+) ([\d.]+) ([\d.]+)$/.exec(facts);
  if (!match) throw new Error(text);
  const [, seat, spot = "", stake, fate = "", won, commission, to_rack] = match;
  const cents = (dollars: string | undefined) => Math.round(Number(dollars) * 100);
  return {
    seat: Number(seat),
    wager: spot,
    stake: cents(stake),
    fate,
    won: cents(won),
    withheld: 0,
    commission: cents(commission),
    vig: 0,
    to_rack: cents(to_rack),
    left: left ?? null,
  };
}

function rolled(shooter: number, lines: string[], claims: RolledView["claims"] = []): RolledView {
  return {
    dice: "1-4",
    total: 5,
    number: 9,
    shooter,
    call: "five, no field five",
    point: 6,
    lines: lines.map(line),
    envy: 0,
    claims,
    thrown: null,
  };
}

function before(seats: Record<number, [name: string, ...bets: [string, number][]]> = {}): Before {
  const views = Object.entries(seats).map(([seat, [name, ...bets]]): SeatView => {
    const views = bets.map(([wager, stake]): BetView => ({
      wager,
      stake: stake * 100,
      vig: 0,
      call: "house",
      working: true,
    }));
    return { seat: Number(seat), name, person: null, rack: 0, bets: views };
  });
  return { wagers: WAGERS, seats: views, config: { seats: 8 } };
}

const EVERYBODY = before({ 0: ["Ann"], 2: ["Bob"], 3: ["Cy"], 7: ["Dot"] });

test("losing bets are taken first, from the seat beside the shooter round to the shooter", () => {
  const roll = rolled(2, [
    "0 place 6 12 lose 0 0 0",
    "2 pass 10 lose 0 0 0",
    "2 place 8 12 lose 0 0 0",
    "3 dont-pass 15 win 15 0 30",
    "7 pass 5 lose 0 0 0",
  ]);
  const work = takeAndPay(roll, EVERYBODY);
  expect(work.take.map((seat) => [seat.seat, seat.name, seat.taken])).toEqual([
    [7, "Dot", 500],
    [0, "Ann", 1200],
    [2, "Bob", 2200],
  ]);
  expect(work.pay.map((seat) => seat.name)).toEqual(["Cy"]);
  expect(work).toMatchObject({ taken: 3900, paid: 1500, down: 1500, bank: 2400 });
});

test("winners are paid clockwise, the shooter last", () => {
  const roll = rolled(
    3,
    [0, 2, 3, 7].map((seat) => `${seat} pass 10 win 10 0 20`),
  );
  expect(takeAndPay(roll, EVERYBODY).pay.map((seat) => seat.seat)).toEqual([7, 0, 2, 3]);
});

test("a winner that comes down is paid and given back", () => {
  const work = takeAndPay(rolled(0, ["0 pass 10 win 10 0 20"]), EVERYBODY).pay[0]?.work[0];
  expect(work).toMatchObject({ deed: "pay", pay: 1000, down: 1000, toRack: 2000, left: null });
});

test("a winner that stays up is paid its winnings only, less commission", () => {
  const seat = takeAndPay(rolled(0, ["2 buy 4 40 win 80 2 78 → buy 4"]), EVERYBODY).pay[0];
  expect(seat?.work[0]).toMatchObject({
    deed: "pay",
    won: 8000,
    commission: 200,
    pay: 7800,
    down: 0,
    left: "Buy 4",
  });
  expect(seat?.stays).toEqual([{ wager: "buy 4", title: "Buy 4", stake: 4000 }]);
});

test("off and on: an equal come bet takes the spot, so only the winnings move", () => {
  const roll = rolled(0, [
    "0 come 10 travel 0 0 0 → come 5",
    "0 come 5 10 win 10 0 20",
    "0 odds come 5 10 win 15 0 25",
  ]);
  const seat = takeAndPay(roll, EVERYBODY).pay[0];
  expect(seat?.work.map((work) => [work.deed, work.title, work.pay, work.down])).toEqual([
    ["off-and-on", "Come 5", 1000, 1000],
    ["pay", "Odds behind Come 5", 1500, 1000],
  ]);
  expect(seat?.work[0]?.left).toBe("Come 5");
  expect(seat?.toRack).toBe(4500);
  expect(seat?.stays).toEqual([{ wager: "come 5", title: "Come 5", stake: 1000 }]);
});

test("a different amount is not off and on: pay the one, move the other", () => {
  const roll = rolled(0, ["2 come 15 travel 0 0 0 → come 5", "2 come 5 10 win 10 0 20"]);
  const seat = takeAndPay(roll, EVERYBODY).pay[0];
  expect(seat?.work.map((work) => [work.deed, work.title, work.left])).toEqual([
    ["pay", "Come 5", null],
    ["move", "Come", "Come 5"],
  ]);
  expect(seat?.stays).toEqual([{ wager: "come 5", title: "Come 5", stake: 1500 }]);
});

test("a don't come that loses where another travels to is no off and on", () => {
  const roll = rolled(0, [
    "2 dont-come 10 travel 0 0 0 → dont-come 5",
    "2 dont-come 5 10 lose 0 0 0",
  ]);
  const work = takeAndPay(roll, EVERYBODY);
  expect(work.take[0]?.work.map((one) => one.title)).toEqual(["Don't Come 5"]);
  expect(work.pay[0]?.work.map((one) => one.deed)).toEqual(["move"]);
});

test("odds that are off go back, a push stands", () => {
  const roll = rolled(0, [
    "2 odds come 5 10 return 0 0 10",
    "2 dont-pass 10 push 0 0 0 → dont-pass",
  ]);
  const seat = takeAndPay(roll, EVERYBODY).pay[0];
  expect(seat?.work.map((work) => [work.deed, work.pay, work.down])).toEqual([
    ["return", 0, 1000],
    ["stand", 0, 0],
  ]);
});

test("a jackpot's chip goes to the bank; the award comes with the claim", () => {
  const roll = rolled(
    0,
    ["0 fired-up 1 win -1 0 0", "2 fired-up 1 win -1 0 0", "2 horn 8 win 54 0 62"],
    [[1, "PT-FUP", [0, 2]]],
  );
  const work = takeAndPay(roll, EVERYBODY);
  expect(work.take).toEqual([]);
  expect(work.pay.map((seat) => seat.work.map((one) => [one.deed, one.pay, one.down]))).toEqual([
    [
      ["pay", 5400, 800],
      ["jackpot", 0, 0],
    ],
    [["jackpot", 0, 0]],
  ]);
  expect(work).toMatchObject({ taken: 200, paid: 5400, bank: -5200 });
});

test("a smaller award of a jackpot wager is an ordinary win, for one", () => {
  const work = takeAndPay(rolled(0, ["0 fired-up 1 win 4 0 5"]), EVERYBODY).pay[0]?.work[0];
  expect(work).toMatchObject({ deed: "pay", pay: 400, down: 100, toRack: 500 });
});

test("what no line speaks of stays up, in the order of the layout", () => {
  const table = before({ 2: ["Bob", ["place 8", 12], ["come", 10], ["pass", 5], ["horn", 4]] });
  const roll = rolled(2, ["2 come 10 travel 0 0 0 → come 5", "2 horn 4 lose 0 0 0"]);
  const stays = takeAndPay(roll, table).pay[0]?.stays.map((bet) => `${bet.title} ${bet.stake}`);
  expect(stays).toEqual(["Pass Line 500", "Come 5 1000", "Place 8 1200"]);
});

test("what goes to the racks is what is paid and what comes down, for any mixture", () => {
  const roll = rolled(7, [
    "0 come 10 travel 0 0 0 → come 5",
    "0 come 5 10 win 10 0 20",
    "2 buy 4 40 win 80 2 78 → buy 4",
    "3 odds come 5 10 return 0 0 10",
    "7 pass 10 lose 0 0 0",
  ]);
  const work = takeAndPay(roll, EVERYBODY);
  const racks = roll.lines.reduce((sum, one) => sum + one.to_rack, 0);
  expect(work.paid + work.down).toBe(racks);
  expect(work.pay.reduce((sum, seat) => sum + seat.toRack, 0)).toBe(racks);
  expect(work.commission).toBe(200);
});

test("a roll that does not count is undone seat by seat", () => {
  const roll = rolled(7, [
    "0 come 10 travel 0 0 0 → come 5",
    "0 come 5 10 win 10 0 20",
    "2 come 15 travel 0 0 0 → come 5",
    "2 come 5 10 win 10 0 20",
    "2 horn 4 lose 0 0 0",
    "3 buy 4 40 win 80 2 78 → buy 4",
    "7 dont-pass 10 push 0 0 0 → dont-pass",
  ]);
  expect(undo(takeAndPay(roll, EVERYBODY))).toEqual([
    { seat: 0, name: "Ann", back: 2000, up: [{ title: "Come", stake: 1000 }], move: [] },
    {
      seat: 2,
      name: "Bob",
      back: 2000,
      up: [
        { title: "Come 5", stake: 1000 },
        { title: "Horn", stake: 400 },
      ],
      move: [{ from: "Come 5", to: "Come", stake: 1500 }],
    },
    { seat: 3, name: "Cy", back: 7800, up: [], move: [] },
    { seat: 7, name: "Dot", back: 0, up: [], move: [] },
  ]);
});

test("nobody bet, nothing to do", () => {
  const work = takeAndPay(rolled(0, []), EVERYBODY);
  expect(work).toMatchObject({ take: [], pay: [], taken: 0, paid: 0, bank: 0 });
});
