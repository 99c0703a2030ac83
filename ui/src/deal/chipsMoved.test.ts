// What the console says of chips that come to the table or leave it.

import { expect, test, vi } from "vitest";
import type { Happened } from "$wire";
import { table, update } from "../testing/fakeSocket.ts";
import { chipsMoved } from "./chipsMoved.ts";
import { ChipNews } from "./chipNews.svelte.ts";
import { betMoved } from "./outcome.ts";

const moved = (...events: Happened[]) =>
  chipsMoved(update(51, { events }), table()).map(({ what, chips }) => `${what}: ${chips}`);

test.each<[Happened, string]>([
  [
    { event: "bought-in", seat: 0, amount: 50_000, kind: "cash" },
    "Ann, seat 1, buys in for $500: $500 cash to the box, $500 from the tray to the rack",
  ],
  [
    { event: "bought-in", seat: 0, amount: 200_000, kind: "marker" },
    "Ann, seat 1, buys in for $2,000: marker of $2,000 to the box, $2,000 from the tray to the rack",
  ],
  [
    { event: "bought-in", seat: 0, amount: 30_000, kind: "chips" },
    "Ann, seat 1, buys in for $300: $300 of the player’s own chips to the rack",
  ],
  [
    { event: "cashed-out", seat: 0, amount: 5_000, kind: "walk" },
    "Ann, seat 1, cashes out $50: $50 from the rack, the player takes it along",
  ],
  [
    { event: "cashed-out", seat: 0, amount: 5_000, kind: "redeem" },
    "Ann, seat 1, cashes out $50: $50 from the rack to the tray, the player gets cash",
  ],
  [
    { event: "cashed-out", seat: 0, amount: 5_000, kind: "toke" },
    "Ann, seat 1, cashes out $50: $50 from the rack to the dealers",
  ],
  [
    { event: "left", seat: 0, amount: 5_000, kind: "left-behind" },
    "Ann, seat 1, leaves with $50: $50 from the rack, kept for the player",
  ],
  [{ event: "left", seat: 0, amount: 0, kind: "walk" }, "Ann, seat 1, leaves: no chips move"],
  [{ event: "filled", amount: 4_500_000 }, "Fill of $45,000: $45,000 from the cage to the tray"],
  [{ event: "credited", amount: 100_000 }, "Credit of $1,000: $1,000 from the tray to the cage"],
])("%o", (event, words) => expect(moved(event)).toEqual([words]));

test("a jackpot that the cage pays is on the work list, and nowhere else", () => {
  const paid: Happened = { event: "claim-paid", claim: 1, amount: 500_000, shares: [[0, 500_000]] };
  const out: Happened = { event: "cashed-out", seat: 0, amount: 500_000, kind: "jackpot" };
  expect(moved(paid, out)).toEqual([]);
  expect(moved(out)).toHaveLength(1);
});

test("the latest comes first, and none comes twice", () => {
  const news = new ChipNews();
  const fill = (seq: number) => update(seq, { events: [{ event: "filled", amount: seq * 100 }] });
  for (const seq of [51, 52, 52, 53, 54, 55, 56, 57]) news.hear(fill(seq), table());
  expect(news.all.map(({ what }) => what)).toEqual(
    [57, 56, 55, 54, 53, 52].map((dollars) => `Fill of $${dollars}`),
  );
});

test("what is read of the log stands among what was heard, by its record", async () => {
  const fill = (seq: number) => update(seq, { events: [{ event: "filled", amount: seq * 100 }] });
  const news = new ChipNews();
  // The line breaks after record 51; what came then is read later.
  for (const seq of [50, 51, 56]) news.hear(fill(seq), table());
  const past = { table: table(), updates: [52, 53, 54].map(fill) };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(past))));
  await news.recover(table({ seq: 54 }));
  expect(news.all.map(({ what }) => what)).toEqual(
    [56, 54, 53, 52, 51, 50].map((dollars) => `Fill of $${dollars}`),
  );
  // What is new is spoken, and nothing that was read later.
  expect(news.spoken).toBe("Fill of $56: $56 from the cage to the tray.");
});

test("a bet names its stake and its commission apart", () => {
  const wagers = [{ wager: "buy", title: "Buy", spots: ["buy 4"] }];
  const before = table({ wagers } as never);
  const [ann] = before.seats;
  const bet = { wager: "buy 4", stake: 2_000, vig: 100, call: "house", working: true } as const;
  const put = update(51, {
    events: [{ event: "put", seat: 0, wager: "buy 4", amount: 2_100 }],
    seats: [{ ...ann!, rack: ann!.rack - 2_100, bets: [bet] }],
  });
  expect(betMoved(put, before, 0)).toBe("Put $20 on Buy 4 and $1 commission.");
  expect(betMoved(put, before, 1)).toBe("");
  expect(betMoved(null, before, 0)).toBe("");
});
