// What the next roll would do, as the server has settled it, put in order for showing.

import type { IfRolledView } from "$wire";
import { signed } from "./money.ts";
import { listed } from "./words.ts";

/** What a roll would bring, jackpots and commission counted. */
export const net = ({ won, lost }: IfRolledView) => won - lost;

/** The totals that come the hard way too. */
const BOTH_WAYS = [4, 6, 8, 10];

/** How a way to roll is called: `6 easy`, `6 hard`, `7`; with the dice where that is not enough. */
export function called(view: IfRolledView, all: IfRolledView[]): string {
  const { total, hard, dice } = view;
  if (!BOTH_WAYS.includes(total)) {
    const alike = all.filter((other) => other.total === total);
    return alike.length > 1 ? `${total} (${dice.join(", ")})` : String(total);
  }
  const alike = all.filter((other) => other.total === total && other.hard === hard);
  const way = `${total} ${hard ? "hard" : "easy"}`;
  return alike.length > 1 ? `${way} (${dice.join(", ")})` : way;
}

/** How likely it is, in 36ths. */
export function ways({ dice }: IfRolledView): number {
  return dice.reduce((sum, pair) => sum + (pair[0] === pair[2] ? 1 : 2), 0);
}

/** What a total would bring, as it stands on its box. */
export interface Mark {
  total: number;
  /** Only the hard way, which brings something else than the easy one. */
  hard: boolean;
  text: string;
  net: number;
}

/** The marks of the totals at which something of yours would move. */
export function marks(all: IfRolledView[]): Mark[] {
  const totals = [...new Set(all.map(({ total }) => total))];
  return totals.flatMap((total) => {
    const views = all.filter((view) => view.total === total);
    if (views.every((view) => view.lines.length === 0 && net(view) === 0)) return [];
    const easy = range(views.filter(({ hard }) => !hard));
    const hard = range(views.filter((view) => view.hard));
    const one = easy ?? hard;
    if (!one) return [];
    const mark = { total, hard: false, ...one };
    if (!easy || !hard || easy.text === hard.text) return [mark];
    return [mark, { total, hard: true, ...hard }];
  });
}

function range(views: IfRolledView[]): { text: string; net: number } | null {
  const nets = views.map(net);
  if (nets.length === 0) return null;
  const [least, most] = [Math.min(...nets), Math.max(...nets)];
  if (least === most) return { text: signed(least), net: least };
  return { text: `${signed(least)} to ${signed(most)}`, net: least };
}

/** What a player has put up again after a roll, which no forecast knows of. */
export function putAgain({ stayUp, sameBets }: { stayUp: boolean; sameBets: boolean }): string {
  const what = [
    ...(stayUp ? ["winning line bets"] : []),
    ...(sameBets ? ["the bets your hand began with"] : []),
  ];
  return what.length > 0 ? `Auto then puts ${listed(what)} up again: not counted here.` : "";
}
