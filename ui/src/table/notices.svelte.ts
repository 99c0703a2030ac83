// What a player is told: one notice on the page, for a while, and what a screen reader reads out.

import type { SeatView } from "$wire";
import { whyClosed } from "../lib/closed.ts";
import type { Live } from "../lib/live.svelte.ts";
import { dollars, signed } from "../lib/money.ts";
import type { Seen } from "./play.svelte.ts";
import { receipt } from "./receipt.ts";
import { settings } from "./settings.svelte.ts";
import { say as sayAloud } from "./sound.ts";

export interface Notice {
  text: string;
  /** A refusal, news, or what a roll brought you. */
  kind: "refused" | "news" | "won" | "lost";
  /** Whether a screen reader was told already. */
  heard: boolean;
  /** Told anew even where the words are the same. */
  id: number;
}

/** What a notice is about: it goes when that is no longer so. */
export type Holds = () => boolean;

/** How long a notice stays. */
const STAYS = 6_000;

/** News this soon after a roll is told together with it. */
const SOON = 2_000;

export class Notices {
  /** What a screen reader is told. */
  spoken = $state("");
  readonly #live: Live;
  #last = $state.raw<(Notice & { holds: Holds }) | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said = 0;
  #rollTold = -SOON;
  /** What came too late for a roll that is yet to be told. */
  #late: { text: string; at: number } | null = null;
  /** What was told of the last roll, less what waited to be confirmed then. */
  #sure = "";

  /** The notice on the page. */
  shown = $derived.by<Notice | null>(() => (this.#last?.holds() ? this.#last : null));

  /** What of it a screen reader has yet to be told; a refusal tells itself. */
  unheard = $derived(
    this.shown && !this.shown.heard && this.shown.kind !== "refused" ? this.shown.text : "",
  );

  constructor(live: Live) {
    this.#live = live;
  }

  /** Says something for a while: as long as it holds, and not beyond the next roll. */
  say(text: string, kind?: Notice["kind"], holds?: Holds): number {
    return this.#show(text, kind, holds, false);
  }

  #show(
    text: string,
    kind: Notice["kind"] = "news",
    holds: Holds = () => true,
    heard = true,
  ): number {
    const rolls = this.#live.table?.hand.rolls;
    const both = () => this.#live.table?.hand.rolls === rolls && holds();
    this.#last = { text, kind, heard, id: ++this.#said, holds: both };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#last = null), STAYS);
    return this.#said;
  }

  /** Says what may go unread: never in place of a refusal or of what a roll brought. */
  mention(text: string): void {
    if (!this.shown || this.shown.kind === "news") this.say(text);
  }

  /** Takes a notice back, where it is still the last. */
  unsay(id: number): void {
    if (this.#last?.id === id) this.#last = null;
  }

  /** The player does something else: what was refused before is no news. */
  unsayRefusal(): void {
    if (this.#last?.kind === "refused") this.#last = null;
  }

  refuse(text: string, holds?: Holds): null {
    this.say(text, "refused", holds);
    return null;
  }

  /** A bet came too late for its roll: told with that roll, before or after it. */
  tellLate(text: string): void {
    if (Date.now() - this.#rollTold < SOON) return void this.#more(text, false);
    this.#late = { text, at: Date.now() };
    this.#show(text, "refused");
  }

  /** Where betting is closed now: for as long as it is. */
  whileClosed(): Holds {
    const why = () => (this.#live.table ? whyClosed(this.#live.table) : null);
    const now = why();
    return () => now === null || why() === now;
  }

  /** News of the table, to be read and heard; `decides` where nothing waits to be confirmed then. */
  announce(text: string, decides = false): void {
    if (Date.now() - this.#rollTold < SOON) return void this.#more(text, decides);
    this.#speak(text);
    this.#show(text, "news", this.whileClosed());
  }

  /** Says more about the roll that was just told. */
  add(text: string): number {
    return this.#more(text, false);
  }

  #more(text: string, decides: boolean): number {
    const { shown } = this;
    this.#speak(`${this.spoken.trim()} ${text}`);
    const before = decides && this.#sure ? this.#sure : shown?.text;
    return this.#show(shown ? `${before} · ${text}` : text, shown?.kind);
  }

  /** What a roll was that came to rest, what it brought these seats, and what else is news. */
  tellRoll(seen: Seen, seats: SeatView[], news: string[]): void {
    const { table } = this.#live;
    if (!table) return;
    const late = this.#late;
    this.#late = null;
    if (late && Date.now() - late.at < STAYS) news = [late.text, ...news];
    const { call } = seen.roll;
    const lines = seats.map(({ seat }) => ({ seat, lines: receipt(seen, seat, table) }));
    const results = lines
      .map(({ seat, lines }) => ({
        seat,
        net: lines.reduce((sum, { net }) => sum + (net ?? 0), 0),
        // What waits is no result yet.
        decided: lines.every(({ net }) => net !== null) && isDecided(seen, seat),
      }))
      .filter(({ net, decided }) => net !== 0 || decided);
    // What a claim decides is told with its share.
    const waits = lines
      .flatMap(({ lines }) => lines.filter(({ net }) => net === null))
      .map(({ words }) => words);
    const net = results.reduce((sum, result) => sum + result.net, 0);
    const many = seats.length > 1;
    const words = results.map(({ seat, net }) => {
      const amount = dollars(Math.abs(net));
      const result = net === 0 ? "broke even" : `${net > 0 ? "won" : "lost"} ${amount}`;
      return `You ${result}${many ? ` at seat ${seat + 1}` : ""}.`;
    });
    this.#speak([`${call}.`, ...words, ...waits, ...news].join(" "));
    this.#rollTold = Date.now();
    if (settings.sound) sayAloud(call);
    const result = net === 0 ? "you broke even" : signed(net);
    const told = [...(results.length > 0 ? [result] : []), ...waits].join("; ");
    const all = [...(told ? [`${call}: ${told}`] : []), ...news];
    this.#sure = waits.length > 0 ? (results.length > 0 ? `${call}: ${result}` : call) : "";
    if (all.length === 0) return;
    this.#show(all.join(" · "), net > 0 ? "won" : net < 0 ? "lost" : "news");
  }

  /** The same words twice are two announcements: a space tells them apart. */
  #speak(text: string): void {
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
  }
}

const DECIDED = new Set(["win", "lose", "push"]);

/** Whether a roll decided any bet of a seat. */
function isDecided({ roll }: Seen, seat: number): boolean {
  return roll.lines.some((line) => line.seat === seat && DECIDED.has(line.fate));
}
