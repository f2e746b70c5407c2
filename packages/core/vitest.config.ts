import { defineConfig } from "vitest/config";
import { findDatabaseTests } from "./testing/database-tests.ts";

export default defineConfig({
  test: {
    name: "core",
    include: findDatabaseTests(),
    globalSetup: ["testing/set-up.ts"],
    // Each test has its own database and nothing else is shared, so a worker may keep what it has loaded for the next file.
    isolate: false,
    // Nothing here waits for time to pass; what takes long does so on a slow disk.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
