import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "web-unit", include: ["src/**/*.test.ts", "build/**/*.test.ts"], environment: "node" },
});
