import type { Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { VaultLocks } from "../file-records/vault-locks.ts";
import { deleteUpdatesBefore } from "../link-updates/link-update.queries.ts";
import type { TrashEntry } from "../vault/trash-label.ts";
import type { Trash } from "../vault/trash.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VersionStore } from "../vault/version-store.ts";
import type { DocumentVersionService } from "./document-version.service.ts";
import { tryLockHousekeeping, unlockHousekeeping } from "./housekeeping.queries.ts";
import { clearTrashKeys, selectReferencedTrashIds, selectUnmarkedTrash, setTrashKeys } from "./trash.queries.ts";

const DAY_MS = 24 * 60 * 60_000;
const TRASH_DAYS = 30;

export interface HousekeepingDeps extends Deps<"db" | "clock" | "logger"> {
  readonly files: VaultFiles;
  readonly trash: Trash;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
  readonly documentVersions: DocumentVersionService;
}

/**
 * Creates the function that limits the vault's trash and versions, and completes deletions that a crash has interrupted
 * between the disk and the database. To be run on start-up and every few hours in every process; it does nothing while
 * another process is running it. It may be interrupted anywhere and repeated.
 */
export function createHousekeeping(deps: HousekeepingDeps): () => Promise<void> {
  const { db, clock, logger, files, trash, versions, locks, documentVersions } = deps;

  /** Marks the documents of an entry as deleted if the crash prevented that. */
  async function finishDeletion(entry: TrashEntry): Promise<void> {
    await locks.withTree("durable", async (client) => {
      const trashed: { id: string; trashKey: string }[] = [];
      for (const { id, path } of await selectUnmarkedTrash(client, entry.path, entry.deletedAt)) {
        const trashKey = trash.keyOf(entry, path);
        if ((await files.stat(path)) === null && (await trash.stat(trashKey)) !== null) trashed.push({ id, trashKey });
      }
      if (trashed.length === 0) return;
      await setTrashKeys(client, trashed, entry.deletedAt);
      logger.info({ path: entry.path, count: trashed.length }, "completed an interrupted deletion");
    });
  }

  /** Nothing can be restored from an entry while it is being discarded, because that requires the same lock. */
  async function purge(entries: readonly TrashEntry[]): Promise<void> {
    for (const { id } of entries) {
      await locks.withTree("rebuildable", async (client) => {
        await clearTrashKeys(client, [id]);
        await trash.discard(id);
      });
    }
    await trash.removeDiscarded();
    if (entries.length === 0) return;
    logger.info({ count: entries.length }, `removed entries from the trash after ${TRASH_DAYS} days`);
  }

  async function cleanUp(): Promise<void> {
    const referenced = await selectReferencedTrashIds(db.pool);
    const entries = await trash.list();
    for (const entry of entries) if (!referenced.has(entry.id)) await finishDeletion(entry);
    const expiry = new Date(clock.now().getTime() - TRASH_DAYS * DAY_MS);
    await purge(entries.filter(({ deletedAt }) => deletedAt < expiry));
    await versions.removeUnfinished(new Date(clock.now().getTime() - DAY_MS));
    await deleteUpdatesBefore(db.pool, expiry);
    await documentVersions.deleteExpired();
    await documentVersions.sweep();
  }

  return () => runInOneProcess(db, cleanUp);
}

/** Runs work unless another process is running it. If a process dies, its lock is released with its connection. */
async function runInOneProcess(db: Db, work: () => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  let isLocked = true;
  try {
    isLocked = await tryLockHousekeeping(client);
    if (!isLocked) return;
    await work();
    await unlockHousekeeping(client);
    isLocked = false;
  } finally {
    // A connection that still holds the lock must not be reused.
    client.release(isLocked);
  }
}
