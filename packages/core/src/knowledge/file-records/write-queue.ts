import type { PoolClient } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import type { FileStat } from "../vault/file-stat.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { DocumentContent } from "./document-content.ts";
import type { RecordedDocument } from "./document-writes.queries.ts";
import type { FileState } from "./file-state.ts";
import type { Durability } from "./vault-locks.ts";
import type { WriteCondition } from "./write-condition.ts";

const MAX_BATCH = 32;

/** A write whose new content is already on disk, under a hidden name. */
export interface StagedWrite {
  readonly path: VaultPath;
  readonly newId?: string | undefined;
  readonly creatorId: string;
  readonly author: Author | null;
  readonly condition: WriteCondition;
  readonly slot: FileSlot;
  readonly stat: FileStat;
  readonly content: DocumentContent;
  /** The file in the slot when it was last examined. */
  readonly previous: FileState | null;
  readonly durability: Durability;
  /** Further changes to make in the transaction of the write. */
  readonly inTransaction?: ((client: PoolClient, documentId: string) => Promise<void>) | undefined;
}

export interface CommittedWrite {
  readonly document: RecordedDocument;
  /** Whether there was no file before. */
  readonly created: boolean;
  readonly modifiedAt: Date;
}

/** A staged write that is waiting to be committed. */
export interface QueuedWrite {
  readonly write: StagedWrite;
  attempts: number;
  resolve(committed: CommittedWrite): void;
  reject(error: unknown): void;
}

/** The writes waiting to be committed, in order of arrival. */
export function createWriteQueue() {
  let queue: QueuedWrite[] = [];

  return {
    get isEmpty(): boolean {
      return queue.length === 0;
    },

    add(queued: QueuedWrite): void {
      queue.push(queued);
    },

    /** Takes the writes that can be committed together, in order. One with further changes is committed alone. */
    takeBatch(): QueuedWrite[] {
      const batch: QueuedWrite[] = [];
      const rest: QueuedWrite[] = [];
      const paths = new Set<VaultPath>();
      for (const queued of queue) {
        const { path, inTransaction } = queued.write;
        const fits = inTransaction === undefined ? batch.length < MAX_BATCH && !paths.has(path) : batch.length === 0;
        const isClosed = batch[0]?.write.inTransaction !== undefined;
        if (fits && !isClosed) batch.push(queued);
        else rest.push(queued);
        // A later write to a path never overtakes an earlier one that has to wait.
        paths.add(path);
      }
      queue = rest;
      return batch;
    },

    /** Removes writes that have been queued again. */
    remove(writes: readonly QueuedWrite[]): void {
      queue = queue.filter((queued) => !writes.includes(queued));
    },
  };
}
