import { extname } from "node:path";
import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { assertPrintable } from "../vault/assert-printable.ts";
import { hashFile } from "../vault/content-hash.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { publishDocuments } from "./document-events.ts";
import { markDeleted, moveDocuments, selectDocumentsWithin } from "./document-writes.queries.ts";
import { selectDocumentForUpdate, type StoredDocument } from "./document.queries.ts";
import { createFileRestorer, type FileRestorerDeps } from "./file-restorer.ts";
import { createTreeMoves, findEntry, relocate } from "./tree-moves.ts";
import type { TextIndexer } from "./text-indexer.ts";
import type { VaultLocks } from "./vault-locks.ts";
import { assertExpected } from "./write-condition.ts";

export interface TreeChangesDeps extends FileRestorerDeps, Deps<"clock" | "events"> {
  readonly locks: VaultLocks;
  readonly indexer: TextIndexer;
}

export type TreeChanges = ReturnType<typeof createTreeChanges>;

/**
 * Moves, deletions and restorations, which change the tree of files and the documents together. With the tree locked, the
 * records are changed first and the disk last, right before the commit, so that a failure changes neither.
 */
export function createTreeChanges(deps: TreeChangesDeps) {
  const { clock, ids, events, files, trash, locks, indexer } = deps;
  const restoreFile = createFileRestorer(deps);

  /** Throws ConflictError if there is a file or directory. Documents whose files are missing from there are marked deleted. */
  async function assertFree(client: PoolClient, path: VaultPath): Promise<void> {
    if ((await files.stat(path)) !== null) throw new ConflictError("Something is at this path already.");
    const stale = await selectDocumentsWithin(client, path);
    const marks = stale.map(({ id }) => ({ id, trashKey: null }));
    await markDeleted(client, marks, clock.now());
  }

  return {
    move: createTreeMoves({ ...deps, assertFree }),

    /**
     * Moves a file or a whole directory to the trash. Throws NotFoundError, InvalidInputError for the root, and
     * PreconditionFailedError.
     */
    async remove(path: VaultPath, expectedHash?: string): Promise<void> {
      if (path === VAULT_ROOT) throw new InvalidInputError("The vault itself cannot be deleted.");
      const removed = await locks.withTree("durable", async (client) => {
        const { kind } = await findEntry(files, path);
        if (expectedHash !== undefined) {
          assertExpected(expectedHash, kind === "file" ? await hashAt(files, path) : null);
        }
        const documents = await selectDocumentsWithin(client, path);
        const entry = { id: ids(), path, deletedAt: clock.now() };
        const marks = documents.map((document) => ({ id: document.id, trashKey: trash.keyOf(entry, document.path) }));
        await markDeleted(client, marks, entry.deletedAt);
        await trash.put(path, entry);
        return documents;
      });
      publishDocuments(events, "delete", removed);
    },

    /**
     * Moves a document's file to the trash. If the file is missing already, the document is only marked as deleted. Throws
     * NotFoundError and PreconditionFailedError.
     */
    async removeDocument(id: string, expectedHash?: string): Promise<void> {
      const removed = await locks.withTree("durable", async (client) => {
        const document = await selectDocumentForUpdate(client, id);
        if (document === null) throw new NotFoundError("There is no such document.");
        if (document.deletedAt !== null) return [];
        const { path } = document;
        const hasFile = (await files.stat(path))?.kind === "file";
        if (expectedHash !== undefined) assertExpected(expectedHash, hasFile ? await hashAt(files, path) : null);
        const entry = { id: ids(), path, deletedAt: clock.now() };
        await markDeleted(client, [{ id, trashKey: hasFile ? trash.keyOf(entry, path) : null }], entry.deletedAt);
        if (hasFile) await trash.put(path, entry);
        return [document];
      });
      publishDocuments(events, "delete", removed);
    },

    /**
     * Restores a deleted document with its file, where it was or at another path with the same extension. Throws NotFoundError if there
     * is no such document or no content of its file was kept, InvalidInputError if it is not deleted or would get another extension, and
     * ConflictError if the path is taken.
     */
    async restore(id: string, elsewhere?: VaultPath): Promise<StoredDocument> {
      const restored = await locks.withTree("durable", async (client) => {
        const document = await selectDocumentForUpdate(client, id);
        if (document === null) throw new NotFoundError("There is no such document.");
        if (document.deletedAt === null) throw new InvalidInputError("The document is not deleted.");
        const path = elsewhere ?? document.path;
        if (extname(path) !== extname(document.path))
          throw InvalidInputError.at("path", `must end with “${extname(document.path)}”, as before`);
        if (elsewhere !== undefined) await assertPrintable(files, path);
        await assertFree(client, path);
        if (path !== document.path) await moveDocuments(client, [relocate(document, document.path, path)]);
        await restoreFile(client, { ...document, path });
        return (await selectDocumentForUpdate(client, id)) ?? document;
      });
      indexer.add([id]);
      publishDocuments(events, "restore", [restored]);
      return restored;
    },
  };
}

async function hashAt(files: VaultFiles, path: VaultPath): Promise<string> {
  const file = await files.openFile(path);
  try {
    return await hashFile(file);
  } finally {
    file.release();
  }
}
