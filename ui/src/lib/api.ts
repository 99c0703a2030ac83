// Requests. What the server refuses arrives as a `Refused` with its own sentence.

import type { Command, Problem } from "$wire";
import { withDollars } from "./money.ts";

/** The server said no, and why. */
export class Refused extends Error {
  readonly problem: Problem;
  /** What was asked of a table, and which of its rolls it was meant for. */
  readonly asked: Asked | null;
  constructor(problem: Problem, asked: Asked | null = null) {
    super(problem.detail);
    this.problem = problem;
    this.asked = asked;
  }
}

interface Asked {
  command: Command;
  moment: { roll: number };
}

const UNREACHABLE: Problem = {
  type: "about:blank",
  status: 0,
  code: "unreachable",
  detail: "the server cannot be reached, check your connection and try again",
};

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(UNREACHABLE);
  }
  if (!response.ok) throw new Refused(await problem(response));
  const text = await response.text();
  return (text ? JSON.parse(text) : null) as T;
}

async function problem(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return {
      ...UNREACHABLE,
      status: response.status,
      detail: `the server said ${response.status}`,
    };
  }
}

/** `GET`. */
export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, signal ? { signal } : {});
}

/** `POST` with a JSON body. */
export function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  return ask<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** `PATCH` with a JSON body. */
export function patch<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  return ask<T>(path, { method: "PATCH", headers, body: JSON.stringify(body) });
}

/** The sentence of whatever went wrong, with a capital and a full stop. */
export function sentence(error: unknown): string {
  const text = withDollars(error instanceof Error ? error.message : String(error));
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
