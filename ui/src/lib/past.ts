// A stretch of a table's log, read to its end: the server ends a page with a change of rules.

import type { History } from "$wire";
import { get } from "./api.ts";

/** The pages with the records after `after`, up to and with `to`. */
export async function pagesOf(table: string, after: number, to: number): Promise<History[]> {
  const pages: History[] = [];
  for (let at = after; at < to;) {
    const path = `/api/tables/${encodeURIComponent(table)}/history`;
    const page = await get<History>(`${path}?after=${at}&limit=${to - at}`);
    pages.push(page);
    const last = page.updates.at(-1);
    if (!last) break;
    at = last.seq;
  }
  return pages;
}
