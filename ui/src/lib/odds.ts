// What the server says a spot costs.

import { get } from "./api.ts";

export interface SpotOdds {
  wager: string;
  edge: string;
  edge_percent: number;
}

/** The exact edge of every spot of a table. */
export async function tableOdds(id: string): Promise<Map<string, SpotOdds>> {
  const all = await get<SpotOdds[]>(`/api/tables/${encodeURIComponent(id)}/odds`);
  return new Map(all.map((odds) => [odds.wager, odds]));
}
