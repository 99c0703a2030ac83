// The edges of a table's spots, asked again when its rules or its meters have changed.

import { untrack } from "svelte";
import type { WagerEdge } from "$wire";
import { tableEdges } from "../lib/edges.ts";
import type { Live } from "../lib/live.svelte.ts";

/** How long a change waits for the next, and a question that failed to be asked again. */
const TOGETHER = 2_000;
const AGAIN = 5_000;

/** Made by a page, and follows the table for as long as the page is there. */
export class Edges {
  bySpot = $state.raw<ReadonlyMap<string, WagerEdge>>(new Map());
  /** Resolves once there are any. */
  readonly known: Promise<void>;

  constructor(id: string, live: Live) {
    let found: () => void;
    this.known = new Promise((resolve) => (found = resolve));
    // Edges follow the rules, and those of progressives the dollars on their meters.
    const priced = $derived(
      live.table &&
        [
          live.table.rules,
          ...live.table.meters.map(({ amount }) => Math.floor(amount / 100)),
        ].join(),
    );
    $effect(() => {
      if (!priced) return;
      let over = false;
      const look = () => {
        tableEdges(id).then(
          (all) => {
            this.bySpot = all;
            if (all.size > 0) found();
          },
          () => {
            if (!over) timer = setTimeout(look, AGAIN);
          },
        );
      };
      let timer = setTimeout(look, untrack(() => this.bySpot.size) === 0 ? 0 : TOGETHER);
      return () => {
        over = true;
        clearTimeout(timer);
      };
    });
  }

  of(spot: string): WagerEdge | null {
    return this.bySpot.get(spot) ?? null;
  }
}
