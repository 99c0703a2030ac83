import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, ann, install, roll, table, NOW } from "../testing/fakeSocket.ts";

/** A browser that has kept nothing yet. */
function freshBrowser() {
  install();
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: vi.fn() });
}
freshBrowser();
const { Live } = await import("../lib/live.svelte.ts");
const { session } = await import("../lib/session.svelte.ts");
const { settings } = await import("./settings.svelte.ts");
const { Play } = await import("./play.svelte.ts");
const { KeepUp } = await import("./keepUp.svelte.ts");

const line = (fate: string, wager = "pass") => ({ seat: 0, wager, stake: 500, fate, left: null });
let keepUp: InstanceType<typeof KeepUp>;
let offers: () => void;

beforeEach(() => {
  freshBrowser();
  settings.tumble = false;
  session.me = { person: "ann", name: "Ann", login: null, roles: ["guest"] };
  const live = new Live("t");
  keepUp = new KeepUp(new Play(live));
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table({ seats: [ann] }) });
  live.follow(0);
  const pass = { wager: "pass", least: 100, most: 50_000, step: 100, even: 100 };
  offers = () =>
    FakeSocket.last.say({
      type: "offers",
      seat: 0,
      seq: 51,
      offers: [{ ...pass, why_not: null, take: true, call: false }],
    });
});

test("it is asked when a line bet wins, up to the next roll", () => {
  FakeSocket.last.say(roll(51, 4, [line("lose"), line("win", "field")]));
  expect(keepUp.asks).toBe(false);
  FakeSocket.last.say(roll(52, 5, [line("win")]));
  expect(keepUp.asks).toBe(true);
  FakeSocket.last.say(roll(53, 6));
  expect(keepUp.asks).toBe(false);
});

test("a yes puts it up, and nobody asks again", async () => {
  FakeSocket.last.say(roll(51, 4, [line("win")]));
  void keepUp.answer(true);
  offers();
  await vi.advanceTimersByTimeAsync(60);
  expect(settings.stayUp).toBe(true);
  expect(FakeSocket.last.commands.map(({ command }) => command)).toMatchObject([
    { command: "put", wager: "pass", amount: 500 },
  ]);
  expect(keepUp.asks).toBe(false);
  settings.set("stayUp", false);
  FakeSocket.last.say(roll(52, 5, [line("win")]));
  expect(keepUp.asks).toBe(false);
});

test("a yes is about the seat that won, and no other", () => {
  const other = { ...ann, seat: 1 };
  const live = new Live("t");
  const play = new Play(live);
  const asking = new KeepUp(play);
  vi.spyOn(settings, "isChosen").mockReturnValue(false);
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table({ seats: [ann, other] }) });
  FakeSocket.last.say(roll(51, 4, [line("win")]));
  expect(asking.asks).toBe(true);
  play.choose(1);
  expect(asking.asks).toBe(false);
});
