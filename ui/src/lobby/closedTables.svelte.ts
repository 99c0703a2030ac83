// Tables that are closed for good, page by page, those closed last first.

import type { TableLine } from "$wire";
import { get, sentence } from "../lib/api.ts";

/** So many come at once. */
export const PAGE = 50;

/** The address of a page: after a table, or from the first one on. */
export function path(name: string, practice: boolean, after: string | null): string {
  const query = new URLSearchParams({ closed: "true", limit: String(PAGE) });
  if (name.trim() !== "") query.set("name", name.trim());
  if (!practice) query.set("practice", "false");
  if (after !== null) query.set("after", after);
  return `/api/tables?${query.toString()}`;
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Its figures as a file, from the day it was opened to the day it was closed. */
export function report({ id, closed }: TableLine): string {
  const query = new URLSearchParams({ table: id, format: "csv" });
  if (closed) {
    query.set("from", day(closed.opened));
    query.set("to", day(closed.at));
  }
  return `/api/reports?${query.toString()}`;
}

/** When it was closed, and by whom. */
export function closedBy({ closed }: TableLine): string {
  if (!closed) return "Closed";
  const when = new Date(closed.at).toLocaleString("en-US", {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const who = closed.name ?? (closed.by === "boxman" ? "the house" : closed.by);
  return `Closed ${when} by ${who}`;
}

export class ClosedTables {
  lines = $state.raw<TableLine[] | null>(null);
  /** Whether there may be more. */
  more = $state(false);
  busy = $state(false);
  problem = $state("");

  #name = "";
  #practice = false;
  /** The search that was asked for last: the answer to an earlier one is not shown. */
  #turn = 0;

  /** Looks from the first page on. */
  async look(name: string, practice: boolean): Promise<void> {
    [this.#name, this.#practice] = [name, practice];
    await this.#ask(null);
  }

  /** One page more. */
  async next(): Promise<void> {
    const last = this.lines?.at(-1);
    if (last) await this.#ask(last.id);
  }

  async #ask(after: string | null): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    try {
      const lines = await get<TableLine[]>(path(this.#name, this.#practice, after));
      if (turn !== this.#turn) return;
      this.lines = after === null ? lines : [...(this.lines ?? []), ...lines];
      this.more = lines.length === PAGE;
      this.problem = "";
    } catch (error) {
      if (turn === this.#turn) this.problem = sentence(error);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }
}
