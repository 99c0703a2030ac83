// Ann plays at a table, for unit tests: what her page asks of the server, and what that answers.

import type { OfferView } from "$wire";
import { vi } from "vitest";
import { FakeSocket, ann, hand, install, table, update, NOW } from "./fakeSocket.ts";

install();
const { Live } = await import("../lib/live.svelte.ts");
const { session } = await import("../lib/session.svelte.ts");
const { settings } = await import("../table/settings.svelte.ts");
const { Play } = await import("../table/play.svelte.ts");
export { session, settings };
export type Playing = InstanceType<typeof Play>;

export const offer = (wager: string, more: Partial<OfferView> = {}): OfferView => ({
  wager,
  least: 100,
  most: 50_000,
  step: 100,
  why_not: null,
  take: true,
  call: false,
  even: 100,
  ...more,
});
export const bet = (wager: string, stake: number) => ({
  wager,
  stake,
  vig: 0,
  call: "house" as const,
  working: true,
});
const TITLES: Record<string, string> = { "dont-pass": "Don't Pass", "make-em-all": "Make 'Em All" };
const wager = (name: string) =>
  ({ wager: name, title: TITLES[name] ?? name, spots: [name], min: 100, unit: 100 }) as never;
const WAGERS = ["pass", "dont-pass", "field", "make-em-all"].map(wager);

/** She sits down at a table where nothing has happened yet. */
export function sitDown(): Playing {
  install();
  settings.tumble = false;
  settings.stayUp = false;
  settings.sameBets = false;
  session.me = { person: "ann", name: "Ann", login: null, roles: ["guest"] };
  const live = new Live("t");
  const play = new Play(live);
  FakeSocket.last.say({
    type: "snapshot",
    at: 0,
    now: NOW,
    table: table({ wagers: WAGERS }),
  });
  live.follow(0);
  FakeSocket.last.say({
    type: "offers",
    seat: 0,
    seq: 50,
    offers: [offer("pass"), offer("field")],
  });
  return play;
}

/** The page is loaded anew, by whoever this is. */
export function reload(more: object = {}): Playing {
  const play = new Play(new Live("t"));
  FakeSocket.last.say({
    type: "snapshot",
    at: 0,
    now: NOW,
    table: table({ wagers: WAGERS, hand: hand({ rolls: 4 }), recent: ["3-4"], ...more }),
  });
  return play;
}

/** All that was asked of the table. */
export const asked = () => FakeSocket.last.commands.map(({ command }) => command);

/** The server takes the last command, as often as that is followed by another. */
export async function acceptAll(seq: number, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { id } = FakeSocket.last.commands.at(-1)!;
    FakeSocket.last.say({ type: "ack", id: id!, seq });
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** What may be done is known as of a record. */
export function offers(seq: number, ...all: OfferView[]): Promise<unknown> {
  FakeSocket.last.say({ type: "offers", seat: 0, seq, offers: all });
  return vi.advanceTimersByTimeAsync(30);
}

/** The seat as it is from a record on. */
export const seated = (seq: number, rack: number, ...bets: ReturnType<typeof bet>[]) =>
  FakeSocket.last.say(update(seq, { seats: [{ ...ann, rack, bets }] }));

/** What a roll did to her. */
export const lost = { seat: 0, wager: "pass", stake: 1_300, fate: "lose", vig: 0, left: null };
