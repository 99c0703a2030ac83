// Something asked of the table from one place of the console, and what came of it: the refusal
// is shown there and nowhere else.

import type { Command } from "$wire";
import { sentence } from "../lib/api.ts";
import type { Live } from "../lib/live.svelte.ts";

export class Attempt {
  /** The refusal, in the server's own sentence. */
  problem = $state("");
  /** Whether it is on its way. */
  busy = $state(false);

  #live: Live;

  constructor(live: Live) {
    this.#live = live;
  }

  /** Asks one thing after the other, up to the first refusal. */
  async ask(...commands: Command[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = "";
    try {
      for (const command of commands) await this.#live.ask(command);
      return true;
    } catch (error) {
      this.problem = sentence(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Says no before anything is sent. */
  refuse(problem: string): false {
    this.problem = problem;
    return false;
  }

  forget(): void {
    this.problem = "";
  }
}
