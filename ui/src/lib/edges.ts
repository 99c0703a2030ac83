// What the server says a spot costs.

import type { WagerEdge } from "$wire";
import { get } from "./api.ts";

/** The exact edge of every spot of a table. */
export async function tableEdges(id: string): Promise<Map<string, WagerEdge>> {
  const all = await get<WagerEdge[]>(`/api/tables/${encodeURIComponent(id)}/edges`);
  return new Map(all.map((edge) => [edge.wager, edge]));
}

/** An edge in words: `1.515 %`, or that it is not known. */
export function percent({ edge_percent }: WagerEdge, digits: number): string {
  return edge_percent === null ? "not known" : `${edge_percent.toFixed(digits)} %`;
}
