import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./scripts/slowest-first.mjs";

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts", "packages/*/vitest.unit.config.ts", "e2e/vitest.config.ts"],
    // Many tests mostly wait, for servers, processes and time limits, and some of the slowest compute for a quarter of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
  },
});
