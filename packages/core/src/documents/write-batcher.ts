import type { PoolClient } from "@workspace/db";
import { ConflictError } from "../platform/errors.ts";
import type { IdGenerator } from "../platform/ids.ts";
import { FileChangedError, type Placement } from "../vault/durable-write.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import { toDate, type FileStat } from "../vault/file-stat.ts";
import { parentOf, type VaultPath } from "../vault/vault-path.ts";
import type { VersionPlace, VersionStore } from "../vault/version-store.ts";
import type { DocumentContent } from "./document-content.ts";
import { putDocuments, type RecordedDocument, type ReplacedContent } from "./document-writes.queries.ts";
import { readFileState, type FileState } from "./file-state.ts";
import type { Durability, VaultLocks } from "./vault-locks.ts";
import { assertWriteCondition, type WriteCondition } from "./write-condition.ts";

const MAX_BATCH = 32;
/** How often a write starts over because another program changed the file in between. */
const MAX_ATTEMPTS = 8;

/** A write whose new bytes are on the disk already, under a name that nobody sees. */
export interface StagedWrite {
  readonly path: VaultPath;
  readonly creatorId: string;
  readonly condition: WriteCondition;
  readonly slot: FileSlot;
  readonly stat: FileStat;
  readonly content: DocumentContent;
  /** What was in the slot when that was last looked at. */
  readonly previous: FileState | null;
  readonly durability: Durability;
  /** Further changes that belong to the write, in its transaction. */
  readonly inTransaction?: ((client: PoolClient, documentId: string) => Promise<void>) | undefined;
}

export interface CommittedWrite {
  readonly document: RecordedDocument;
  /** Whether there was no file before. */
  readonly created: boolean;
  readonly modifiedAt: Date;
}

interface Waiting {
  readonly write: StagedWrite;
  attempts: number;
  resolve(committed: CommittedWrite): void;
  reject(error: unknown): void;
}

/** A file that is in its place and could still be taken back. */
interface Placed {
  readonly waiting: Waiting;
  readonly previous: FileState | null;
  readonly placement: Placement;
}

export interface WriteBatcherDeps {
  readonly ids: IdGenerator;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
}

export type WriteBatcher = ReturnType<typeof createWriteBatcher>;

/**
 * Commits staged writes, those that come at the same time together: one transaction, one sync per directory. Writes of one
 * path go one after the other. With the paths locked, the conditions are checked, the bytes put in place, and documents and
 * replaced versions recorded. A failure of the disk concerns the files that it hits; if the database fails, every file of
 * the batch is taken back. Only if the commit itself is lost have files changed alone, and the mirror records them.
 */
export function createWriteBatcher({ ids, versions, locks }: WriteBatcherDeps) {
  let queue: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) await commitBatch(takeBatch());
    isRunning = false;
  }

  /** The writes that can go together, in the order in which they came. */
  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const paths = new Set<VaultPath>();
    for (const waiting of queue) {
      const { path, inTransaction } = waiting.write;
      const fits = inTransaction === undefined ? batch.length < MAX_BATCH && !paths.has(path) : batch.length === 0;
      const isClosed = batch[0]?.write.inTransaction !== undefined;
      if (fits && !isClosed) batch.push(waiting);
      else left.push(waiting);
      // A later write of a path never overtakes an earlier one that has to wait.
      paths.add(path);
    }
    queue = left;
    return batch;
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    const paths = batch.map(({ write }) => write.path);
    const isDurable = batch.some(({ write }) => write.durability === "durable");
    let recorded: readonly Placed[] = [];
    try {
      const settle = await locks.withFiles(paths, isDurable ? "durable" : "rebuildable", async (client) => {
        const placed = await placeAll(batch);
        // The database works while the disk does.
        const syncing = syncPlaced(placed);
        try {
          let settleAll = await record(client, placed);
          const synced = await syncing;
          if (synced.length < placed.length) {
            await locks.restart(client);
            settleAll = await record(client, synced);
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
      // Whether a lost commit has happened is unknown, so its files stay as they are.
      await Promise.all(recorded.map(({ placement }) => placement.finish()));
      // Those that were to be tried again are not; the others that are settled already do not hear of it.
      queue = queue.filter((waiting) => !batch.includes(waiting));
      for (const waiting of batch) waiting.reject(error);
    }
  }

  /** Checks and places each file; what fails is settled here and left out of the answer. */
  async function placeAll(batch: readonly Waiting[]): Promise<Placed[]> {
    const isInPlace = oncePer((slot) => slot.isInPlace());
    const placed = await Promise.all(
      batch.map(async (waiting) => {
        try {
          const { path, slot } = waiting.write;
          const isThere = await isInPlace(`${slot.directoryKey} ${parentOf(path)}`, slot);
          if (!isThere) throw new ConflictError("The directory was moved meanwhile. Try again.");
          return await place(waiting);
        } catch (error) {
          retryOrReject(waiting, error);
          return null;
        }
      }),
    );
    return placed.filter((one) => one !== null);
  }

  async function place(waiting: Waiting): Promise<Placed> {
    const { slot, condition, content, previous: before } = waiting.write;
    const previous = await readFileState(slot, await slot.lookAgain(), before);
    assertWriteCondition(condition, previous?.contentHash ?? null);
    const isOverwrite = previous !== null && previous.contentHash !== content.contentHash;
    const expected = previous?.stat ?? null;
    if (!isOverwrite) return { waiting, previous, placement: await slot.place({ expected, keepAt: null }) };
    const kept = await versions.prepare(previous.contentHash);
    try {
      const placement = await slot.place({ expected, keepAt: kept.path });
      return { waiting, previous, placement: thenRelease(placement, kept) };
    } catch (error) {
      kept.release();
      throw error;
    }
  }

  function retryOrReject(waiting: Waiting, error: unknown): void {
    const isHopeless = waiting.write.condition.basedOn !== undefined;
    if (!(error instanceof FileChangedError) || isHopeless) waiting.reject(error);
    else if ((waiting.attempts += 1) < MAX_ATTEMPTS) queue.push(waiting);
    else waiting.reject(new ConflictError("Another program keeps changing the file.", { cause: error }));
  }

  /** Syncs each directory once. Files of one that fails are taken back and left out of the answer. Never fails. */
  async function syncPlaced(placed: readonly Placed[]): Promise<Placed[]> {
    const sync = oncePer((slot) => slot.sync());
    const synced = await Promise.all(
      placed.map(async (one) => {
        const { slot } = one.waiting.write;
        try {
          await sync(slot.directoryKey, slot);
          return one;
        } catch (error) {
          await one.placement.undo();
          one.waiting.reject(error);
          return null;
        }
      }),
    );
    return synced.filter((one) => one !== null);
  }

  /** Answers what is to be done once the transaction is committed. */
  async function record(client: PoolClient, placed: readonly Placed[]): Promise<() => Promise<void>> {
    const documents = await putDocuments(
      client,
      placed.map((one) => {
        const { path, stat, content, creatorId } = one.waiting.write;
        const modifiedAt = toDate(stat.mtimeNs);
        const replaced = replacedBy(one, { versionId: ids(), modifiedAt });
        return { newId: ids(), path, stat, content, modifiedAt, creatorId, replaced };
      }),
    );
    const byPath = new Map(documents.map((document) => [document.path, document]));
    const documentOf = ({ waiting }: Placed): RecordedDocument => {
      const document = byPath.get(waiting.write.path);
      if (document === undefined) throw new Error("The database did not answer what it stored.");
      return document;
    };
    for (const one of placed) await one.waiting.write.inTransaction?.(client, documentOf(one).id);
    return async () => {
      await Promise.all(placed.map(({ placement }) => placement.finish()));
      for (const one of placed) {
        const modifiedAt = toDate(one.waiting.write.stat.mtimeNs);
        one.waiting.resolve({ document: documentOf(one), created: one.previous === null, modifiedAt });
      }
    };
  }

  return {
    /** Rejects with what `WriteCondition` throws, and with failures of the disk and of the database. */
    commit(write: StagedWrite): Promise<CommittedWrite> {
      return new Promise((resolve, reject) => {
        queue.push({ write, attempts: 0, resolve, reject });
        void run();
      });
    },
  };
}

/** A placement that lets go of the place of the old content when it is decided. */
function thenRelease({ finish, undo }: Placement, kept: VersionPlace): Placement {
  return {
    finish: () => finish().finally(() => kept.release()),
    undo: () => undo().finally(() => kept.release()),
  };
}

/** The content that a write has replaced with another, if there was any. */
function replacedBy(
  { waiting: { write }, previous }: Placed,
  { versionId, modifiedAt }: { readonly versionId: string; readonly modifiedAt: Date },
): ReplacedContent | null {
  if (previous === null || previous.contentHash === write.content.contentHash) return null;
  const { contentHash, stat } = previous;
  const writtenAt = toDate(stat.mtimeNs);
  return {
    versionId,
    contentHash,
    sizeBytes: stat.sizeBytes,
    createdAt: writtenAt < modifiedAt ? writtenAt : modifiedAt,
  };
}

/** Asks one slot for all that have the same key. */
function oncePer<Answer>(ask: (slot: FileSlot) => Promise<Answer>): (key: string, slot: FileSlot) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (key, slot) => {
    const answer = answers.get(key) ?? ask(slot);
    answers.set(key, answer);
    return answer;
  };
}
