import { configDefaults, defineConfig } from "vitest/config";
import { findDatabaseTests } from "./testing/database-tests.ts";

export default defineConfig({
  test: {
    name: "core-unit",
    include: ["src/**/*.test.ts"],
    // These tests share nothing, so a worker may keep what it has loaded for the next file.
    isolate: false,
    exclude: [...configDefaults.exclude, ...findDatabaseTests()],
    // What takes long here does so on a slow disk.
    testTimeout: 30_000,
  },
});
