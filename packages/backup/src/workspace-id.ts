import { randomUUID } from "node:crypto";
import type { Client, ClientConfig } from "pg";
import { BackupError } from "./backup-error.ts";
import { withSession } from "./database/session.ts";
import type { Repository } from "./repository/repository.ts";

/** The setting that holds it. */
const KEY = "backup.workspace";

/** Identifies a workspace, wherever it is moved or restored. One without an id is given one. */
export async function ensureWorkspaceId(config: ClientConfig): Promise<string> {
  return withSession(config, async (client) => {
    await storeIfNone(client, randomUUID());
    const { rows } = await client.query<{ id: string }>("SELECT value->>'id' AS id FROM settings WHERE key = $1", [
      KEY,
    ]);
    const [stored] = rows;
    if (stored === undefined) throw new Error("The id of the workspace was deleted as soon as it was stored.");
    return stored.id;
  });
}

/** Lets a restored workspace be another one than the original. */
export async function forgetWorkspaceId(config: ClientConfig): Promise<void> {
  await withSession(config, (client) => client.query("DELETE FROM settings WHERE key = $1", [KEY]));
}

/** Lets a workspace that was restored from a backup of an earlier version be the one whose backups are in the repository. */
export async function adoptWorkspaceId(config: ClientConfig, repository: Repository): Promise<void> {
  const owner = await findOwner(repository);
  if (owner === null) return;
  await withSession(config, (client) => storeIfNone(client, owner));
}

async function storeIfNone(client: Client, id: string): Promise<void> {
  await client.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ($1, jsonb_build_object('id', $2::text), now())
    ON CONFLICT (key) DO NOTHING`,
    [KEY, id],
  );
}

/**
 * Throws {@link BackupError} if the backups of a repository are of another workspace. Two of them would remove each other's, as the
 * older ones of the same hour or day.
 */
export async function assertOwner(repository: Repository, workspaceId: string): Promise<void> {
  const owner = await findOwner(repository);
  if (owner === null || owner === workspaceId) return;
  throw new BackupError(
    `The backups in ${repository.dir} are of another workspace, and each would remove the other's. Choose another folder for this one.`,
  );
}

/** The workspace of the newest backup that says whose it is; null if none does, because earlier versions made them. */
async function findOwner(repository: Repository): Promise<string | null> {
  for (const id of (await repository.listBackups()).toReversed()) {
    const manifest = await repository.readManifest(id).catch(() => null);
    if (manifest?.workspaceId !== undefined) return manifest.workspaceId;
  }
  return null;
}
