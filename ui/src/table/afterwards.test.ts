import { expect, test } from "vitest";
import { FakeSocket, ann, roll, update } from "../testing/fakeSocket.ts";
import { lost, sitDown, type Playing } from "../testing/playing.ts";
import { Afterwards } from "./afterwards.svelte.ts";

/** Ann has two seats and plays the second of them. */
function second(): { play: Playing; afterwards: Afterwards } {
  const play = sitDown();
  const afterwards = new Afterwards(play);
  FakeSocket.last.say(update(51, { seats: [{ ...ann, seat: 5 }] }));
  play.choose(5);
  return { play, afterwards };
}

test("the chips that move are those of the seat that is played", () => {
  const { afterwards } = second();
  FakeSocket.last.say(roll(52, 4, [lost, { ...lost, seat: 5 }]));
  expect(afterwards.landing?.own).toBe(5);
});
