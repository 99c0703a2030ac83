import type { ClaimView, Me, MeterView, ProposalView, Role, TableView } from "$wire";
import { expect, test } from "vitest";
import { asked, frozen, says, whyNotAgree } from "./says.ts";
import type { Work } from "./takeAndPay.ts";

const WORK: Work = {
  deed: "pay",
  wager: "buy 4",
  title: "Buy 4",
  stake: 4000,
  won: 8000,
  commission: 200,
  pay: 7800,
  down: 0,
  toRack: 7800,
  left: "Buy 4",
  successor: null,
};

test.each<[Partial<Work>, string]>([
  [{}, "pay $78 ($80 less $2), stays up"],
  [{ commission: 0, pay: 8000, left: null }, "pay $80, comes down"],
  [{ deed: "take" }, "take"],
  [{ deed: "off-and-on", pay: 1000 }, "off and on, pay $10"],
  [{ deed: "return", down: 1000 }, "off, $10 goes back"],
  [{ deed: "move", left: "Come 6" }, "→ Come 6"],
  [{ deed: "stand" }, "push, stays up"],
  [{ deed: "jackpot" }, "jackpot, paid once confirmed; the $40 goes to the bank"],
])("%o: %s", (work, words) => expect(says({ ...WORK, ...work })).toBe(words));

const PROPOSAL: ProposalView = {
  proposal: 7,
  what: "void",
  reason: "",
  by: "dee",
  name: "Dee",
  until: 0,
  lines: [],
};
const me = (person: string, ...roles: Role[]): Me => ({
  person,
  name: person,
  login: person,
  roles,
});

test.each([
  ["void", "Void the last roll, 3-4"],
  ["correct to 4-5", "Correct the last roll, 3-4, to 4-5"],
  ["configure", "Another configuration of the table"],
])("%s is put as: %s", (what, words) => expect(asked({ ...PROPOSAL, what }, "3-4")).toBe(words));

test("only another supervisor may agree", () => {
  expect(whyNotAgree(PROPOSAL, me("sue", "supervisor"))).toBeNull();
  expect(whyNotAgree(PROPOSAL, me("dan", "dealer"))).toMatch(/supervisor/);
  expect(whyNotAgree(PROPOSAL, me("dee", "dealer", "supervisor"))).toMatch(/You asked/);
});

test("what is frozen is named only where it can be told", () => {
  const claim = (number: number): ClaimView => ({
    claim: number,
    paytable: "P",
    wager: null,
    amount: null,
    seats: [0],
    checklist: [],
  });
  const table = (claims: number[], hits: number[]) =>
    ({
      hand: { claims: claims.map(claim) },
      meters: [{ paytable: "P", hits } as MeterView],
    }) as TableView;
  expect(frozen(table([1], [500]), claim(1))).toBe(500);
  expect(frozen(table([1, 2], [500, 300]), claim(2))).toBe(300);
  expect(frozen(table([1], []), claim(1))).toBeNull();
  expect(frozen(table([2], [500, 300]), claim(2))).toBeNull();
});
