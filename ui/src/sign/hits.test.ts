import type { Happened, Update } from "$wire";
import { expect, test } from "vitest";
import { hits, queued, stillWon } from "./hits.ts";

const update = (...events: Happened[]) => ({ events }) as Update;
const NONE = { hand: { claims: [] } };
const ROLLED = { event: "rolled", claims: [[4, "P", [0, 2]]] } as unknown as Happened;
const PAID: Happened = {
  event: "claim-paid",
  claim: 4,
  amount: 501,
  shares: [
    [0, 250],
    [2, 251],
  ],
};

test("a roll that wins the meter", () => {
  expect(hits(update(ROLLED), NONE)).toEqual([{ claim: 4, paytable: "P", winners: 2, paid: null }]);
});

test("a claim that is paid later", () => {
  const before = { hand: { claims: [{ claim: 4, paytable: "P", seats: [0, 2] }] } };
  expect(hits(update(PAID), before)).toEqual([{ claim: 4, paytable: "P", winners: 2, paid: 501 }]);
});

test("won and paid at once is one jackpot", () => {
  expect(hits(update(ROLLED, PAID), NONE)).toEqual([
    { claim: 4, paytable: "P", winners: 2, paid: 501 },
  ]);
});

test("a stranger hears what was paid, and not to whom", () => {
  const paid: Happened = { event: "claim-paid", claim: 4, amount: 501, shares: [] };
  expect(hits(update(paid), NONE)).toEqual([{ claim: 4, paytable: "", winners: null, paid: 501 }]);
});

test("nothing else is a jackpot", () => {
  expect(hits(update({ event: "no-roll" }), NONE)).toEqual([]);
});

test("jackpots are celebrated in turn, and what is paid meanwhile keeps its place", () => {
  const hit = (claim: number, paid: number | null) => ({ claim, paytable: "P", winners: 1, paid });
  const two = queued(queued([], hit(4, null)), hit(5, null));
  expect(two).toEqual([hit(4, null), hit(5, null)]);
  const paid = queued(two, hit(4, 501));
  expect(paid).toEqual([hit(4, 501), hit(5, null)]);
  expect(stillWon(paid)).toEqual([hit(4, 501)]);
});
