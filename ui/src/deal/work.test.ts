import { expect, test } from "vitest";
import type { ChipTransfer, TableView, WagerView, WorkItemView, WorkListView } from "$wire";
import type { Live } from "../lib/live.svelte.ts";
import { html, text } from "../testing/rendered.ts";
import {
  announced,
  chipsOf,
  claimName,
  groups,
  headline,
  inOrder,
  leftToPay,
  putBack,
  said,
  unticked,
} from "./work.ts";
import NotTicked from "./NotTicked.svelte";
import WorkList from "./WorkList.svelte";

const wagers = [
  { wager: "place", title: "Place", spots: ["place 6", "place 8"] },
  { wager: "come", title: "Come", spots: ["come", "come 6"] },
  { wager: "field", title: "Field", spots: ["field"] },
] as unknown as WagerView[];

const chips = (from: string, to: string, amount: number) => ({ from, to, amount }) as ChipTransfer;
let number = 0;
const item = (more: Partial<WorkItemView>): WorkItemView => ({
  item: number++,
  kind: "pay",
  seat: 0,
  name: "Ann",
  wager: "place 6",
  to: "",
  amount: 1_200,
  claims: [],
  chips: [],
  ticked: false,
  ...more,
});
const list = (more: Partial<WorkListView>): WorkListView => ({
  list: 70,
  cause: "rolled",
  dice: "4-2",
  was: null,
  number: 16,
  what: null,
  claim: null,
  reason: null,
  of_the_dice: true,
  done: false,
  items: [],
  ...more,
});
const one = (more: Partial<WorkItemView>) => {
  const { who, bet, what } = said(item(more), wagers);
  return [who, bet, what].filter(Boolean).join(": ");
};

test.each<[Partial<WorkItemView>, string]>([
  [{ chips: [chips("tray", "rack", 1_400)] }, "Ann, seat 1: Place 6 $12: pay $14"],
  [
    { wager: "field", amount: 1_000, kind: "return", chips: [chips("felt", "rack", 1_000)] },
    "Ann, seat 1: Field $10: back to the rack $10",
  ],
  [
    { wager: "field", amount: 1_000, kind: "put-back", chips: [chips("rack", "felt", 1_000)] },
    "Ann, seat 1: Field $10: $10 from the rack to the felt",
  ],
  [{ kind: "take", chips: [chips("felt", "tray", 1_200)] }, "Ann, seat 1: Place 6 $12: take $12"],
  [
    { kind: "take-back", chips: [chips("rack", "tray", 1_400)] },
    "Ann, seat 1: Place 6 $12: $14 from the rack to the tray",
  ],
  [{ kind: "move", wager: "come", to: "come 6" }, "Ann, seat 1: Come $12: move to Come 6"],
  [{ kind: "stand" }, "Ann, seat 1: Place 6 $12: stays up"],
  [
    { kind: "hold", amount: 300_000, claims: [4] },
    "Ann, seat 1: Place 6: hold $3,000, do not pay until claim 4 is confirmed",
  ],
  [
    { kind: "hold", amount: 0, wager: "", claims: [5] },
    "Ann, seat 1: hold the jackpot, do not pay until claim 5 is confirmed",
  ],
  [
    { kind: "confirmed", amount: 300_000, chips: [chips("tray", "rack", 300_000)] },
    "Ann, seat 1: Place 6: pay $3,000",
  ],
  [{ kind: "denied", claims: [4] }, "Ann, seat 1: Place 6: claim 4 is denied, do not pay"],
  [{ kind: "cage", amount: 500_072, wager: "" }, "Ann, seat 1: the cage pays $5,000.72"],
  [
    { seat: null, name: "", wager: "", chips: [chips("tray", "dealers", 30_000)] },
    "Dealers: pay the dealers $300",
  ],
])("%o", (more, words) => expect(one(more)).toBe(words));

test("the words and the data of chips are of the same sums", () => {
  const all = [
    chips("tray", "rack", 1_000),
    chips("felt", "rack", 500),
    chips("tray", "rack", 400),
  ];
  expect(chipsOf(all)).toEqual({
    words: "pay $14, back to the rack $5",
    data: "tray>rack:1400 felt>rack:500",
  });
  expect(chipsOf([])).toEqual({ words: "", data: "" });
});

test("every kind of item has a heading, with what all of it moves", () => {
  const kinds = [
    ["take", "Take"],
    ["pay", "Pay now"],
    ["off-and-on", "Pay now"],
    ["return", "Return and move"],
    ["move", "Return and move"],
    ["stand", "Return and move"],
    ["hold", "Hold, do not pay"],
    ["confirmed", "Confirmed, pay now"],
    ["cage", "Paid by the cage"],
    ["denied", "Denied, do not pay"],
    ["give-back", "Give back"],
    ["take-back", "Take back"],
    ["put-back", "Put back on the felt"],
  ] as const;
  for (const [kind, title] of kinds)
    expect(groups(list({ items: [item({ kind })] })).map((group) => group.title)).toEqual([title]);
  const items = [
    item({ chips: [chips("tray", "rack", 1_400)] }),
    item({ kind: "put-back", chips: [chips("rack", "felt", 500)] }),
    item({ seat: 2, chips: [chips("tray", "rack", 600), chips("felt", "rack", 100)] }),
  ];
  // What is put back comes before what is paid.
  expect(groups(list({ items })).map(({ title, total }) => `${title}: ${total}`)).toEqual([
    "Put back on the felt: $5 from the rack to the felt",
    "Pay now: pay $20, back to the rack $1",
  ]);
});

test("a list says what it is about", () => {
  expect(headline(list({}))).toBe("Roll 16: 4-2");
  expect(headline(list({ cause: "voided", reason: "cocked" }))).toBe(
    "Voided: 4-2 does not count: cocked",
  );
  expect(headline(list({ cause: "corrected", was: "5-1", reason: "misread" }))).toBe(
    "Corrected: keyed as 5-1, the dice showed 4-2: misread",
  );
  expect(headline(list({ cause: "denied", claim: 4, reason: "no" }))).toBe("Claim 4 is denied: no");
  const confirmed = list({ cause: "confirmed", claim: 4, items: [item({ kind: "confirmed" })] });
  expect(headline(confirmed, wagers)).toBe("Claim 4 (Place 6) is confirmed");
  expect(announced(list({ items: [item({ chips: [chips("tray", "rack", 1_400)] })] }))).toBe(
    "Roll 16: 4-2. Pay now: pay $14.",
  );
});

test("work that is left stays on top, and what is only held comes after it", () => {
  const lists = [list({ list: 60, done: true }), list({ list: 70 }), list({ list: 80 })];
  expect(inOrder(lists).map((one) => one.list)).toEqual([70, 80, 60]);
  const items = [item({}), item({ ticked: true }), item({ kind: "hold" })];
  expect(unticked([list({ items }), list({ items, done: true })])).toBe(1);
});

/** Nothing happens at the table. */
const still = { onUpdate: () => () => undefined, onFresh: () => () => undefined };
const shown = (lists: WorkListView[], phase: string, round = 70) => {
  const live = { ...still, work: lists } as unknown as Live;
  const table = { wagers, config: { practice: false }, hand: { phase, round } };
  const props = { live, table: table as unknown as TableView };
  return { html: html(WorkList, props), text: text(WorkList, props) };
};

test("an item shows its chips, and carries them for programs", () => {
  const all = [chips("tray", "rack", 1_400), chips("felt", "rack", 1_000)];
  const page = shown([list({ items: [item({ chips: all })] })], "paying");
  expect(page.html).toMatch(
    /<li[^>]*data-kind="pay" data-seat="0"[^>]*data-chips="tray>rack:1400 felt>rack:1000"/,
  );
  expect(page.text).toContain("Ann, seat 1: Place 6 $12: pay $14, back to the rack $10");
});

test("a list has a button of its own, unless betting marks it done", () => {
  const done = (phase: string, list_: Partial<WorkListView> = {}) =>
    />\s*Done\s*<\/button>/.test(shown([list({ items: [item({})], ...list_ })], phase).html);
  expect(done("open")).toBe(true);
  expect(done("paying")).toBe(false);
  // An older list is not paid with this round.
  expect(done("paying", { list: 60 })).toBe(true);
  expect(done("open", { done: true })).toBe(false);
});

test("what is held has nothing to tick", () => {
  const held = shown([list({ items: [item({ kind: "hold", claims: [4] })] })], "paying");
  expect(held.html).not.toContain("checkbox");
  expect(held.text).toContain("Hold, do not pay");
});

test("the stick's call stands with the list of its roll", () => {
  const live = { ...still, work: [list({})] } as unknown as Live;
  const hand = { phase: "paying", round: 70 };
  const table = { wagers, config: { practice: false }, hand } as unknown as TableView;
  const call = "six, easy six, mark the 6";
  const words = (number: number) => text(WorkList, { live, table, last: { number, call } });
  expect(words(16)).toContain("Six, easy six, mark the 6");
  expect(words(15)).not.toContain("mark the 6");
});

test("a mend says which roll it goes after, and can be marked done while others are paid", () => {
  const mended = list({ cause: "mended", dice: "3-3", number: 12, what: "showed 4-2" });
  expect(headline({ ...mended, reason: "seen on camera 3" })).toBe(
    "Mended: roll 12, keyed 3-3, showed 4-2: seen on camera 3",
  );
});

test("what a void does not put back is counted while the list of its roll is not done", () => {
  const items = [item({ ticked: true }), item({}), item({}), item({ kind: "hold" })];
  expect(putBack([list({ items })], 70)).toEqual({ ticked: 1, of: 3 });
  expect(putBack([list({ items, done: true })], 70)).toBeNull();
  expect(putBack([list({ items })], 60)).toBeNull();
  expect(
    putBack([list({ items: [item({ ticked: true }), item({ kind: "hold" })] })], 70),
  ).toBeNull();
  const live = { ...still, work: [list({ items })] } as unknown as Live;
  const words = (practice: boolean) =>
    text(NotTicked, { live, table: { config: { practice }, hand: { last_roll: 70 } } as never });
  expect(words(false)).toBe(
    "1 of 3 items of this roll is ticked: only those are put back. Tick what has been moved before you agree.",
  );
  // A practice table puts everything back.
  expect(words(true)).toBe("");
});

test("what opening betting would mark done without a tick is counted", () => {
  const items = [item({ ticked: true }), item({}), item({ kind: "hold" })];
  expect(leftToPay([list({ items })], 70)).toBe(1);
  expect(leftToPay([list({ items, list: 60 }), list({ items, of_the_dice: false })], 70)).toBe(0);
});

test("a claim is named with its number and its bet", () => {
  const claim = { claim: 4, paytable: null, wager: "place 6" } as never;
  expect(claimName(claim, wagers)).toBe("claim 4 (Place 6)");
  const jackpot = { claim: 5, paytable: "PT", wager: null } as never;
  const titled = [{ wager: "fire", title: "Fire", spots: ["fire"], paytable: "PT" }] as never;
  expect(claimName(jackpot, titled)).toBe("claim 5 (Fire)");
});

test("what the dealers wait for is named with its bet", () => {
  const held = item({ kind: "hold", seat: null, name: "", wager: "", amount: 1_000, claims: [4] });
  const claims = [{ claim: 4, paytable: null, wager: "place 6" }] as never;
  expect(said(held, wagers, claims).what).toBe(
    "hold $10, do not pay until claim 4 (Place 6) is confirmed",
  );
  expect(said(held, wagers).what).toBe("hold $10, do not pay until claim 4 is confirmed");
});
