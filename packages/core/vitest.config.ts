import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "core",
    include: ["src/**/*.test.ts"],
    globalSetup: ["src/testing/set-up.ts"],
    // Nothing here waits for time to pass; what takes long does so on a slow disk.
    testTimeout: 30_000,
  },
});
