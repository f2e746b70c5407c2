import type { PoolClient } from "@workspace/db";
import { NotFoundError } from "../platform/errors.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import type { FileContent } from "../vault/new-file.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { describeContent, readDocumentContent, type DocumentContent } from "./document-content.ts";
import { readFileState } from "./file-state.ts";
import { createKnownFiles } from "./known-files.ts";
import type { Durability } from "./vault-locks.ts";
import type { WriteBatcher } from "./write-batcher.ts";
import { assertWriteCondition, type WriteCondition } from "./write-condition.ts";

export interface WriteFile extends WriteCondition {
  readonly path: VaultPath;
  readonly content: FileContent;
  /** Who a new document is recorded under. */
  readonly creatorId: string;
  /** `durable` where the transaction holds more than the disk says; see `createVaultLocks`. */
  readonly durability?: Durability;
  /** Further changes that belong to the write, in its transaction. */
  readonly inTransaction?: (client: PoolClient, documentId: string) => Promise<void>;
}

export interface WrittenFile {
  readonly documentId: string;
  readonly title: string;
  readonly contentHash: string;
  /** Whether there was no file before. */
  readonly created: boolean;
  readonly modifiedAt: Date;
}

export interface FileWriterDeps {
  readonly files: VaultFiles;
  readonly batcher: WriteBatcher;
}

export type WriteFileWithDocument = (write: WriteFile) => Promise<WrittenFile>;

/**
 * Makes the function that writes a file together with its document: the new bytes first go to the disk under a name that
 * nobody sees, then they are committed; see `createWriteBatcher`. Missing directories are made.
 *
 * The function throws what `assertWriteCondition` and `VaultFiles.openSlot` throw, and InvalidInputError or ForbiddenError
 * where anything but a regular file is at the path.
 */
export function createFileWriter({ files, batcher }: FileWriterDeps): WriteFileWithDocument {
  const known = createKnownFiles();

  return async ({ path, content, creatorId, durability = "rebuildable", inTransaction, ...condition }) => {
    const slot = await openSlot(path, condition);
    try {
      const left = known.get(path);
      const previous = await readFileState(slot, await (left === null ? slot.look() : slot.lookAgain()), left);
      // Checked again when it counts; this spares the disk the bytes of a write that is refused anyway.
      assertWriteCondition(condition, previous?.contentHash ?? null);
      const stat = await slot.stage(content, previous?.stat ?? null);
      const described =
        content instanceof Uint8Array ? describeContent(path, content) : await describeStaged(path, slot);
      const { document, created, modifiedAt } = await batcher.commit({
        path,
        creatorId,
        condition,
        slot,
        stat,
        content: described,
        previous,
        durability,
        inTransaction,
      });
      known.set(path, { stat, contentHash: described.contentHash });
      return {
        documentId: document.id,
        title: document.title,
        contentHash: described.contentHash,
        created,
        modifiedAt,
      };
    } finally {
      await slot.release();
    }
  };

  /** Makes missing directories, unless the write is refused anyway because there is no file. */
  async function openSlot(path: VaultPath, condition: WriteCondition): Promise<FileSlot> {
    try {
      return await files.openSlot(path, { create: false });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
    assertWriteCondition(condition, null);
    return files.openSlot(path, { create: true });
  }
}

async function describeStaged(path: VaultPath, slot: FileSlot): Promise<DocumentContent> {
  const file = await slot.openStaged();
  try {
    return await readDocumentContent(path, file);
  } finally {
    file.release();
  }
}
