import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SILENT_LOG } from "../../testing/test-cluster.ts";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { query } from "./queries.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data directory that was used and closed in order, with a table `kept` in its database; only to be copied. */
    usedDataDir: string;
  }
}

/** Makes the data directory that tests copy, as creating a cluster anew for each would take most of their time. */
export async function prepareUsedDataDir() {
  const path = await mkdtemp(join(tmpdir(), "workspace-test-"));
  const embedded = await startEmbeddedPostgres({ dataDir: path, log: SILENT_LOG });
  await query(embedded.poolConfig, "CREATE TABLE kept AS SELECT 42 AS answer");
  await embedded.close();
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
