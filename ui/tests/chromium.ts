// Finds Chromium before anything starts, and says what to do where there is none.

import { existsSync } from "node:fs";

export const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

export default function setup(): void {
  if (CHROMIUM === undefined)
    throw new Error("no Chromium found: install it (Debian: chromium) or name it in CHROMIUM");
}
