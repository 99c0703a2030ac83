import { expect, test } from "vitest";
import { FakeSocket, ann, roll, update } from "../testing/fakeSocket.ts";
import { lost, sitDown, type Playing } from "../testing/playing.ts";
import { Afterwards } from "./afterwards.svelte.ts";
import { ownReceipt } from "./receipt.ts";

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

test("each seat that was one's own has its receipt, whichever was played", () => {
  const { play } = second();
  const lines = [lost, { ...lost, seat: 3, stake: 700 }, { ...lost, seat: 5, stake: 500 }];
  FakeSocket.last.say(roll(52, 4, lines));
  play.choose(0);
  const net = (seat: number) =>
    ownReceipt(play.seen.at(-1)!, seat, play.live.table!)?.map(({ net }) => net) ?? null;
  expect([0, 3, 5].map(net)).toEqual([[-1_300], null, [-500]]);
});
