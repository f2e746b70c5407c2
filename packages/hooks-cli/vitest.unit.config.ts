import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "hooks-cli-unit",
    include: ["src/**/*.test.ts"],
    // These tests share nothing, so a worker may reuse its loaded modules for the next file.
    isolate: false,
    // Thousands of generated cases, on a machine shared with other packages' tests.
    testTimeout: 30_000,
  },
});
