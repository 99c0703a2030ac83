import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const wire = fileURLToPath(new URL("../crates/boxman-server/api/wire.ts", import.meta.url));
const server = process.env.BOXMAN ?? "http://127.0.0.1:7777";

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $wire: wire } },
  build: {
    target: "es2022",
    // Browsers that know light-dark(): rewritten for older ones, a dark part of a light room is light.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content-security policy allows files of our own and nothing written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npm run dev` beside `boxman serve`: pages from here, everything else from there.
  server: {
    fs: { allow: [".."] },
    proxy: {
      "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
    },
  },
  test: { include: ["src/**/*.test.ts"] },
});
