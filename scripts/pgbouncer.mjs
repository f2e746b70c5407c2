/** `npm run pgbouncer`: tests the service behind the PgBouncer of this machine, in its two common modes. Needs pgbouncer. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepare, rootDir } from "./prepare.mjs";

prepare();
const config = join(rootDir, "packages/api-rest/vitest.programs.config.ts");
const { status } = spawnSync(
  process.execPath,
  [join(rootDir, "node_modules/vitest/vitest.mjs"), "run", "--config", config, "pgbouncer"],
  { cwd: join(rootDir, "packages/api-rest"), stdio: "inherit" },
);
process.exit(status ?? 1);
