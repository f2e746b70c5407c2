import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "api-rest",
    include: ["tests/**/*.test.ts"],
    // Each file starts its own servers and shares nothing else, so a worker may keep what it has loaded for the next file.
    isolate: false,
    globalSetup: ["tests/set-up.ts", "../db/src/testing/set-up-temporary-folder.ts"],
    setupFiles: ["../db/src/testing/use-temporary-folder.ts"],
    testTimeout: 30_000,
    // Processes run side by side here. `npm test` lists what passes at the second attempt only.
    retry: 1,
    expect: { poll: { timeout: 5_000 } },
    hookTimeout: 30_000,
  },
});
