import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "client-unit",
    include: ["src/**/*.test.ts"],
    environment: "node",
    // These tests share nothing, so a worker may keep what it has loaded for the next file.
    isolate: false,
  },
});
