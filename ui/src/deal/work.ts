// The crew's work lists in words: which chips to move, grouped as a dealer works. What is to be
// moved is the server's; only the headings and the words are made here.

import type {
  ChipPlace,
  ChipTransfer,
  ClaimView,
  TableView,
  WagerView,
  WorkItemView,
  WorkKind,
  WorkListView,
} from "$wire";
import { dollars } from "../lib/money.ts";
import { nameOf } from "../lib/table.ts";
import { listed, title } from "../lib/words.ts";

/** The items of a list under one heading. */
export interface Group {
  title: string;
  items: WorkItemView[];
  /** The chips of all of them. */
  total: string;
}

const HEADINGS: readonly [title: string, kinds: readonly WorkKind[]][] = [
  ["Give back", ["give-back"]],
  ["Take back", ["take-back"]],
  ["Put back on the felt", ["put-back"]],
  ["Take", ["take"]],
  ["Confirmed, pay now", ["confirmed"]],
  ["Pay now", ["pay", "off-and-on"]],
  ["Return and move", ["return", "move", "stand"]],
  ["Hold, do not pay", ["hold"]],
  ["Denied, do not pay", ["denied"]],
  ["Paid by the cage", ["cage"]],
];

/** The items of a list by heading, in the order in which they are worked. */
export function groups({ items }: WorkListView): Group[] {
  return HEADINGS.map(([title, kinds]) => {
    const own = items.filter(({ kind }) => kinds.includes(kind));
    return { title, items: own, total: chipsOf(own.flatMap(({ chips }) => chips)).words };
  }).filter((group) => group.items.length > 0);
}

/** Chips in words, and the same for programs: `tray>rack:1400 felt>rack:1000`. */
export interface Chips {
  words: string;
  data: string;
}

/** What is said of chips, where it is not said from where to where. */
const MOVES: Partial<Record<`${ChipPlace}>${ChipPlace}`, (amount: string) => string>> = {
  "felt>tray": (amount) => `take ${amount}`,
  "tray>rack": (amount) => `pay ${amount}`,
  "felt>rack": (amount) => `back to the rack ${amount}`,
  "tray>dealers": (amount) => `pay the dealers ${amount}`,
};

/** The words and the data of chips: each pair of places once, both from the same sums. */
export function chipsOf(all: ChipTransfer[]): Chips {
  const sums = new Map<string, ChipTransfer>();
  for (const { from, to, amount } of all) {
    const before = sums.get(`${from}>${to}`)?.amount ?? 0;
    sums.set(`${from}>${to}`, { from, to, amount: before + amount });
  }
  const chips = [...sums.values()].filter(({ amount }) => amount !== 0);
  return {
    words: chips.map(inWords).join(", "),
    data: chips.map(({ from, to, amount }) => `${from}>${to}:${amount}`).join(" "),
  };
}

function inWords({ from, to, amount }: ChipTransfer): string {
  const said = MOVES[`${from}>${to}`];
  const move = dollars(amount);
  return said ? said(move) : `${move} from the ${from} to the ${to}`;
}

/** One item in words: whose, which bet, and what to do. */
export interface Said {
  who: string;
  bet: string;
  /** What to do, of which the chips are a part. */
  what: string;
  /** The chips that `what` names, for programs. */
  chips: string;
}

/** `claims` are those that wait: an item without a bet of its own names theirs. */
export function said(
  item: WorkItemView,
  wagers: WagerView[],
  claims: readonly ClaimView[] = [],
): Said {
  const { kind, seat, name, wager, amount } = item;
  const { words, data } = chipsOf(item.chips);
  const more = besides(item, wagers, claims);
  return {
    who: seat === null ? "Dealers" : `${name || "Nobody"}, seat ${seat + 1}`,
    bet:
      wager && `${title(wagers, wager)}${shows(kind) && amount > 0 ? ` ${dollars(amount)}` : ""}`,
    what: [more, words].filter(Boolean).join(", "),
    chips: data,
  };
}

/** Whether the amount of an item is the stake of its bet. */
const shows = (kind: WorkKind) => !["hold", "confirmed", "cage", "denied"].includes(kind);

/** What there is to do beside the chips that change places. */
function besides(item: WorkItemView, wagers: WagerView[], waiting: readonly ClaimView[]): string {
  const { kind, to, amount, claims } = item;
  const numbers = claims.length > 0 ? `claim ${listed(claims.map(String))}` : "the claim";
  const named = waiting.filter(({ claim }) => claims.includes(claim));
  const claim =
    item.wager === "" && named.length > 0 && named.length === claims.length
      ? listed(named.map((one) => claimName(one, wagers)))
      : numbers;
  const money = amount > 0 ? dollars(amount) : "the jackpot";
  switch (kind) {
    case "hold":
      return `hold ${money}, do not pay until ${claim} is confirmed`;
    case "denied":
      return `${claim} is denied, do not pay`;
    case "cage":
      return `the cage pays ${money}`;
    case "off-and-on":
      return to ? `off and on with ${title(wagers, to)}` : "off and on";
    case "stand":
      return "stays up";
    default:
      return to ? `move to ${title(wagers, to)}` : "";
  }
}

/** A claim by its number and its bet: `claim 4 (All Small)`. */
export function claimName({ claim, paytable, wager }: ClaimView, wagers: WagerView[]): string {
  const bet =
    paytable === null
      ? wager && title(wagers, wager)
      : (wagers.find((other) => other.paytable === paytable)?.title ?? paytable);
  return bet ? `claim ${claim} (${bet})` : `claim ${claim}`;
}

/** The bets of a list, once each. */
const betsOf = ({ items }: WorkListView, wagers: WagerView[]): string => {
  const bets = new Set(items.flatMap(({ wager }) => (wager ? [title(wagers, wager)] : [])));
  return bets.size > 0 ? ` (${listed([...bets])})` : "";
};

/** What a list is about. */
export function headline(list: WorkListView, wagers: WagerView[] = []): string {
  const { cause, dice, was, number, what, claim, reason } = list;
  const why = reason ? `: ${reason}` : "";
  switch (cause) {
    case "rolled":
      return `Roll ${number ?? ""}: ${dice ?? ""}`;
    case "voided":
      return `Voided: ${dice ?? ""} does not count${why}`;
    case "corrected":
      return `Corrected: keyed as ${was ?? ""}, the dice showed ${dice ?? ""}${why}`;
    case "mended":
      return `Mended: roll ${number ?? ""}, keyed ${dice ?? ""}, ${what ?? ""}${why}`;
    case "confirmed":
      return `Claim ${claim ?? ""}${betsOf(list, wagers)} is confirmed`;
    case "denied":
      return `Claim ${claim ?? ""}${betsOf(list, wagers)} is denied${why}`;
    case "dice-passed":
      return "The dice were passed";
    case "given-up":
      return `A seat was given up${why}`;
    default:
      return "Chips to move";
  }
}

/** What is said once the dice were passed: who has them now. The next player in turn may not be
 * able to shoot. */
export const diceGoTo = (table: TableView): string =>
  table.hand.shooter === null
    ? "The dice were passed."
    : `The dice go to ${nameOf(table, table.hand.shooter)}.`;

/** What a screen reader is told of a list. */
export function announced(list: WorkListView, wagers: WagerView[] = []): string {
  const parts = groups(list).map(({ title, total }) => (total ? `${title}: ${total}` : title));
  return (
    [headline(list, wagers), ...(parts.length > 0 ? parts : ["No chips move"])].join(". ") + "."
  );
}

/** The lists in the order they are shown: work that is left first, oldest on top, then what is
 * only held. */
export function inOrder(lists: readonly WorkListView[]): WorkListView[] {
  return [...lists.filter(({ done }) => !done), ...lists.filter(({ done }) => done)];
}

/** The list of the betting round that *Paid, bets open* would mark done, as far as it is not
 * ticked off. */
export const leftToPay = (lists: readonly WorkListView[], round: number): number =>
  unticked(lists.filter(({ list, of_the_dice }) => list >= round && of_the_dice));

/** What a void or a correction would not put back: how many items of the roll are ticked, of how
 * many. Nothing where everything is put back. */
export function putBack(
  lists: readonly WorkListView[],
  roll: number | null,
): { ticked: number; of: number } | null {
  const list = lists.find((one) => one.list === roll && !one.done);
  const items = list?.items.filter(({ kind }) => kind !== "hold") ?? [];
  const ticked = items.filter((item) => item.ticked).length;
  return ticked < items.length ? { ticked, of: items.length } : null;
}

/** How many items are left to tick off. */
export function unticked(lists: readonly WorkListView[]): number {
  const left = lists.filter(({ done }) => !done).flatMap(({ items }) => items);
  return left.filter(({ kind, ticked }) => kind !== "hold" && !ticked).length;
}
