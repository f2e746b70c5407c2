import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts", "packages/*/vitest.unit.config.ts", "e2e/vitest.config.ts"],
    // The tests wait for servers and browsers more than they compute, so no core is kept free for the runner.
    maxWorkers: availableParallelism(),
  },
});
