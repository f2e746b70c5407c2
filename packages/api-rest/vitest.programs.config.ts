import { defineConfig } from "vitest/config";

/** Tests with programs that have to be installed, which `npm test` does not run. */
export default defineConfig({
  test: {
    name: "programs",
    root: import.meta.dirname,
    include: ["tests/**/*.check.ts"],
    globalSetup: ["tests/set-up.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
