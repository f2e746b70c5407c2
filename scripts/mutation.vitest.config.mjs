import { defineConfig } from "vitest/config";

/** Stryker looks at tests alone: a file that a fault keeps from loading gets one, which fails. */
const loadReporter = {
  onTestModuleEnd({ task: file }) {
    if (file.result?.state !== "fail" || file.tasks.length > 0) return;
    file.tasks.push({ type: "test", name: "loads", file, suite: file, meta: {}, result: file.result });
  },
};

/** What `mutation.mjs` runs for an area: just the area's tests, and a database server only where they need one. */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(" ") ?? [],
    globalSetup: process.env.MUTATION_SETUP || [],
    testTimeout: 30_000,
    reporters: [loadReporter],
  },
});
