// What takes a second person, in words, and why somebody may not agree.

import type { Me, ProposalView, TableView, Update } from "$wire";
import { withDollars } from "../lib/money.ts";
import { capital } from "../lib/words.ts";
import { claimName } from "./work.ts";

/** What a proposal would do; `last` is the roll it is about, and `table` knows the claims. */
export function asked(
  proposal: ProposalView,
  last: string | null,
  table: TableView | null = null,
): string {
  const [verb = "", ...rest] = proposal.what.split(" ");
  const roll = last === null ? "the last roll" : `the last roll, ${last}`;
  if (verb === "void") return `Void ${roll}`;
  if (verb === "correct") return `Correct ${roll}${rest.length > 0 ? `, ${rest.join(" ")}` : ""}`;
  if (verb === "another") return "Another configuration of the table";
  if (verb === "mend") return withDollars(`Mend ${rest.join(" ")}`);
  if (verb === "deny") {
    const claim = table?.hand.claims.find(({ claim }) => `claim ${claim}` === rest.join(" "));
    return `Do not pay ${table && claim ? claimName(claim, table.wagers) : rest.join(" ")}`;
  }
  if (proposal.what === "close for good") return "Close the table for good";
  return capital(withDollars(proposal.what));
}

/** What is said of a request that came to nothing, on every console of the table. */
export function withdrawnWords(
  request: ProposalView,
  reason: string | undefined,
  update: Update,
  before: TableView,
): string {
  const what = asked(request, before.recent.at(-1) ?? null, before);
  const whose = request.name ?? "the crew";
  if (update.by === request.by) return `${what}: ${whose} withdrew the request.`;
  if (update.by === "boxman") return `${what}, asked by ${whose}: nobody agreed in time.`;
  const why = reason === undefined ? "." : `: “${reason}”`;
  return `${what}, asked by ${whose}: ${update.name ?? "another person"} withdrew it${why}`;
}

/** Why somebody may not agree to a proposal; nothing where they may. */
export function whyNotAgree(proposal: ProposalView, me: Me): string | null {
  if (!me.roles.includes("supervisor")) return "A supervisor has to agree.";
  if (proposal.by === me.person) return "You asked for this, so another supervisor has to agree.";
  return null;
}
