import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "hooks-cli",
    include: ["tests/**/*.test.ts"],
    // Each file starts its own processes and shares nothing else, so a worker may keep what it has loaded for the next file.
    isolate: false,
    globalSetup: ["./vitest.global-setup.ts", "../api-rest/tests/set-up.ts"],
    // Tests of the built command start many processes, on a machine shared with other packages' tests.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Processes run side by side here. `npm test` lists what passes at the second attempt only.
    retry: 1,
  },
});
