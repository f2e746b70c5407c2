import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "e2e",
    include: ["src/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each file starts a server and a browser; two cores do not carry more than one of each, nor other tests beside them.
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
});
