import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { SILENT_LOG } from "../../testing/test-cluster.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { query } from "./queries.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder for the tests' data directories. Its `used` is a template to be copied, see {@link prepareTestFolder}. */
    testFolder: string;
  }
}

export const USED_DATA_DIR = "used";

/**
 * Creates the folder for the tests' data directories. It contains one that was used and shut down cleanly, with a table `kept`,
 * which tests copy, because creating a cluster for each would take most of their time.
 */
export async function prepareTestFolder(): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder(SILENT_LOG);
  await chmod(folder.path, 0o755);
  const embedded = await startEmbeddedPostgres({ dataDir: join(folder.path, USED_DATA_DIR), log: SILENT_LOG });
  await query(embedded.poolConfig, "CREATE TABLE kept AS SELECT 42 AS answer");
  await embedded.close();
  return folder;
}
