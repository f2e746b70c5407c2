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
import { selectReferencedTrashIds, selectUnmarkedTrash, setTrashKeys } from "./trash.queries.ts";

const DAY_MS = 24 * 60 * 60_000;
const UPDATES_KEPT_DAYS = 30;

export interface HousekeepingDeps extends Deps<"db" | "clock" | "logger"> {
  readonly files: VaultFiles;
  readonly trash: Trash;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
  readonly documentVersions: DocumentVersionService;
}

/**
 * Creates the function that limits the versions of documents, and completes deletions that a crash has interrupted
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

  async function cleanUp(): Promise<void> {
    const referenced = await selectReferencedTrashIds(db.pool);
    const entries = await trash.list();
    for (const entry of entries) if (!referenced.has(entry.id)) await finishDeletion(entry);
    await trash.removeDiscarded();
    await versions.removeUnfinished(new Date(clock.now().getTime() - DAY_MS));
    await deleteUpdatesBefore(db.pool, new Date(clock.now().getTime() - UPDATES_KEPT_DAYS * DAY_MS));
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
