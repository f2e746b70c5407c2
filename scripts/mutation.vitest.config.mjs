import { defineConfig } from "vitest/config";

/** Stryker only looks at tests: a file that fails to load because of a fault gets a failing test. */
const loadReporter = {
  onTestModuleEnd({ task: file }) {
    if (file.result?.state !== "fail" || file.tasks.length > 0) return;
    file.tasks.push({ type: "test", name: "loads", file, suite: file, meta: {}, result: file.result });
  },
};

/**
 * The configuration for one area of `mutation.mjs`: only the area's tests, with a database server only if they need one.
 */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(" ") ?? [],
    globalSetup: process.env.MUTATION_SETUP || [],
    testTimeout: 30_000,
    reporters: [loadReporter],
  },
});
