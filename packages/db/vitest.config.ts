import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "db",
    include: ["src/**/*.test.ts"],
    globalSetup: ["./vitest.global-setup.ts"],
    // A cold first start of PostgreSQL on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
