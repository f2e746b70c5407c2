import type { Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Trash, TrashEntry } from "../vault/trash.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VersionStore } from "../vault/version-store.ts";
import type { DocumentVersionService } from "./document-version.service.ts";
import { clearTrashKeys, selectReferredTrashIds, selectTrashedUnawares, setTrashKeys } from "./trash.queries.ts";
import type { VaultLocks } from "./vault-locks.ts";

const DAY_MS = 24 * 60 * 60_000;
const TRASH_DAYS = 30;

export interface HousekeepingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: VaultFiles;
  readonly trash: Trash;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
  readonly documentVersions: DocumentVersionService;
}

/**
 * Makes the function that keeps this process's trash and versions within bounds, and finishes deletions that a crash has
 * interrupted between the disk and the database. Meant to run at the start and every few hours; a run can break off
 * anywhere and be repeated.
 */
export function createHousekeeping(deps: HousekeepingDeps): () => Promise<void> {
  const { db, clock, logger, files, trash, versions, locks, documentVersions } = deps;

  /** Tells documents that their files are in the trash. */
  async function finishDeletion(entry: TrashEntry): Promise<void> {
    await locks.withTree("durable", async (client) => {
      const trashed: { id: string; trashKey: string }[] = [];
      for (const { id, path } of await selectTrashedUnawares(client, entry.path, entry.deletedAt)) {
        const trashKey = trash.keyOf(entry, path);
        if ((await files.stat(path)) === null && (await trash.stat(trashKey)) !== null) trashed.push({ id, trashKey });
      }
      if (trashed.length === 0) return;
      await setTrashKeys(client, trashed, entry.deletedAt);
      logger.info({ path: entry.path, count: trashed.length }, "finished a deletion that was interrupted");
    });
  }

  return async () => {
    const referred = await selectReferredTrashIds(db.pool);
    for (const entry of await trash.list()) if (!referred.has(entry.id)) await finishDeletion(entry);
    const purged = await trash.purge(new Date(clock.now().getTime() - TRASH_DAYS * DAY_MS));
    if (purged.length > 0) {
      await clearTrashKeys(db.pool, purged);
      logger.info({ count: purged.length }, `removed what has been in the trash for ${TRASH_DAYS} days`);
    }
    await versions.removeUnfinished(new Date(clock.now().getTime() - DAY_MS));
    await documentVersions.forgetExpired();
    await documentVersions.sweep();
  };
}
