// What the server says a spot costs.

import type { WagerOdds } from "$wire";
import { get } from "./api.ts";

/** The exact edge of every spot of a table. */
export async function tableOdds(id: string): Promise<Map<string, WagerOdds>> {
  const all = await get<WagerOdds[]>(`/api/tables/${encodeURIComponent(id)}/odds`);
  return new Map(all.map((odds) => [odds.wager, odds]));
}

/** An edge in words: `1.515 %`, or that it is not known. */
export function percent({ edge_percent }: WagerOdds, digits: number): string {
  return edge_percent === null ? "not known" : `${edge_percent.toFixed(digits)} %`;
}
