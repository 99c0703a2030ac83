import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, NOW, install, table } from "../testing/fakeSocket.ts";
import { Live } from "../lib/live.svelte.ts";
import { Seating } from "./seating.svelte.ts";

let seating: Seating;
beforeEach(() => {
  install();
  const live = new Live("t");
  FakeSocket.last.say({ type: "snapshot", at: 0, now: NOW, table: table() });
  seating = new Seating(live);
  [seating.name, seating.buyIn, seating.buysWith] = ["Bob", "12,000", "marker"];
});

/** The server answers the last command. */
async function answer(detail?: string): Promise<void> {
  const { id } = FakeSocket.last.commands.at(-1)!;
  const problem = { type: "", status: 409, code: "no", detail: detail ?? "" };
  FakeSocket.last.say(
    detail ? { type: "refused", id: id!, problem } : { type: "ack", id: id!, seq: 51 },
  );
  await vi.advanceTimersByTimeAsync(0);
}
const typed = () => [seating.name, seating.buyIn, seating.buysWith];

test("the fields are free for the next player while one sits down", async () => {
  const seated = seating.sit(1);
  expect(typed()).toEqual(["", "", "cash"]);
  await answer();
  await answer();
  await seated;
  expect(FakeSocket.last.commands.map(({ command }) => command)).toEqual([
    { command: "sit", seat: 1, name: "Bob" },
    { command: "buy-in", seat: 1, amount: 1_200_000, kind: "marker" },
  ]);
  expect(seating.refused).toBeNull();
});

test("who may not sit stands in the fields again, unless another does", async () => {
  const seated = seating.sit(1);
  await answer("that seat is taken");
  await seated;
  expect(typed()).toEqual(["Bob", "12,000", "marker"]);
  const again = seating.sit(1);
  seating.name = "Cy";
  await answer("that seat is taken");
  await again;
  expect(typed()).toEqual(["Cy", "", "cash"]);
});

test("a buy-in that is refused once the player sits is kept for the seat", async () => {
  const seated = seating.sit(1);
  await answer();
  await answer("no such marker");
  await seated;
  expect(seating.attempt.problem).toBe("No such marker.");
  expect(seating.refused).toEqual({ seat: 1, amount: "12,000", kind: "marker" });
});
