import type { ClaimView, Me, MeterView, ProposalView, Role, TableView } from "$wire";
import { expect, test } from "vitest";
import { frozen } from "../lib/frozen.ts";
import { asked, whyNotAgree } from "./says.ts";

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
  ["another configuration", "Another configuration of the table"],
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
