// Chips that come to the table or leave it, and what the crew moves for them. Work lists have what
// follows from the dice; this has what follows from a buy-in, a cash-out, a fill or a credit.

import type { BuyInKind, CashOutKind, Happened, TableView, Update } from "$wire";
import { dollars } from "../lib/money.ts";
import { bareName } from "../lib/table.ts";

/** Chips of one record, in words. */
export interface ChipsMoved {
  key: string;
  /** The number of the record, and the place in it. */
  record: number;
  place: number;
  /** When, in milliseconds since 1970. */
  at: number;
  /** What it was: `Ann, seat 1, buys in for $500`. */
  what: string;
  /** What moves: `$500 cash to the box, $500 from the tray to the rack`. */
  chips: string;
}

/** The chips that came to the table or left it with an update. */
export function chipsMoved(update: Update, before: TableView): ChipsMoved[] {
  // What a claim is paid is on the work list, also if the cage pays it.
  const paid = update.events.some(({ event }) => event === "claim-paid" || event === "released");
  const { seq: record, at } = update;
  return update.events.flatMap((event, place) => {
    const said = paid ? null : words(event, before);
    return said ? [{ key: `${record} ${place}`, record, place, at, ...said }] : [];
  });
}

function words(event: Happened, before: TableView): Pick<ChipsMoved, "what" | "chips"> | null {
  const who = (seat: number) => `${bareName(before, seat)}, seat ${seat + 1},`;
  switch (event.event) {
    case "filled": {
      const amount = dollars(event.amount);
      return { what: `Fill of ${amount}`, chips: `${amount} from the cage to the tray` };
    }
    case "credited": {
      const amount = dollars(event.amount);
      return { what: `Credit of ${amount}`, chips: `${amount} from the tray to the cage` };
    }
    case "bought-in": {
      const amount = dollars(event.amount);
      return {
        what: `${who(event.seat)} buys in for ${amount}`,
        chips: bought(event.kind, amount),
      };
    }
    case "cashed-out": {
      const amount = dollars(event.amount);
      return { what: `${who(event.seat)} cashes out ${amount}`, chips: went(event.kind, amount) };
    }
    case "left": {
      if (event.amount === 0) return { what: `${who(event.seat)} leaves`, chips: "no chips move" };
      const amount = dollars(event.amount);
      return {
        what: `${who(event.seat)} leaves with ${amount}`,
        chips: went(event.kind, amount),
      };
    }
    default:
      return null;
  }
}

function bought(kind: BuyInKind, amount: string): string {
  const chips = `${amount} from the tray to the rack`;
  switch (kind) {
    case "cash":
      return `${amount} cash to the box, ${chips}`;
    case "marker":
      return `marker of ${amount} to the box, ${chips}`;
    case "coupon":
      return `coupon of ${amount} to the box, ${chips}`;
    case "chips":
      return `${amount} of the player’s own chips to the rack`;
  }
}

/** What moves where chips leave a rack. */
export function went(kind: CashOutKind, amount: string): string {
  switch (kind) {
    case "walk":
      return `${amount} from the rack, the player takes it along`;
    case "redeem":
      return `${amount} from the rack to the tray, the player gets cash`;
    case "toke":
      return `${amount} from the rack to the dealers`;
    case "jackpot":
      return `${amount} from the rack to the tray, the cage pays it`;
    case "left-behind":
      return `${amount} from the rack, kept for the player`;
  }
}
