// What is told of an event at the table, in the names people use.

import type { Happened, TableView, UndoneView, Update } from "$wire";
import { dollars, withDollars } from "../lib/money.ts";
import { inChips } from "../lib/moved.ts";
import { nameOf } from "../lib/table.ts";
import { NEW_RULES_WAIT, listed, title } from "../lib/words.ts";

/** A sentence, or nothing; `mine` are the seats of whoever reads it, and `table` and `after` the
 * table before and after the event. The roll is told elsewhere. */
export function tidings(
  event: Happened,
  table: TableView,
  mine: number[],
  after: TableView = table,
): string {
  const yours = (seat: number) => mine.includes(seat);
  const name = (seat: number) => (yours(seat) ? "You" : nameOf(table, seat));
  const whose = (seat: number) => (yours(seat) ? "Your" : `${nameOf(table, seat)}'s`);
  const called = (wager: string) => title(table.wagers, wager);
  /** Your bets made since, which are undone with the roll. */
  const undone = ({ undone }: { undone: UndoneView[] }) =>
    undone
      .filter(({ seat }) => yours(seat))
      .map(({ wager, amount }) => {
        const place = amount < 0 ? "is back on the felt" : "is back in your rack";
        return `Your ${dollars(Math.abs(amount))} on ${called(wager)} ${place}.`;
      });
  switch (event.event) {
    case "voided":
      return ["The last roll is void: every chip is back where it was.", ...undone(event)].join(
        " ",
      );
    case "corrected":
      return ["The last roll was corrected.", ...undone(event)].join(" ");
    case "no-roll":
      return "No roll.";
    case "betting-closed":
      return "No more bets.";
    case "betting-opened":
      return "Bets are open.";
    case "paused":
      return "The table is paused.";
    case "resumed":
      return "The table plays on.";
    case "closed":
      return "The table has been closed.";
    case "change-queued":
      return NEW_RULES_WAIT;
    case "dice-passed": {
      // The next in turn may have no line bet, and then the dice go on.
      const to = after === table ? event.to : (after.hand.shooter ?? event.to);
      return yours(to) ? "You have the dice." : `${name(to)} has the dice.`;
    }
    case "claim-paid": {
      const shares = event.shares.map(([seat, cents]) =>
        yours(seat) ? `you win ${dollars(cents)}` : `${name(seat)} wins ${dollars(cents)}`,
      );
      return `Jackpot: ${shares.length > 0 ? listed(shares) : dollars(event.amount)}.`;
    }
    case "held":
      return `${whose(event.seat)} ${dollars(event.amount)} on ${called(event.wager)} waits to be confirmed.`;
    case "released":
      return `${whose(event.seat)} ${dollars(event.amount)} on ${called(event.wager)} is confirmed.`;
    case "claim-denied":
      return `What ${called(event.wager)} won is not paid: ${event.reason}.`;
    case "given-up":
      return `${whose(event.seat)} seat is given up: ${event.reason}.`;
    case "returned": {
      const chips = inChips(event, table, after, "on");
      const go = chips.length > 1 ? "go" : "goes";
      return `${listed(chips)} ${go} back to ${yours(event.seat) ? "you" : name(event.seat)}: ${event.reason}.`;
    }
    case "withdrawn": {
      const request = table.hand.proposals.find(({ proposal }) => proposal === event.proposal);
      if (!request) return "";
      if (/^(void|correct)\b/.test(request.what)) return "The last roll stays as it was.";
      const seat = /\bat seat (\d+)$|^(?:leave|give up) seat (\d+)$/.exec(request.what);
      const concerned = seat ? Number(seat[1] ?? seat[2]) - 1 : null;
      if (concerned === null || !yours(concerned)) return "";
      const why = event.reason === undefined ? "" : `: ${event.reason}`;
      return `What the crew asked for your seat, ${withDollars(request.what)}, was withdrawn${why}.`;
    }
    case "left":
      return yours(event.seat) ? `You have left your seat with ${dollars(event.amount)}.` : "";
    default:
      return "";
  }
}

/** Whether what waited to be confirmed is paid or denied with this. */
export const decides = ({ events }: Update): boolean =>
  events.some(({ event }) => event === "claim-paid" || event === "claim-denied");
