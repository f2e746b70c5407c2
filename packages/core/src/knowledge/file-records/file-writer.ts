import type { PoolClient } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import type { FileContent } from "../vault/new-file.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { describeContent, readDocumentContent, type DocumentContent } from "./document-content.ts";
import { readFileState, type FileState } from "./file-state.ts";
import { createKnownFiles } from "./known-files.ts";
import type { Durability } from "./vault-locks.ts";
import type { WriteBatcher } from "./write-batcher.ts";
import { assertWriteCondition, type WriteCondition } from "./write-condition.ts";

export interface WriteFile extends WriteCondition {
  readonly path: VaultPath;
  readonly content: FileContent;
  /** The id of a new document, if the caller chooses it. There must be no other with this id. */
  readonly newId?: string | undefined;
  /** The creator of a new document. */
  readonly creatorId: string;
  /** Who writes; null if that is not known. */
  readonly author: Author | null;
  /** The file as the caller has just read it. */
  readonly lastRead?: FileState | undefined;
  /** `durable` if the transaction contains anything that cannot be rebuilt from disk; see `createVaultLocks`. */
  readonly durability?: Durability;
  /** Further changes to make in the transaction of the write. */
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
 * Creates the function that writes a file together with its document: the new content is first written to disk under a hidden
 * name and then committed; see `createWriteBatcher`. Missing directories are created.
 *
 * The function throws the errors of `assertWriteCondition` and `VaultFiles.openSlot`, and InvalidInputError or ForbiddenError
 * if there is anything but a regular file at the path.
 */
export function createFileWriter({ files, batcher }: FileWriterDeps): WriteFileWithDocument {
  const known = createKnownFiles();

  return async ({
    path,
    content,
    newId,
    creatorId,
    author,
    lastRead,
    durability = "rebuildable",
    inTransaction,
    ...condition
  }) => {
    const slot = await openSlot(path, condition);
    try {
      const lastKnown = lastRead ?? known.get(path);
      const current = await (lastKnown === null ? slot.stat() : slot.restat());
      const previous = await readFileState(slot, current, lastKnown);
      // Checked again before the commit; this only avoids staging the content of a write that will be rejected. With a chosen id, the
      // file may be of the same request to another process, which is known once that has committed.
      if (newId === undefined) assertWriteCondition(condition, previous?.contentHash ?? null);
      const stat = await slot.stage(content, previous?.stat ?? null);
      const described = await (content instanceof Uint8Array
        ? describeContent(path, content)
        : describeStaged(path, slot));
      const { document, created, modifiedAt } = await batcher.commit({
        path,
        newId,
        creatorId,
        author,
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

  /** Creates missing directories, unless the write will be rejected because there is no file. */
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
