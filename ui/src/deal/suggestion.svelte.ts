// The lines that the server suggests for a mend. They answer one question: an answer that comes
// after the question has changed is dropped, and lines go when the log has changed what is due.

import type { MendLine, MendQuestion, Update } from "$wire";
import { post } from "../lib/api.ts";
import { drafts, type Draft } from "./mend.ts";

export class Suggestion {
  /** The lines, as the crew changes them. */
  lines = $state<Draft[] | null>(null);
  /** The question that they answer. */
  question: MendQuestion | null = null;

  readonly #path: string;
  /** The number of the last question. */
  #asked = 0;
  /** Whether its answer is on its way. */
  #waits = false;

  constructor(table: string) {
    this.#path = `/api/tables/${encodeURIComponent(table)}/mend/suggest`;
  }

  async ask(question: MendQuestion): Promise<void> {
    this.clear();
    const asked = this.#asked;
    this.#waits = true;
    try {
      const lines = await post<MendLine[]>(this.#path, question);
      if (asked === this.#asked) [this.question, this.lines] = [question, drafts(lines)];
    } catch (error) {
      if (asked === this.#asked) throw error;
    } finally {
      if (asked === this.#asked) this.#waits = false;
    }
  }

  /** The question has changed. Whether anything is lost by that. */
  clear(): boolean {
    const lost = this.lines !== null || this.#waits;
    this.#asked += 1;
    [this.lines, this.question, this.#waits] = [null, null, false];
    return lost;
  }

  /** Takes note of a new record. Whether it made the lines out of date. */
  hear(update: Update): boolean {
    return update.events.some(({ event }) => CHANGES.has(event)) && this.clear();
  }
}

/** What changes how much is due for an earlier roll. */
const CHANGES: ReadonlySet<string> = new Set(["mended", "voided", "corrected"]);
