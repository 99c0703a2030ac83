// What a record says to people: who did what, what became of the bets, and when.

import type {
  BuyInKind,
  CashOutKind,
  CheckItem,
  Happened,
  Line,
  MendMoveView,
  PastHand,
  RolledView,
  SettledView,
  TableView,
  UndoneView,
  Update,
} from "$wire";
import { dollars, withDollars } from "../lib/money.ts";
import { inChips, movedWords } from "../lib/moved.ts";
import { nameOf, netOf, withSeat } from "../lib/table.ts";
import { listed, numberOf, title } from "../lib/words.ts";
import type { Step } from "./steps.ts";

/** What became of one bet, in a word and an amount. */
export function outcome(line: SettledView): { word: string; amount: number | null } {
  switch (line.fate) {
    case "win":
      return { word: line.left ? "wins, stays up" : "wins", amount: netOf(line) };
    case "lose":
      return { word: "loses", amount: netOf(line) };
    case "travel":
      return { word: `moves to ${numberOf(line.left ?? "") ?? "its number"}`, amount: null };
    case "push":
      return { word: "pushes", amount: netOf(line) };
    case "return":
      return { word: "comes back", amount: null };
    default:
      return { word: line.fate, amount: null };
  }
}

/** What a roll brought the house by the bets it decided, envy included. */
export function houseResult(roll: RolledView): number {
  const seats = roll.lines.reduce((sum, line) => sum + netOf(line), 0);
  return -seats - (roll.envy ?? 0);
}

/** The lines of a roll by seat, in order. */
export function linesBySeat(roll: RolledView): [number, SettledView[]][] {
  const seats = new Map<number, SettledView[]>();
  for (const line of roll.lines) {
    const lines = seats.get(line.seat);
    if (lines) lines.push(line);
    else seats.set(line.seat, [line]);
  }
  return [...seats];
}

/** A record in words. */
export function words(step: Step): string {
  const said = step.update.events.map((event) => sentence(event, step));
  if (said.length > 0) return said.join("; ");
  return step.after.sight === "stranger" ? "Bets and chips" : "Opened";
}

function sentence(event: Happened, { before, after }: Step): string {
  const name = (seat: number) => {
    const there = after.seats.some((other) => other.seat === seat);
    return nameOf(there ? after : before, seat);
  };
  const called = (wager: string) => title(before.wagers, wager);
  /** Bets made after a roll that is taken back. */
  const undone = (all: UndoneView[]) =>
    all
      .map(({ seat, wager, amount }) => {
        const chips = `${dollars(Math.abs(amount))} of ${name(seat)} on ${called(wager)}`;
        return `; ${chips} ${amount < 0 ? "goes back on the felt" : "goes back to the rack"}`;
      })
      .join("");
  /** What a mend moved. */
  const mended = (moves: MendMoveView[]) =>
    moves
      .map(({ seat, name: gone, wager, place, amount, lost }) => {
        const size = dollars(Math.abs(amount));
        if (place === "dealers") return `; the dealers ${amount < 0 ? "return" : "get"} ${size}`;
        if (place === "cage") return `; the cage pays ${size} to ${gone}`;
        if (place === "walked")
          return `; ${gone} walked away with ${size} ${amount < 0 ? "less" : "more"}`;
        const who = seat === null ? "" : name(seat);
        if (wager)
          return `; ${called(wager)} of ${who}, ${size}, ${lost ? "is lost" : "comes back"}`;
        return `; ${who} ${amount < 0 ? "returns" : "gets"} ${size}`;
      })
      .join("");
  switch (event.event) {
    case "sat":
      return `${event.name} sat down in seat ${event.seat + 1}`;
    case "renamed":
      return `${nameOf(before, event.seat)} is called ${withSeat(after, event.name, event.seat)} now`;
    case "left":
      return `${name(event.seat)} left with ${dollars(event.amount)}${wentWhere(event.kind)}`;
    case "given-up":
      return `The seat of ${name(event.seat)} was given up: ${event.reason}`;
    case "bought-in":
      return `${name(event.seat)} bought in for ${dollars(event.amount)}${broughtWhat(event.kind)}`;
    case "cashed-out":
      return `${name(event.seat)} cashed out ${dollars(event.amount)}${wentWhere(event.kind)}`;
    case "filled":
      return `${dollars(event.amount)} was brought to the table`;
    case "credited":
      return `${dollars(event.amount)} was taken from the table`;
    case "put":
      return `${name(event.seat)} put ${movedWords(event, before, after, "on")}`;
    case "took":
      return `${name(event.seat)} took ${movedWords(event, before, after, "from")}`;
    case "called":
      return event.call === "house"
        ? `${name(event.seat)} left ${called(event.wager)} to the house`
        : `${name(event.seat)} called ${called(event.wager)} ${event.call}`;
    case "betting-closed":
      return "No more bets";
    case "rolled":
      return `${event.dice}, ${event.call}`;
    case "no-roll":
      return "No roll";
    case "dice-passed":
      return `The dice pass to ${name(event.to)}`;
    case "swept":
      return event.lines
        .map(({ seat, wager, fate }) => {
          const became = fate === "lose" ? "is lost" : "comes back";
          return `${called(wager)} of ${name(seat)} ${became} as the dice pass`;
        })
        .join("; ");
    case "voided":
      return `The roll ${event.dice} was voided${because(event.reason)}${undone(event.undone)}`;
    case "corrected":
      return `${event.was} was corrected to ${event.rolled.dice}${because(event.reason)}${undone(event.undone)}`;
    case "claim-paid":
      return event.shares.length === 0
        ? `Jackpot paid: ${dollars(event.amount)}`
        : `Jackpot paid: ${event.shares
            .map(([seat, share]) => `${name(seat)} ${dollars(share)}`)
            .join(", ")}`;
    case "held":
      return `${dollars(event.amount)} of ${name(event.seat)} on ${called(event.wager)} waits to be confirmed`;
    case "envy-held":
      return `${dollars(event.amount)} for the dealers waits for the claim`;
    case "released":
      return `${dollars(event.amount)} on ${called(event.wager)} was confirmed: ${name(event.seat)} has it`;
    case "claim-denied":
      return `What ${event.shares.map(([seat]) => name(seat)).join(", ")} won on ${called(event.wager)} was denied: ${event.reason}`;
    case "returned": {
      const chips = inChips(event, before, after, "on");
      const were = chips.length > 1 ? "were" : "was";
      return `${listed(chips)} ${were} handed back to ${name(event.seat)}: ${event.reason}`;
    }
    case "mended":
      return `Roll ${event.number}, keyed ${event.keyed}, was mended: ${event.what}${because(event.reason)}${mended(event.moves)}`;
    case "paying-begun":
      return "The crew pays";
    case "betting-opened":
      return "Paid, bets open";
    case "checked":
      return `Claim ${event.claim}: ${CHECKED[event.item]}`;
    case "confirmed":
      return `Claim ${event.claim} was confirmed${paidHow(event)}`;
    case "work-done":
      return `The work list of record ${event.list} is done`;
    case "linked":
      return event.person === null
        ? `The crew unlinked ${event.name || "a player"}`
        : `The crew linked ${event.name || "a player"} to ${event.person}`;
    case "identified":
      return event.taken
        ? `The crew took the identity of ${event.name || "a player"}`
        : `The identity of ${event.name || "a player"} does not count as taken any more`;
    case "configured":
      return "The table has a new configuration";
    case "paused":
      return "The table waits";
    case "resumed":
      return "The table plays on";
    case "closed":
      return "The table closed";
    case "committed":
      return "The house committed to the next roll";
    case "proposed":
      return `Asked for: ${withDollars(event.what)} (${event.reason})${wouldChange(event.lines)}; a second person has to agree`;
    case "withdrawn":
      return `${requested(event.proposal, before)} was withdrawn${because(event.reason ?? null)}`;
    case "agreed":
      return `Agreed: ${requested(event.proposal, before)}`;
    case "change-queued":
      return "The new configuration waits for a come-out with no bets up";
  }
}

/** What a request would change, in words. */
function wouldChange(lines: Line[]): string {
  const change = ({ what, before, after }: Line) =>
    `${what} from ${before || "nothing"} to ${after || "nothing"}`;
  return lines.length === 0 ? "" : `, which would change ${listed(lines.map(change))}`;
}

/** A request, by its number and what it was for. */
function requested(number: number, { hand }: TableView): string {
  const request = hand.proposals.find(({ proposal }) => proposal === number);
  const what = `What record ${number} asked for`;
  return request ? `${what}, ${withDollars(request.what)},` : what;
}

const CHECKED: Record<CheckItem, string> = {
  dice: "dice and lammers were verified",
  surveillance: "surveillance looked at the roll",
  identity: "the winner's identity was checked",
  form: "the tax form was filled in",
};

/** Who paid a claim, against which slip, and what its meter had shown. */
function paidHow({ paid_by, slip, form, shown }: Extract<Happened, { event: "confirmed" }>) {
  const parts = [
    paid_by === "cage" ? "paid by the cage" : "paid out of the tray",
    ...(slip === null ? [] : [`slip ${slip}`]),
    ...(form === null ? [] : [`form ${form}`]),
    ...(shown === null ? [] : [`the meter showed ${dollars(shown)}`]),
  ];
  return `: ${parts.join(", ")}`;
}

/** What chips were bought with, if not with cash. */
const broughtWhat = (kind: BuyInKind): string =>
  ({ cash: "", marker: " on a marker", coupon: " with a coupon", chips: " with chips" })[kind];

/** Where chips went, if the player did not walk away with them. */
const wentWhere = (kind: CashOutKind): string =>
  ({
    walk: "",
    jackpot: ", a jackpot that the cage pays",
    redeem: ", redeemed at the table",
    toke: ", a toke for the dealers",
    "left-behind": ", left behind and held for them",
  })[kind];

const because = (reason: string | null) => (reason === null ? "" : `: ${reason}`);

/** Who shot a hand: the name, or only the seat where names are hidden. `table` is the table then,
 * for where the number of the seat does not stand beside the name. */
export function shooterOf(hand: PastHand, table?: TableView | null): string {
  if (hand.shooter === null) return "Nobody yet";
  if (hand.name === null) return `Seat ${hand.shooter + 1}`;
  return table ? withSeat(table, hand.name, hand.shooter) : hand.name;
}

const ENDS = { "seven-out": "seven-out", passed: "dice passed", left: "shooter left" };

/** Whether a hand goes on: the last one of a table that is closed does not. */
export const isUnderWay = (hand: PastHand, closed: boolean) => hand.open && !closed;

/** How a hand ended, or that it goes on. */
export function howEnded(hand: PastHand, closed: boolean): string {
  if (hand.end) return ENDS[hand.end];
  return closed ? "table closed" : "under way";
}

/** What the history says of a table that is closed; nothing of any other. `at` is when it was
 * closed, if that is known. */
export function closedWords(table: TableView, at: number | null): string | null {
  if (table.hand.status !== "closed") return null;
  const when = at === null ? "" : ` since ${dateTime(at)}`;
  return `This table is closed${when}. No more hands are played here.`;
}

/** Why a stranger sees no chips. */
export const HIDDEN = "Names and chips are for those who sat here then, the crew and auditors.";

/** Who asked for a record, as people would say it. */
export function authorAt(table: TableView, { by, name }: Update): string {
  const own = table.seats.filter((seat) => by !== null && seat.person === by);
  if (own[0]?.name) {
    // Several seats of one person have one name: only the seats of others are told apart.
    const others = table.seats.filter((seat) => seat === own[0] || !own.includes(seat));
    return withSeat({ ...table, seats: others }, own[0].name, own[0].seat);
  }
  if (name) return name;
  if (by === "boxman") return "the house";
  return by?.startsWith("guest-") ? "a guest" : "a player";
}

/** `14:03:22`, by this browser's clock. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

/** `5 Mar 2026, 14:03`, or `14:03:22` where a dispute may hang on it. */
export function dateTime(at: number, precision: "minutes" | "seconds" = "minutes"): string {
  return new Date(at).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(precision === "seconds" ? { second: "2-digit" } : {}),
  });
}
