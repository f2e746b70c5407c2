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
/** Any number that nothing else locks; "tidy" in ASCII. */
const HOUSEKEEPING_LOCK = 0x74696479;

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
 * Makes the function that keeps the vault's trash and versions within bounds, and finishes deletions that a crash has
 * interrupted between the disk and the database. Meant to run at the start and every few hours in every process; it does
 * nothing while another one is at it. A run can break off anywhere and be repeated.
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

  /** Nobody restores from an entry while it is given up, since that takes the same lock. */
  async function purge(entries: readonly TrashEntry[]): Promise<void> {
    for (const { id } of entries) {
      await locks.withTree("rebuildable", async (client) => {
        await clearTrashKeys(client, [id]);
        await trash.giveUp(id);
      });
    }
    await trash.removeGivenUp();
    if (entries.length === 0) return;
    logger.info({ count: entries.length }, `removed what has been in the trash for ${TRASH_DAYS} days`);
  }

  async function tidyUp(): Promise<void> {
    const referred = await selectReferredTrashIds(db.pool);
    const entries = await trash.list();
    for (const entry of entries) if (!referred.has(entry.id)) await finishDeletion(entry);
    const expiry = new Date(clock.now().getTime() - TRASH_DAYS * DAY_MS);
    await purge(entries.filter(({ deletedAt }) => deletedAt < expiry));
    await versions.removeUnfinished(new Date(clock.now().getTime() - DAY_MS));
    await documentVersions.forgetExpired();
    await documentVersions.sweep();
  }

  return () => runInOneProcess(db, tidyUp);
}

/** Runs work unless another process is running it now. A process that dies has lost its lock with its connection. */
async function runInOneProcess(db: Db, work: () => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  let isLocked = true;
  try {
    const { rows } = await client.query<{ isOurs: boolean }>(`SELECT pg_try_advisory_lock($1) AS "isOurs"`, [
      HOUSEKEEPING_LOCK,
    ]);
    isLocked = rows[0]?.isOurs === true;
    if (!isLocked) return;
    await work();
    await client.query("SELECT pg_advisory_unlock($1)", [HOUSEKEEPING_LOCK]);
    isLocked = false;
  } finally {
    // A lock must not stay with a connection that others use.
    client.release(isLocked);
  }
}
