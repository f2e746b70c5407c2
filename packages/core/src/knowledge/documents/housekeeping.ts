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
 * another process is running it. It may be interrupted anywhere and repeated, and ends soon once its signal is aborted.
 */
export function createHousekeeping(deps: HousekeepingDeps): (signal: AbortSignal) => Promise<void> {
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

  async function finishDeletions(signal: AbortSignal): Promise<void> {
    const referenced = await selectReferencedTrashIds(db.pool);
    for (const entry of await trash.list()) {
      if (signal.aborted) return;
      if (!referenced.has(entry.id)) await finishDeletion(entry);
    }
  }

  const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * DAY_MS);
  const steps = [
    finishDeletions,
    () => trash.removeDiscarded(),
    () => versions.removeUnfinished(daysAgo(1)),
    () => deleteUpdatesBefore(db.pool, daysAgo(UPDATES_KEPT_DAYS)),
    () => documentVersions.deleteExpired(),
    (signal: AbortSignal) => documentVersions.sweep(signal),
  ];

  async function cleanUp(signal: AbortSignal): Promise<void> {
    for (const step of steps) if (!signal.aborted) await step(signal);
  }

  return (signal) => runInOneProcess(db, () => cleanUp(signal));
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
