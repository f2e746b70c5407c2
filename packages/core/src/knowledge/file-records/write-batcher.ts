import type { PoolClient } from "@workspace/db";
import { ConflictError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { FileChangedError } from "../vault/durable-write.ts";
import { modifiedAtOf } from "../vault/file-stat.ts";
import type { VersionStore } from "../vault/version-store.ts";
import {
  putDocuments,
  selectTakenIds,
  type RecordedDocument,
  type ReplacedContent,
} from "./document-writes.queries.ts";
import { placeAll, syncAll, type PlacedWrite } from "./placed-writes.ts";
import type { VaultLocks } from "./vault-locks.ts";
import { createWriteQueue, type CommittedWrite, type QueuedWrite, type StagedWrite } from "./write-queue.ts";

/** How often a write is retried because another program has changed the file. */
const MAX_ATTEMPTS = 8;

export interface WriteBatcherDeps {
  readonly ids: IdGenerator;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
}

export type WriteBatcher = ReturnType<typeof createWriteBatcher>;

/**
 * Commits staged writes. Concurrent ones share a batch: one transaction, and one sync per directory. Writes to the same path
 * are committed one after another. While the paths are locked, the conditions are checked, the files placed, and documents
 * and replaced versions recorded. A disk failure affects only the files that it hits; if the database fails, all files of the
 * batch are reverted. Only if the outcome of the commit is unknown do the files stay changed, and the mirror records them.
 */
export function createWriteBatcher({ ids, versions, locks }: WriteBatcherDeps) {
  const queue = createWriteQueue();
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (!queue.isEmpty) await commitBatch(queue.takeBatch());
    isRunning = false;
  }

  async function commitBatch(batch: readonly QueuedWrite[]): Promise<void> {
    const paths = batch.map(({ write }) => write.path);
    const newIds = batch.flatMap(({ write }) => write.newId ?? []);
    const isDurable = batch.some(({ write }) => write.durability === "durable");
    let recorded: readonly PlacedWrite[] = [];
    try {
      const settle = await locks.withFiles({ paths, newIds }, isDurable ? "durable" : "rebuildable", async (client) => {
        const placed = await placeAll(await rejectTakenIds(client, batch), versions, retryOrReject);
        // Syncing and recording run concurrently.
        const syncing = syncAll(placed);
        try {
          let settleAll = await record(client, placed, ids);
          const synced = await syncing;
          if (synced.length < placed.length) {
            await locks.restart(client);
            settleAll = await record(client, synced, ids);
          }
          recorded = synced;
          return settleAll;
        } catch (error) {
          await Promise.all((await syncing).map(({ placement }) => placement.undo()));
          throw error;
        }
      });
      await settle();
    } catch (error) {
      // It is unknown whether a failed commit took effect, so its files are left as they are.
      await Promise.all(recorded.map(({ placement }) => placement.finish()));
      // Writes of the batch that were queued for a retry fail as well; for settled ones, rejecting has no effect.
      queue.remove(batch);
      for (const queued of batch) queued.reject(error);
    }
  }

  function retryOrReject(queued: QueuedWrite, error: unknown): void {
    const isHopeless = queued.write.condition.basedOn !== undefined;
    if (!(error instanceof FileChangedError) || isHopeless) queued.reject(error);
    else if ((queued.attempts += 1) < MAX_ATTEMPTS) queue.add(queued);
    else queued.reject(new ConflictError("Another program keeps changing the file.", { cause: error }));
  }

  return {
    /** Rejects with the errors of `assertWriteCondition`, of the disk and of the database. */
    commit(write: StagedWrite): Promise<CommittedWrite> {
      return new Promise((resolve, reject) => {
        queue.add({ write, attempts: 0, resolve, reject });
        void run();
      });
    },
  };
}

/** Rejects writes whose chosen id another document has got meanwhile, so that they do not fail the others. Returns those. */
async function rejectTakenIds(client: PoolClient, batch: readonly QueuedWrite[]): Promise<readonly QueuedWrite[]> {
  const newIds = batch.flatMap(({ write }) => write.newId ?? []);
  if (newIds.length === 0) return batch;
  const taken = await selectTakenIds(client, newIds);
  return batch.filter(({ write, reject }) => {
    const isTaken = write.newId !== undefined && taken.has(write.newId.toLowerCase());
    if (isTaken) reject(new ConflictError("There is a document with this id already."));
    return !isTaken;
  });
}

/** Records placed files and the versions they replaced. Returns what to do once the transaction is committed. */
async function record(
  client: PoolClient,
  placed: readonly PlacedWrite[],
  ids: IdGenerator,
): Promise<() => Promise<void>> {
  const documents = await putDocuments(
    client,
    placed.map((one) => {
      const { newId = ids(), path, stat, content, creatorId, author } = one.queued.write;
      const modifiedAt = modifiedAtOf(stat);
      const replaced = replacedBy(one, { versionId: ids(), modifiedAt });
      return { newId, path, stat, content, modifiedAt, creatorId, author, replaced };
    }),
  );
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const documentOf = ({ queued }: PlacedWrite): RecordedDocument => {
    const document = byPath.get(queued.write.path);
    if (document === undefined) throw new Error("The database did not return what it stored.");
    return document;
  };
  for (const one of placed) await one.queued.write.inTransaction?.(client, documentOf(one).id);
  return async () => {
    await Promise.all(placed.map(({ placement }) => placement.finish()));
    for (const one of placed) {
      const modifiedAt = modifiedAtOf(one.queued.write.stat);
      one.queued.resolve({ document: documentOf(one), created: one.previous === null, modifiedAt });
    }
  };
}

/** The content that a write replaced; null if there was none or it is the same. */
function replacedBy(
  { queued: { write }, previous }: PlacedWrite,
  { versionId, modifiedAt }: { readonly versionId: string; readonly modifiedAt: Date },
): ReplacedContent | null {
  if (previous === null || previous.contentHash === write.content.contentHash) return null;
  const { contentHash, stat } = previous;
  const writtenAt = modifiedAtOf(stat);
  return {
    versionId,
    contentHash,
    sizeBytes: stat.sizeBytes,
    createdAt: writtenAt < modifiedAt ? writtenAt : modifiedAt,
  };
}
