import { describe, expect, test } from "vitest";
import type { RolledView, SeatView, SettledView, WagerView } from "$wire";
import { signed } from "../lib/money.ts";
import { aftermath } from "./movements.ts";
import { plan, regions, standing } from "./plan.ts";

const spots: Record<string, string[]> = {
  pass: ["pass"],
  come: ["come", "come 6"],
  place: ["place 6", "place 8"],
  field: ["field"],
};
const wagers = Object.entries(spots).map(
  ([wager, spots]) => ({ wager, spots, board: null }) as unknown as WagerView,
);
const wide = plan("wide", wagers);
const all = regions(wide, wagers);
const region = (spot: string) => all.find((other) => other.spot === spot)!;

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
const roll = (...lines: SettledView[]) =>
  ({ dice: "3-3", lines, claims: [] }) as never as RolledView;
const seat = (number: number, ...wagers: string[]) =>
  ({ seat: number, bets: wagers.map((wager) => ({ wager, stake: 1_000 })) }) as never as SeatView;
const after = (lines: SettledView[], seats: SeatView[] = []) =>
  aftermath(roll(...lines), seats, wide, all, 0);
const HOUSE = { x: wide.width / 2, y: 0 };

test("a bet that wins is paid beside its chips, and all of it comes to you", () => {
  const { movements, marks } = after([line({})]);
  expect(movements.map(({ way, cents, mine }) => [way, cents, mine])).toEqual([
    ["pay", 1_000, true],
    ["back", 1_000, true],
  ]);
  const [paid, back] = movements;
  expect(paid!.path[0]).toEqual(HOUSE);
  expect(paid!.path[1]!.y).toBe(region("pass").mine.y);
  expect(paid!.path[2]).toEqual({ x: wide.width / 2, y: wide.height });
  expect(back!.path[0]).toEqual(region("pass").mine);
  expect(marks).toEqual([
    { spot: "pass", at: region("pass").mine, text: signed(1_000), tone: "win" },
  ]);
});

test("a bet that stays up is paid, less commission, and does not move", () => {
  const stays = line({
    wager: "place 6",
    won: 1_400,
    commission: 100,
    to_rack: 1_300,
    left: "place 6",
  });
  const { movements, marks } = after([stays]);
  expect(movements.map(({ way, cents }) => [way, cents])).toEqual([["pay", 1_300]]);
  expect(marks[0]?.text).toBe(signed(1_300));
});

test("a bet that loses is swept to the house", () => {
  const { movements, marks } = after([line({ fate: "lose", won: 0, to_rack: 0 })]);
  expect(movements).toHaveLength(1);
  expect(movements[0]).toMatchObject({ way: "sweep", cents: 1_000 });
  expect(movements[0]!.path).toEqual([region("pass").mine, HOUSE]);
  expect(marks[0]).toMatchObject({ text: signed(-1_000), tone: "lose" });
});

test("a come bet glides to its number", () => {
  const come = line({ wager: "come", fate: "travel", won: 0, to_rack: 0, left: "come 6" });
  const { movements, marks } = after([come]);
  expect(movements).toHaveLength(1);
  expect(movements[0]!.path).toEqual([region("come").mine, region("come 6").mine]);
  expect(marks[0]).toMatchObject({ spot: "come", text: "→ 6", tone: "moved" });
});

test("a bet that comes back goes to you without a mark; a push and a stranger's spot stay put", () => {
  const back = line({ fate: "return", won: 0, to_rack: 1_000 });
  const { movements, marks } = after([
    back,
    line({ wager: "field", fate: "push", won: 0, to_rack: 0, left: "field" }),
    line({ wager: "no such spot" }),
  ]);
  expect(movements.map(({ way, spot }) => [way, spot])).toEqual([["back", "pass"]]);
  expect(marks).toEqual([]);
});

test("the chip of a jackpot stays with the house, and nothing says it won less than nothing", () => {
  const { movements, marks } = after([line({ stake: 100, won: -100, to_rack: 0 })]);
  expect(movements.map(({ way }) => way)).toEqual(["sweep"]);
  expect(marks[0]?.text).toBe("Jackpot");
});

describe("the chips of others", () => {
  const three = [0, 1, 2, 3].map((number) => line({ seat: number }));

  test("move as one on a spot, from beside yours to the rail, without marks", () => {
    const seats = [0, 1, 2, 3].map((number) => seat(number, "pass"));
    const { movements, marks } = after(three, seats);
    const theirs = movements.filter(({ mine }) => !mine);
    expect(theirs.map(({ way, cents }) => [way, cents])).toEqual([
      ["pay", 3_000],
      ["back", 3_000],
    ]);
    expect(theirs[1]!.path[0]).toEqual(standing(region("pass"), 1, true)[0]);
    expect(theirs[1]!.path[1]!.x).toBe(wide.width);
    expect(marks).toHaveLength(1);
  });

  test("a full table moves no more than its spots", () => {
    const lines = Array.from({ length: 16 }, (_, number) =>
      ["pass", "place 6", "place 8", "field"].map((wager) =>
        line({ seat: number, wager, fate: "lose", won: 0, to_rack: 0 }),
      ),
    ).flat();
    expect(after(lines).movements.length).toBeLessThanOrEqual(8);
  });
});

test("on a phone your chips go no further than the screen", () => {
  const tall = plan("tall", wagers);
  const places = regions(tall, wagers);
  const { movements } = aftermath(roll(line({ wager: "place 6" })), [], tall, places, 0);
  const from = movements[1]!.path[0]!;
  expect(movements[1]!.path[1]!.y - from.y).toBeLessThanOrEqual(480);
});
