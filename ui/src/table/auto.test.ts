import { expect, test } from "vitest";
import { autoWords } from "./auto.ts";

test("whoever has several seats is told that Auto serves the one they are playing", () => {
  expect(autoWords(1)).toEqual({
    title: "Bets that are put again by themselves while you are here",
    stayUp: "Winning line bets stay up",
    sameBets: "Same bets each hand",
  });
  for (const words of Object.values(autoWords(2))) expect(words).toContain(" at the seat in play");
});
