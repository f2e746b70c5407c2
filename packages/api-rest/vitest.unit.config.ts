import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "api-rest-unit",
    include: ["src/**/*.test.ts"],
    // These tests share nothing, so a worker may keep what it has loaded for the next file.
    isolate: false,
    // Some wait for the time limits of connections.
    testTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
