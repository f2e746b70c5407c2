import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "hooks-cli",
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["./vitest.global-setup.ts", "../api-rest/tests/set-up.ts"],
    // Tests of the built command start many processes, and share the machine with the other packages' tests.
    testTimeout: 30_000,
  },
});
