import { assertNotMoved, hasClusterFolder, readMovedTo } from "@workspace/db";
import { StartError } from "./start-error.ts";

/** What mends that a data folder has an embedded database which is not used. */
export const LEFT_CLUSTER_REMEDY =
  "If it was moved to that of DATABASE_URL, rename its folder postgres to postgres-moved, so that no command takes it for the workspace.";

/**
 * Throws {@link StartError} unless a data folder has an embedded database, because starting it would create an empty one, and
 * `EmbeddedPostgresError` if it was moved.
 */
export async function assertEmbeddedWorkspace(dataDir: string): Promise<void> {
  if (await hasClusterFolder(dataDir)) return;
  await assertNotMoved(dataDir);
  throw new StartError(`There is no workspace in ${dataDir}. Set DATA_DIR, or use --data-dir.`);
}

/** Whether a data folder that is used with an external database has an embedded one. Moves by earlier versions left it so. */
export async function hasLeftCluster(dataDir: string): Promise<boolean> {
  return (await hasClusterFolder(dataDir)) && (await readMovedTo(dataDir)) === null;
}
