import { expect, test } from "vitest";
import { IDLE_SECONDS, idleSeconds } from "./idle.svelte.ts";

test.each([
  ["", IDLE_SECONDS],
  ["?idle=10", 10],
  ["?idle=0", 2],
  ["?idle=-5", 2],
  ["?idle=soon", IDLE_SECONDS],
  // An address may make the console stricter, never laxer.
  ["?idle=86400", IDLE_SECONDS],
])("%s locks after %i seconds", (search, seconds) => expect(idleSeconds(search)).toBe(seconds));
