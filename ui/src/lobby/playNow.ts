// Play at once: a name, a seat at the busiest practice table, and chips on the rail.

import type { Command, RulebookView, TableLine, TableView } from "$wire";
import { Refused, get, post } from "../lib/api.ts";
import { friendlyName } from "../lib/friendlyName.ts";
import { newId } from "../lib/live.svelte.ts";
import { session } from "../lib/session.svelte.ts";
import { seatOf } from "../lib/table.ts";
import { practiceTable } from "./choice.ts";
import { free, isOpen } from "./line.ts";

/** The chips somebody starts with, in cents. */
export const STAKE = 50_000;
/** So many tables are looked at for a seat that is ours already, or for a free one. */
const LOOKED_AT = 12;

/** The tables to try, the busiest first; of two alike the one that comes out. */
export function inTurn(lines: TableLine[]): TableLine[] {
  const comesOut = ({ puck }: TableLine) => Number(puck === null);
  return lines
    .filter((line) => line.practice && isOpen(line) && free(line) > 0)
    .sort((one, other) => other.players - one.players || comesOut(other) - comesOut(one));
}

/** Tables at which somebody sits, who could be us; the busiest first. */
function occupied(lines: TableLine[]): TableLine[] {
  return lines
    .filter((line) => line.problem === null && line.status !== "closed" && line.players > 0)
    .sort((one, other) => other.players - one.players);
}

const address = (id: string) => `/api/tables/${encodeURIComponent(id)}`;
const view = (id: string) => get<TableView>(address(id));

function ask(id: string, command: Command): Promise<unknown> {
  return post(`${address(id)}/commands`, { id: newId(), command });
}

/** Where we sit already. */
async function ownTable(lines: TableLine[]): Promise<string | null> {
  if (!session.me) return null;
  const { person } = session.me;
  const looked = occupied(lines)
    .slice(0, LOOKED_AT)
    .map((line) => view(line.id).catch(() => null));
  const own = (await Promise.all(looked)).find((table) => table && seatOf(table, person));
  return own?.id ?? null;
}

/** Sits down and buys in; nothing where the table has no place for us after all. */
async function takeSeat(id: string): Promise<boolean> {
  try {
    await ask(id, { command: "sit" });
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 409) return false;
    throw error;
  }
  const seat = seatOf(await view(id), session.me?.person);
  if (seat && seat.rack === 0) await ask(id, { command: "buy-in", seat: seat.seat, amount: STAKE });
  return true;
}

/** Seats whoever is here, and says at which table. */
export async function playNow(
  lines: TableLine[],
  rulebooks: () => Promise<RulebookView[]>,
): Promise<string> {
  const own = await ownTable(lines);
  if (own !== null) return own;
  if (!session.me) await session.playAs(friendlyName());
  for (const { id } of inTurn(lines).slice(0, LOOKED_AT)) {
    // Where a dealer throws the dice one may wait for long.
    const table = await view(id).catch(() => null);
    if (table?.config.dice === "house" && (await takeSeat(id))) return id;
  }
  const { id } = await post<TableView>("/api/tables", practiceTable(await rulebooks()));
  await takeSeat(id);
  return id;
}
