/** `npm run test:unit`: the tests that need neither a database, a server nor a build. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installDependencies, rootDir, runPnpm } from "./prepare.mjs";

installDependencies();
if (!existsSync(join(rootDir, "packages/db/src/generated/client.ts"))) {
  runPnpm(["exec", "turbo", "run", "generate", "--output-logs=errors-only"]);
}
const args = ["run", "--config", "vitest.unit.config.ts", ...process.argv.slice(2)];
const { status } = spawnSync(join(rootDir, "node_modules/.bin/vitest"), args, { cwd: rootDir, stdio: "inherit" });
process.exit(status ?? 1);
