import { defineConfig } from "vitest/config";

/** `npm run test:unit`: the tests that start neither a database nor a server. */
export default defineConfig({
  test: { projects: ["packages/*/vitest.unit.config.ts"] },
});
