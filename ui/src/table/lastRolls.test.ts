import { expect, test } from "vitest";
import type { History, Update } from "$wire";
import { ann, roll, table, update } from "../testing/fakeSocket.ts";
import { rollsIn } from "./lastRolls.ts";
import { ownReceipt } from "./receipt.ts";

const history = (...updates: Update[]): History[] => [{ table: table(), updates, head: 99 }];

test("the rolls of a stretch are as whoever was there saw them", () => {
  const seen = rollsIn(history(roll(51, 4), update(52), roll(53, 5)), "ann");
  expect(seen.map(({ seq, own, commitment }) => [seq, own, commitment])).toEqual([
    [51, 0, "c"],
    [53, 0, "c"],
  ]);
  expect(rollsIn(history(roll(51, 4)), "bob")[0]?.own).toBeNull();
});

test("every seat that somebody had then has its receipt", () => {
  const sat = update(51, { seats: [{ ...ann, seat: 5 }] });
  const lines = [0, 5].map((seat) => ({ seat, wager: "pass", stake: 500, fate: "lose" }));
  const [alone, both] = rollsIn(history(roll(50, 4, lines), sat, roll(52, 5, lines)), "ann");
  const has = (seen: typeof alone, seat: number) => ownReceipt(seen!, seat, table()) !== null;
  expect([has(alone, 0), has(alone, 5)]).toEqual([true, false]);
  expect([has(both, 0), has(both, 5)]).toEqual([true, true]);
});

test("one that was taken back says so, and what was paid since is known", () => {
  const shares: [number, number][] = [[0, 50_015]];
  const won = roll(51, 4);
  Object.assign(won.events[0]!, { claims: [[1, "PT", [0]]] });
  const paid = update(52, { events: [{ event: "claim-paid", claim: 1, amount: 50_015, shares }] });
  const gone = update(53, { events: [{ event: "voided", dice: "3-4", reason: null, undone: [] }] });
  expect(rollsIn(history(won, paid), "ann")[0]?.awards).toMatchObject([{ state: "paid", shares }]);
  expect(rollsIn(history(won, paid, gone), "ann")[0]?.voided).toBe(true);
});
