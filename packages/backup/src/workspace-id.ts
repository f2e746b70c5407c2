import { randomUUID } from "node:crypto";
import type { Client, ClientConfig } from "pg";
import { BackupError } from "./backup-error.ts";
import { LAST_BACKUPS } from "./database/read-database.ts";
import { withSession } from "./database/session.ts";
import { PLACES } from "./known-place.ts";
import type { Repository } from "./repository/repository.ts";
import { quoted } from "./restore-marker.ts";

/** The setting that holds it. */
const KEY = "backup.workspace";

/**
 * Identifies a workspace that is about to store backups in a repository, wherever it is moved or restored; one without an id is given
 * one. Throws {@link BackupError}, and stores nothing, if the repository's backups are of another workspace, unless this one takes its
 * place: two would remove each other's, as the older ones of the same hour or day.
 */
export async function identifyWorkspace(
  config: ClientConfig,
  repository: Repository,
  { takesOver }: { readonly takesOver: boolean },
): Promise<string> {
  const owner = await findOwner(repository);
  return withSession(config, async (client) => {
    const id = await readId(client);
    // Whoever takes a place over keeps its own id, so that the other one is refused there from then on, should it not be gone.
    if (owner === null || owner === id || takesOver) return id ?? storeIfNone(client, randomUUID());
    const { dir } = repository;
    throw new BackupError(
      `The backups in ${dir} are of another workspace, and each would remove the other's. Choose another folder for this one. If it ` +
        `replaces that workspace, which is gone: npx workspace backup --to ${quoted(dir)} --take-over`,
    );
  });
}

async function readId(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>("SELECT value->>'id' AS id FROM settings WHERE key = $1", [KEY]);
  return rows[0]?.id ?? null;
}

/** Lets a restored copy be another workspace than its original, which knows nothing of the original's backups. */
export async function forgetBackups(config: ClientConfig): Promise<void> {
  await withSession(config, (client) =>
    client.query("DELETE FROM settings WHERE key = $1 OR starts_with(key, $2) OR starts_with(key, $3)", [
      KEY,
      LAST_BACKUPS,
      PLACES,
    ]),
  );
}

/** Lets a workspace that was restored from a backup of an earlier version be the one whose backups are in the repository. */
export async function adoptWorkspaceId(config: ClientConfig, repository: Repository): Promise<void> {
  const owner = await findOwner(repository);
  if (owner === null) return;
  await withSession(config, (client) => storeIfNone(client, owner));
}

/** Stores an id unless there is one, and returns the one that is stored then. */
async function storeIfNone(client: Client, id: string): Promise<string> {
  await client.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ($1, jsonb_build_object('id', $2::text), now())
    ON CONFLICT (key) DO NOTHING`,
    [KEY, id],
  );
  return (await readId(client)) ?? id;
}

/** The workspace of the newest backup that says whose it is; null if none does, because earlier versions made them. */
async function findOwner(repository: Repository): Promise<string | null> {
  for (const id of (await repository.listBackups()).toReversed()) {
    const manifest = await repository.readManifest(id).catch(() => null);
    if (manifest?.workspaceId !== undefined) return manifest.workspaceId;
  }
  return null;
}
