import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "e2e",
    include: ["src/**/*.test.ts"],
    // Each file starts its own server, so a worker may keep its browser and what it has loaded for the next file.
    isolate: false,
    globalSetup: ["./set-up.ts", "../packages/db/src/testing/set-up-temporary-folder.ts"],
    setupFiles: ["../packages/db/src/testing/use-temporary-folder.ts"],
    // Some tests look at dozens of pages, and several files share the machine.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // The page and the test run side by side. `npm test` lists what passes at the second attempt only.
    retry: 1,
  },
});
