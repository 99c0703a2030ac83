// What the rules of a new table cost the player, and whether a player's edge was meant: a table
// that favours the player opens only after a tick, which holds for those very rules.

import type { WagerEdge } from "$wire";
import { get, sentence } from "../lib/api.ts";
import { dollars } from "../lib/money.ts";

/** Rules are not priced while they are still being changed, in milliseconds. */
const CALM = 80;
const PLACES = 3;

/** A sentence for each wager that favours the player, its meter at the seed. */
export function advantages(edges: readonly WagerEdge[]): string[] {
  return edges.filter(({ edge }) => edge?.startsWith("-")).map(advantage);
}

function advantage({ title, meter, edge_percent }: WagerEdge): string {
  const shown = Math.abs(edge_percent ?? 0).toFixed(PLACES);
  const least = (0).toFixed(PLACES);
  const won = shown === least ? `less than ${least.replace(/0$/, "1")}` : shown;
  const at = meter === null ? "" : `, with its meter at ${dollars(meter)}`;
  return `${title}${at}: players win ${won} % of what they bet.`;
}

export class Priced {
  /** The wagers of the rules priced last; they stay while others are being priced. */
  edges = $state.raw<WagerEdge[]>([]);
  trouble = $state("");
  #address = $state<string | null>(null);
  #accepted = $state<string | null>(null);

  /** Prices the rules of this address in a moment; what is returned calls it off. */
  ask(address: string): () => void {
    const abort = new AbortController();
    const timer = setTimeout(() => void this.know(address, abort.signal), CALM);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }

  /** Prices the rules of this address, unless they are priced; whether it is known now. */
  async know(address: string, signal?: AbortSignal): Promise<boolean> {
    if (this.#address === address) return true;
    try {
      const edges = await get<WagerEdge[]>(address, signal);
      this.edges = edges;
      this.#address = address;
      this.trouble = "";
    } catch (error) {
      if (!signal?.aborted) this.trouble = sentence(error);
    }
    return this.#address === address;
  }

  /** What favours the player under the rules of this address, in words, as far as it is known. */
  favours(address: string | null): string[] {
    return address !== null && this.#address === address ? advantages(this.edges) : [];
  }

  /** Whether the player's edge under these rules was ticked as meant. */
  isAccepted(address: string | null): boolean {
    return address !== null && this.#accepted === address;
  }

  accept(address: string | null, yes: boolean): void {
    this.#accepted = yes ? address : null;
  }
}
