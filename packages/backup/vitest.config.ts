import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "backup",
    include: ["src/**/*.test.ts"],
    globalSetup: ["../db/vitest.global-setup.ts", "../db/src/testing/set-up-temporary-folder.ts"],
    setupFiles: ["../db/src/testing/use-temporary-folder.ts"],
    // Backups are killed and restored with real clusters, on a machine that may be busy.
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
