import { describe, expect, test } from "vitest";
import { text } from "./fraction.ts";
import type { Session, Wager } from "./session.ts";
import { bySession, daysOf, summary, ticks } from "./summary.ts";

const wager = (title: string, more: Partial<Wager>): Wager => ({
  title,
  decided: 1,
  staked: 500,
  net: -500,
  expected: "-700/99",
  unpriced: 0,
  ...more,
});

const session = (started: number, more: Partial<Session>): Session =>
  ({
    id: `s${started}`,
    table: "t",
    started,
    result: -500,
    rolls: [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0],
    shooting: { hands: 1, rolls: 3, sevens: 1, points: 0, longest: { rolls: 3, seq: 12 } },
    hands: [],
    line: [],
    wagers: { pass: wager("Pass Line", {}) },
    jackpots: { hit: 0, paid: 0 },
    dice: { thrown: 3, checked: 2, sound: 2, unsound: [] },
    ...more,
  }) as Session;

const two = [
  session(2, {
    table: "u",
    result: 1_200,
    shooting: { hands: 2, rolls: 20, sevens: 2, points: 4, longest: { rolls: 17, seq: 40 } },
    wagers: {
      pass: wager("Pass Line", { staked: 1_000, net: 1_000, expected: "-1400/99" }),
      field: wager("Field", { staked: 9_000, net: 100, expected: "-500" }),
    },
    dice: { thrown: 5, checked: 5, sound: 4, unsound: [44] },
  }),
  session(1, {}),
];

test("sessions add up, exactly", () => {
  const { wagers, expected, dice, shooting, ...rest } = summary(two);
  expect(text(expected)).toBe("-17200/33");
  expect(rest).toMatchObject({ sessions: 2, rolls: 6, result: 700, staked: 10_500, other: 100 });
  expect(rest.counts[5]).toBe(6);
  expect(wagers.map(({ title, net }) => [title, net])).toEqual([
    ["Field", 100],
    ["Pass Line", 500],
  ]);
  expect(shooting).toEqual({
    hands: 3,
    rolls: 23,
    sevens: 3,
    points: 4,
    longest: { rolls: 17, seq: 40, table: "u" },
  });
  expect(dice).toEqual({ thrown: 8, checked: 7, sound: 6, unsound: [["u", 44]] });
});

test("nothing adds up to nothing", () => {
  expect(summary([])).toMatchObject({ rolls: 0, result: 0, wagers: [], expected: { num: 0n } });
});

describe("from session to session", () => {
  const DAY = 24 * 60 * 60 * 1000;
  const on = (...days: number[]) => days.map((day) => session(day * DAY, {})).toReversed();
  const across = (sessions: Session[]) => bySession(sessions, () => "").map(({ x }) => x);

  test("the result goes on, the oldest first", () => {
    const points = bySession(two, ({ id }) => id);
    expect(points.map(({ y, name }) => [y, name])).toEqual([
      [0, "Before"],
      [-500, "s1"],
      [700, "s2"],
    ]);
  });

  test("days lie across", () => {
    const [, first, ...rest] = across(on(100, 101, 105, 108));
    expect(rest.map((x) => x - first!)).toEqual([1, 5, 8]);
  });

  test("what is close together is drawn apart, and in order", () => {
    const xs = across(on(100, 100.01, 100.01, 160, 160.02));
    const end = xs.at(-1)!;
    const gaps = xs.slice(1).map((x, place) => x - xs[place]!);
    for (const gap of gaps) expect(gap / end).toBeGreaterThan(1 / 16);
    expect(gaps[3]).toBeCloseTo(59.99);
  });

  test("the days at its ends are named, or the times of one day", () => {
    const at = (day: number, hour: number) => session(+new Date(2026, 2, day, hour, 5), {});
    expect(daysOf([at(9, 7), at(8, 23), at(2, 8)])).toEqual(["2 Mar 2026", "9 Mar 2026"]);
    expect(daysOf([at(9, 21), at(9, 7)])).toEqual(["07:05", "21:05"]);
    expect(daysOf([at(9, 7)])).toBeNull();
  });

  test("one alone has room, and none is nothing", () => {
    expect(across(on(100))).toEqual([0, 1]);
    expect(across([])).toEqual([0]);
  });
});

test.each([
  [0, 0, [0, 100]],
  [-500, 700, [-500, 0, 500, 1_000]],
  [120, 8_400, [0, 5_000, 10_000]],
  [-90, -10, [-100, 0, 100]],
  [-1_700_000, 0, [-2_000_000, -1_500_000, -1_000_000, -500_000, 0]],
])("%i to %i is ruled at %j", (least, most, at) => {
  expect(ticks(least, most)).toEqual(at);
});
