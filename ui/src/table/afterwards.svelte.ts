// What follows a roll on the page of a seat, once the dice have come to rest: the chips that move,
// the jackpots that are celebrated, and a receipt that outlives the page.

import type { RolledView, TableView, Update } from "$wire";
import { session } from "../lib/session.svelte.ts";
import { rolled, seatsOf } from "../lib/table.ts";
import { hits, queued, stillWon, type Hit } from "../sign/hits.ts";
import { lastRolls } from "./lastRolls.ts";
import type { Play } from "./play.svelte.ts";
import { follow, ownedBy } from "./receipt.ts";
import { moves } from "./settings.svelte.ts";

/** A roll that is being shown on the felt, and the table as it was before it. */
export interface Landing {
  seq: number;
  roll: RolledView;
  before: TableView;
  /** The seat this person played. */
  own: number | null;
  /** Whether anything may move. */
  moving: boolean;
}

const NOWHERE: ReadonlySet<string> = new Set();

export class Afterwards {
  readonly #play: Play;
  #rolled = $state.raw<Landing | null>(null);
  #arrived = $state(0);
  #hits = $state.raw<Hit[]>([]);
  /** The claims of all jackpots that were ever among them. */
  #known = new Set<number>();

  /** The roll whose chips move now: not before its dice lie. */
  landing = $derived.by(() => (this.#play.tumbling === null ? this.#rolled : null));
  /** The spots whose chips have not arrived there yet. */
  arriving = $derived.by(() => {
    if (!this.landing?.moving || this.#arrived === this.landing.seq) return NOWHERE;
    const gone = this.landing.roll.lines.filter(({ fate }) => fate === "travel");
    return new Set(gone.map(({ left }) => left ?? ""));
  });
  /** The jackpot that is celebrated now. */
  jackpot = $derived.by(() => (this.#play.tumbling === null ? (this.#hits[0] ?? null) : null));

  /** `play` has heard of everything before this does. */
  constructor(play: Play) {
    this.#play = play;
    play.live.onUpdate((update, before, late) => this.#heard(update, before, late));
    play.live.onFresh(() => void this.#recall());
  }

  /** Bets that travel are where they went. */
  arrived(): void {
    this.#arrived = this.#rolled?.seq ?? 0;
  }

  /** Every chip is where it belongs. */
  settled(): void {
    this.#rolled = null;
  }

  /** The jackpot has been celebrated. */
  celebrated(): void {
    this.#hits = this.#hits.slice(1);
  }

  #heard(update: Update, before: TableView, late: boolean): void {
    const { seen } = this.#play;
    const owned = () => seatsOf(before, session.me?.person).map(({ seat }) => seat);
    const followed = follow(rolled(update) ? ownedBy(seen, owned()) : seen, update);
    if (followed !== seen) this.#play.seen = followed;
    for (const event of update.events) {
      if (event.event === "voided" || event.event === "corrected") {
        this.#rolled = null;
        this.#hits = stillWon(this.#hits);
      }
      if (event.event === "rolled" && !late && !document.hidden)
        this.#rolled = {
          seq: update.seq,
          roll: event,
          before,
          own: this.#play.seen.at(-1)?.own ?? null,
          moving: moves(),
        };
    }
    if (!late) for (const hit of hits(update, before)) this.#celebrate(hit);
  }

  /** Jackpots that have been celebrated when they were won are not again when they are paid. */
  #celebrate(hit: Hit): void {
    const isOver =
      this.#known.has(hit.claim) && this.#hits.every(({ claim }) => claim !== hit.claim);
    if (hit.paid === null || !isOver) this.#hits = queued(this.#hits, hit);
    this.#known.add(hit.claim);
  }

  /** Reads the rolls that this page has not seen, if there are any. */
  async #recall(): Promise<void> {
    const { live, seen } = this.#play;
    const { table } = live;
    if (!table || table.hand.rolls === 0) return;
    if (seen.at(-1)?.roll.number === table.hand.rolls) return;
    // The table may be here before it is known whose seat is one's own.
    await session.settled();
    // Without them the page is only less complete.
    const found = await lastRolls(table, session.me?.person).catch(() => []);
    const here = new Set(this.#play.seen.map(({ seq }) => seq));
    this.#play.seen = [...this.#play.seen, ...found.filter(({ seq }) => !here.has(seq))]
      .sort((one, other) => one.seq - other.seq)
      .slice(-40);
  }
}
