import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts", "packages/*/vitest.unit.config.ts", "e2e/vitest.config.ts"],
    // The tests mostly wait for servers and processes, so there is one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
  },
});
