// `npm run test:browser`: the pages in a real browser, served by a real server on the loopback.
// `npm run test:everywhere`: what they promise, with mouse, touch and keys at every width.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: ["tests/chromium.ts"],
    // One browser and one server at a time: two cores are soon busy.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 12_000 } },
    reporters: ["verbose"],
  },
});
