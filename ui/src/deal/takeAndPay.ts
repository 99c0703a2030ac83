// What is said of a bet after a roll, and of a seat that is put back as it was. Work lists are the
// server's, and their words are made in `work.ts`.

/** What is done about one bet. */
export interface Work {
  deed: "take" | "off-and-on" | "pay" | "return" | "jackpot" | "move" | "stand";
  wager: string;
  title: string;
  stake: number;
  /** Winnings before commission. */
  won: number;
  commission: number;
  /** Chips out of the tray: winnings less commission. */
  pay: number;
  /** Chips off the layout that go back to the player. */
  down: number;
  /** Both together. */
  toRack: number;
  /** Where it stands afterwards, by its title; nothing where it comes down. */
  left: string | null;
  /** Off and on: what the equal bet was before it took the spot. */
  successor: string | null;
}

/** How one seat is put back as it was before a roll that does not count. */
export interface Undo {
  seat: number;
  name: string;
  /** What comes back from the rack. */
  back: number;
  /** What goes up again. */
  up: Pick<Work, "title" | "stake">[];
  /** What moves back. */
  move: { from: string; to: string; stake: number }[];
}
