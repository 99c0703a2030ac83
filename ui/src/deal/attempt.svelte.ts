// Something asked of the table from one place of the console, and what came of it: the refusal
// is shown there and nowhere else.

import type { Command, HandView, Problem, Update } from "$wire";
import { Refused, sentence } from "../lib/api.ts";
import { newId, type Live } from "../lib/live.svelte.ts";
import { tooLate } from "../lib/tooLate.ts";
import { became, cameOf, isAsked, wanted } from "./outcome.ts";

/** How long a refusal stays at least, so that it can be read, in milliseconds. */
const READ = 4_000;

export class Attempt {
  /** The refusal, in the server's own sentence. */
  problem = $state("");
  /** The same as the server sent it. */
  refused = $state.raw<Problem | null>(null);
  /** What became of the last command, where that is not what was meant, or cannot be seen. */
  said = $state("");
  /** Whether it is on its way. */
  busy = $state(false);
  /** The record that the last command became. */
  record: number | null = null;

  #live: Live;
  /** Stops waiting for the request that the last command became. */
  #stop: (() => void) | null = null;
  /** Stops looking whether a refusal has outlived its cause. */
  #unwatch: (() => void) | null = null;

  constructor(live: Live) {
    this.#live = live;
  }

  /** Asks one thing after the other, up to the first refusal. All of them are meant for the
   * betting round that was shown when the first was asked. */
  async ask(...commands: Command[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.forget();
    const { moment } = this.#live;
    try {
      for (const command of commands) {
        const last = command === commands.at(-1);
        try {
          this.record = await this.#live.ask(command, newId(), moment);
          if (last) void this.#tell(command, this.record);
        } catch (error) {
          // Another console has closed betting for the same throw: what follows is still meant.
          if (last || !isClosed(command, error)) throw error;
        }
      }
      return true;
    } catch (error) {
      this.problem = tooLate(error) ?? sentence(error);
      if (error instanceof Refused) {
        this.refused = error.problem;
        this.#watch(error.problem);
      }
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** A refusal goes once the table is in another phase, or once other claims or requests wait.
   * What came of a throw stays until the next act. */
  #watch({ code }: Problem): void {
    const live = this.#live;
    const stands = () => standsAt(live.table?.hand);
    const was = stands();
    if (code === "other-roll" || code === "not-empty") return;
    let readable = false;
    const look = () => {
      if (readable && stands() !== was) this.forget();
    };
    const timer = setTimeout(() => {
      readable = true;
      look();
    }, READ);
    const stops = [live.onUpdate(look), live.onFresh(look), () => clearTimeout(timer)];
    this.#unwatch = () => stops.forEach((stop) => stop());
  }

  /** Says what became of a command, once its record is here. */
  async #tell(command: Command, record: number): Promise<void> {
    if (wanted(command) === null) return;
    const update = await this.#live.record(record);
    if (this.record !== record) return;
    this.said = became(command, update) ?? "";
    if (isAsked(update)) this.#wait(command, record);
  }

  /** Once the request has been answered, that is said instead. */
  #wait(command: Command, proposal: number): void {
    const answered = (update: Update | null) => {
      const open = this.#live.table?.hand.proposals ?? [];
      if (open.some((other) => other.proposal === proposal)) return;
      this.#stopWaiting();
      this.said = cameOf(command, update);
    };
    const stops = [
      this.#live.onUpdate((update) => answered(update)),
      this.#live.onFresh(() => answered(null)),
    ];
    this.#stop = () => stops.forEach((stop) => stop());
    answered(null);
  }

  #stopWaiting(): void {
    this.#stop?.();
    this.#stop = null;
  }

  /** Says no before anything is sent. */
  refuse(problem: string): false {
    this.forget();
    this.problem = problem;
    return false;
  }

  forget(): void {
    this.#stopWaiting();
    this.#unwatch?.();
    this.#unwatch = null;
    this.problem = "";
    this.said = "";
    this.refused = null;
    this.record = null;
  }
}

/** What refusals depend on that an update may change. */
const standsAt = (hand: HandView | undefined) =>
  hand &&
  [
    hand.status,
    hand.phase,
    hand.betting,
    hand.round,
    hand.fill_needed,
    hand.claims.map(({ claim, checklist }) => [claim, checklist.map(({ by }) => by !== null)]),
    hand.proposals.map(({ proposal }) => proposal),
  ].join("; ");

const isClosed = (command: Command, error: unknown) =>
  command.command === "close-betting" &&
  error instanceof Refused &&
  error.problem.code === "betting-closed";
