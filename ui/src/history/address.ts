// Where on the history page: kept in the address, so that a hand or a single record can be
// passed on as a link.

export type View = "hands" | "ledger" | "audit";

export interface Place {
  view: View;
  hand: number | null;
  seq: number | null;
  seat: number | null;
}

/** The place an address names. */
export function place(search: string): Place {
  const query = new URLSearchParams(search);
  const number = (name: string) => {
    const text = query.get(name) ?? "";
    return /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  const view = query.get("view");
  return {
    view: view === "ledger" || view === "audit" ? view : "hands",
    hand: number("hand"),
    seq: number("seq"),
    seat: number("seat"),
  };
}

/** The address of a place. */
export function address(table: string, place: Partial<Place>): string {
  const query = new URLSearchParams();
  if (place.view && place.view !== "hands") query.set("view", place.view);
  for (const name of ["hand", "seq", "seat"] as const) {
    const value = place[name];
    if (value !== null && value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return `/history/${encodeURIComponent(table)}${text ? `?${text}` : ""}`;
}

/** Which hands are listed. */
export interface Filter {
  name: string;
  seat: number | null;
  rolls: number;
  jackpot: boolean;
  voided: boolean;
}

export const EVERY: Filter = { name: "", seat: null, rolls: 0, jackpot: false, voided: false };

/** The request for hands. */
export function handsPath(
  table: string,
  filter: Filter,
  before: number | null,
  limit = 50,
): string {
  const query = new URLSearchParams({ limit: String(limit) });
  if (before !== null) query.set("before", String(before));
  if (filter.name.trim()) query.set("name", filter.name.trim());
  if (filter.seat !== null) query.set("shooter", String(filter.seat));
  if (filter.rolls > 0) query.set("rolls", String(filter.rolls));
  if (filter.jackpot) query.set("jackpot", "true");
  if (filter.voided) query.set("voided", "true");
  return `/api/tables/${encodeURIComponent(table)}/hands?${query}`;
}
