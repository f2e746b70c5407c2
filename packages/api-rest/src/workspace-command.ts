import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../../package.json" with { type: "json" };
import { runCommand } from "./cli/run-command.ts";
import { loadConfig } from "./env.ts";

const packagesDir = join(dirname(fileURLToPath(import.meta.url)), "../..");

process.exitCode = await runCommand({
  given: process.argv.slice(2),
  loadConfig: () => loadConfig(join(packagesDir, "..")),
  migrationsDir: join(packagesDir, "db/prisma/migrations"),
  version: packageJson.version,
});
