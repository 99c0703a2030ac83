// What the compiler does not see: promises nobody waits for, values that are never read, markup
// that Svelte would draw wrong. How lines are broken is Prettier's business.

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  { ignores: ["dist"] },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"] },
    },
    rules: {
      // The compiler knows every name.
      "no-undef": "off",
      // State is replaced, never changed in place: plain maps and sets are enough.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // The linter does not know the types of other components; `npm run check` does.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/**/*.test.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { group: ["**/testing/*"], message: "Only tests use what stands in for a server." },
          ],
        },
      ],
    },
  },
  { files: ["*.js"], extends: [ts.configs.disableTypeChecked] },
);
