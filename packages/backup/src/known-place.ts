import { resolve } from "node:path";
import { isInStore } from "@workspace/object-store";
import type { ClientConfig } from "pg";
import { BackupError } from "./backup-error.ts";
import { lastBackupKey } from "./database/read-database.ts";
import { withSession } from "./database/session.ts";
import { hasRepository, type Repository } from "./repository/repository.ts";
import { quoted } from "./restore-marker.ts";
import type { StoragePlace } from "./storage/backup-storage.ts";

/** How the keys of the settings begin that name the places of repositories. */
export const PLACES = "backup.place.";

/** A connection or a pool of them. */
interface SettingsReader {
  query(text: string, values: string[]): Promise<{ readonly rows: { readonly id: string }[] }>;
}

/**
 * Records which backup is the last of a database in a repository, and where that is: apart, because only the place still holds for what is
 * restored or moved to another database.
 */
export async function recordLastBackup(
  config: ClientConfig,
  { id, dir }: Pick<Repository, "id" | "dir">,
  backupId: string,
): Promise<void> {
  await withSession(config, (client) =>
    client.query(
      `INSERT INTO settings (key, value, updated_at)
      VALUES ($1, jsonb_build_object('backupId', $3::text), now()),
        ($2, jsonb_build_object('backupId', $3::text, 'place', $4::text), now())
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
      [lastBackupKey(id), `${PLACES}${id}`, backupId, nameOf(dir)],
    ),
  );
}

/** Throws {@link BackupError} if this workspace has stored backups at a place where there are none at all now. */
export async function assertNotLost(place: StoragePlace, config: ClientConfig): Promise<void> {
  const loss = await withSession(config, (client) => findLoss(place, client));
  if (loss !== null) throw new BackupError(loss);
}

/** Says that a workspace has stored backups at a place where there are none at all now; null if it is not so. */
export async function findLoss(place: StoragePlace, db: SettingsReader): Promise<string | null> {
  const { rows } = await db.query(
    `SELECT value->>'backupId' AS id FROM settings WHERE starts_with(key, $1) AND value->>'place' = $2
    ORDER BY updated_at DESC LIMIT 1`,
    [PLACES, nameOf(place.dir)],
  );
  const [last] = rows;
  if (last === undefined || (await hasRepository(place))) return null;
  return (
    `${place.dir} no longer has the backups that were made there, the last of them ${last.id}. Check whether its disk is mounted. ` +
    `To begin anew there: npx workspace backup --to ${quoted(place.dir)} --begin-anew`
  );
}

/** Equal for the same folder. */
function nameOf(dir: string): string {
  return isInStore(dir) ? dir.replace(/\/$/, "") : resolve(dir);
}
