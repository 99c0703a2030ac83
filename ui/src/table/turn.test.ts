import type { BetView, SeatView, TableView } from "$wire";
import { expect, test } from "vitest";
import { turn } from "./turn.ts";

const seat = (number: number, name: string, ...wagers: string[]): SeatView => ({
  seat: number,
  name,
  person: name,
  rack: 0,
  bets: wagers.map((wager) => ({ wager, stake: 500 }) as BetView),
});
const ann = seat(0, "Ann", "pass");
const sam = seat(3, "Sam", "pass");

function throws(
  hand: object,
  config: object = {},
  you = ann,
  line: "open" | "lost" = "open",
  away = false,
) {
  const table = {
    seats: [you, sam],
    config: { dice: "house", ...config },
    hand: {
      status: "running",
      betting: true,
      puck: null,
      shooter: 0,
      claims: [],
      proposals: [],
      dice_wait: null,
      ...hand,
    },
  };
  return turn(table as unknown as TableView, [you], line, away);
}

test("somebody else's dice are not offered", () => {
  expect(throws({ shooter: 3 })).toEqual({ yours: false, who: "Sam has the dice" });
  expect(throws({ shooter: null })).toEqual({ yours: false, who: "Nobody has the dice" });
  expect(throws({}, { dice: "dealer" })).toMatchObject({ yours: false });
});

test("the dice of somebody who has gone are", () => {
  const away = throws({ shooter: 3 }, {}, ann, "open", true);
  expect(away).toEqual({ yours: true, for: "Sam", off: null });
  expect(throws({}, {}, ann, "open", true)).toMatchObject({ for: null });
  // Without a bet on the line nobody can throw for them.
  const bare = { shooter: 3, dice_wait: "line-bet" };
  expect(throws(bare, {}, ann, "open", true)).toEqual({
    yours: false,
    who: "Sam has gone with the dice",
    passes: true,
  });
});

test.each([
  [{}, null],
  [{ betting: false }, null],
  [{ status: "paused" }, "The table is paused."],
  [{ betting: false, claims: [{ seats: [] }] }, "Betting waits until what was won is confirmed."],
  [{ dice_wait: "window" }, "The dice go out when betting closes."],
  [{ dice_wait: "line-bet" }, "The shooter needs a bet on the line."],
])("yours at %o: %s", (hand, off) => {
  expect(throws(hand)).toEqual({ yours: true, for: null, off });
});

test("yours, but not without a connection", () => {
  expect(throws({}, {}, ann, "lost")).toMatchObject({ off: "There is no connection." });
});

test("the dice wait while the last roll is paid, or the tray is short", () => {
  expect(throws({ betting: false, phase: "paying" })).toMatchObject({
    yours: true,
    off: "The last roll is being paid, bets open in a moment.",
  });
  expect(throws({ betting: false, phase: "paying", fill_needed: 500 })).toMatchObject({
    off: "Bets wait until chips are brought to the table.",
  });
});
