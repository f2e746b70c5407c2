/*
 * Creates and checks migrations, offline, with a temporary database:
 *
 *   pnpm --filter @workspace/db migration new <name>   writes the SQL that is missing from the migrations
 *   pnpm --filter @workspace/db migration new <name> --empty   writes an empty one, for SQL that Prisma cannot express
 *   pnpm --filter @workspace/db migration check        exits with 1 if schema and migrations differ
 */
import { parseArgs } from "node:util";
import { writeMigration } from "../src/migrations/new-migration.ts";
import { findSchemaDrift } from "../src/migrations/schema-drift.ts";
import { defaultMigrationsDir } from "../src/package-files.ts";
import { startTestCluster } from "../src/testing/test-cluster.ts";

const USAGE = "Usage: migration new <name> [--empty] | migration check";
const EMPTY_MIGRATION =
  "-- Applied in one transaction: no BEGIN, COMMIT or CREATE INDEX CONCURRENTLY. State what it locks and for how long.\n";

/** Returns the process's exit code. */
async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { empty: { type: "boolean" } } });
  const [command, title] = positionals;
  if (command === "check") return check();
  if (command === "new" && title !== undefined) return create(title, values.empty ?? false);
  console.error(USAGE);
  return 2;
}

async function check(): Promise<number> {
  const drift = await findDrift();
  if (drift === undefined) return 0;
  console.error(`The migrations do not match prisma/schema.prisma. They lack:\n\n${drift}`);
  console.error("Run: pnpm --filter @workspace/db migration new <name>");
  return 1;
}

async function create(title: string, isEmpty: boolean): Promise<number> {
  const sql = isEmpty ? EMPTY_MIGRATION : await findDrift();
  if (sql === undefined) {
    console.error("The migrations already match the schema. For SQL written manually, add --empty.");
    return 1;
  }
  const name = await writeMigration(defaultMigrationsDir(), { title, sql, createdAt: new Date() });
  console.log(`prisma/migrations/${name}/migration.sql`);
  return 0;
}

async function findDrift(): Promise<string | undefined> {
  const cluster = await startTestCluster({ migrates: false });
  try {
    return await findSchemaDrift({ server: cluster.address });
  } finally {
    await cluster.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
