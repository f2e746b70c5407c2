import type { PoolClient } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import type { IdGenerator } from "../platform/ids.ts";
import { hashFile } from "../vault/content-hash.ts";
import { toDate, type FileStat } from "../vault/file-stat.ts";
import type { FileContent } from "../vault/new-file.ts";
import { assertRegular, type OpenFile } from "../vault/regular-file.ts";
import type { ServiceFolder } from "../vault/service-folder.ts";
import type { Trash } from "../vault/trash.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { nameOf, rebase, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import type { VersionStore } from "../vault/version-store.ts";
import { readDocumentContent } from "./document-content.ts";
import { fileTitle } from "./document-fields.ts";
import { publishDocuments } from "./document-events.ts";
import { selectDocumentForUpdate, selectStoredContent, type StoredDocument } from "./document.queries.ts";
import {
  markDeleted,
  markRestored,
  moveDocuments,
  putDocuments,
  selectDocumentsWithin,
  type DocumentPlace,
} from "./document-writes.queries.ts";
import { selectVersions } from "./document-version.queries.ts";
import { assertExpected } from "./write-condition.ts";
import type { TextIndexer } from "./text-indexer.ts";
import type { VaultLocks } from "./vault-locks.ts";

export interface TreeChangesDeps {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly files: VaultFiles;
  readonly trash: Trash;
  readonly versions: VersionStore;
  readonly folder: ServiceFolder;
  readonly locks: VaultLocks;
  readonly indexer: TextIndexer;
}

export type TreeChanges = ReturnType<typeof createTreeChanges>;

/**
 * Moves, deletions and restorations: what changes the tree of files and the documents together. The tree is locked, the
 * records are changed, and the disk as the last step before the commit, so that a failure changes neither.
 */
export function createTreeChanges(deps: TreeChangesDeps) {
  const { clock, ids, events, files, trash, versions, folder, locks, indexer } = deps;
  return {
    /**
     * Moves a file or directory to a path that is free. Throws NotFoundError, ConflictError, and InvalidInputError for the
     * root and for a directory that would move into itself.
     */
    async move(from: VaultPath, to: VaultPath, creatorId: string): Promise<void> {
      if (from === VAULT_ROOT) throw new InvalidInputError("The vault itself cannot be renamed or moved.");
      const moved = await locks.withTree("rebuildable", async (client) => {
        const source = await requireEntry(from);
        await requireFree(client, to);
        const documents = await selectDocumentsWithin(client, from);
        await moveDocuments(
          client,
          documents.map((document) => relocate(document, from, to)),
        );
        if (source.kind === "file") await recordAt(client, { from, to, stat: source, creatorId });
        await files.move(from, to);
        return documents;
      });
      indexer.add(moved.map(({ id }) => id));
      publishDocuments(events, "edit", moved);
    },

    /**
     * Moves a file or a whole directory to the trash. Throws NotFoundError, InvalidInputError for the root, and
     * PreconditionFailedError.
     */
    async remove(path: VaultPath, expectedHash?: string): Promise<void> {
      if (path === VAULT_ROOT) throw new InvalidInputError("The vault itself cannot be deleted.");
      const removed = await locks.withTree("durable", async (client) => {
        const { kind } = await requireEntry(path);
        if (expectedHash !== undefined) assertExpected(expectedHash, kind === "file" ? await hashAt(path) : null);
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
     * Moves a document's file to the trash; one whose file is gone already is only marked. Throws NotFoundError and
     * PreconditionFailedError.
     */
    async removeDocument(id: string, expectedHash?: string): Promise<void> {
      const removed = await locks.withTree("durable", async (client) => {
        const document = await selectDocumentForUpdate(client, id);
        if (document === null) throw new NotFoundError("There is no such document.");
        if (document.deletedAt !== null) return [];
        const { path } = document;
        const isThere = (await files.stat(path))?.kind === "file";
        if (expectedHash !== undefined) assertExpected(expectedHash, isThere ? await hashAt(path) : null);
        const entry = { id: ids(), path, deletedAt: clock.now() };
        await markDeleted(client, [{ id, trashKey: isThere ? trash.keyOf(entry, path) : null }], entry.deletedAt);
        if (isThere) await trash.put(path, entry);
        return [document];
      });
      publishDocuments(events, "delete", removed);
    },

    /**
     * Brings a deleted document's file back to its path: from the trash, else from the text or the version that is kept of
     * it. Throws NotFoundError for no such document or one of which nothing is kept, InvalidInputError for one that is not
     * deleted, and ConflictError where its path is taken.
     */
    async restore(id: string): Promise<StoredDocument> {
      const restored = await locks.withTree("durable", async (client) => {
        const document = await selectDocumentForUpdate(client, id);
        if (document === null) throw new NotFoundError("There is no such document.");
        if (document.deletedAt === null) throw new InvalidInputError("The document is not deleted.");
        await requireFree(client, document.path);
        // A file that is moved is the same one afterwards, so it can be recorded before it is in its place.
        await bringBack(client, document, (stat) => markRestored(client, id, stat));
        return (await selectDocumentForUpdate(client, id)) ?? document;
      });
      indexer.add([id]);
      publishDocuments(events, "restore", [restored]);
      return restored;
    },
  };

  /** Throws ConflictError where something is on the disk. A document whose file is gone from there gives way. */
  async function requireFree(client: PoolClient, path: VaultPath): Promise<void> {
    if ((await files.stat(path)) !== null) throw new ConflictError("Something is at this path already.");
    const stale = await selectDocumentsWithin(client, path);
    await markDeleted(
      client,
      stale.map(({ id }) => ({ id, trashKey: null })),
      clock.now(),
    );
  }

  async function requireEntry(path: VaultPath): Promise<FileStat> {
    const stat = await files.stat(path);
    if (stat === null) throw new NotFoundError("There is nothing at this path.");
    if (stat.kind !== "directory") assertRegular(stat);
    return stat;
  }

  /** Records a file at the path that it is about to have: its type and its title may depend on its name. */
  async function recordAt(client: PoolClient, { from, to, stat, creatorId }: FileMove): Promise<void> {
    const file = await files.openFile(from);
    try {
      const content = await readDocumentContent(to, file);
      await putDocuments(client, [
        { newId: ids(), path: to, stat, content, modifiedAt: toDate(stat.mtimeNs), creatorId },
      ]);
    } finally {
      file.release();
    }
  }

  async function hashAt(path: VaultPath): Promise<string> {
    const file = await files.openFile(path);
    try {
      return await hashFile(file);
    } finally {
      file.release();
    }
  }

  async function bringBack(client: PoolClient, document: StoredDocument, record: RecordFile): Promise<void> {
    const { id, path, trashKey, contentHash, creatorId } = document;
    const trashed = trashKey === null ? null : await trash.stat(trashKey);
    if (trashKey !== null && trashed !== null) {
      await record(trashed);
      await trash.takeBack(trashKey, path);
      return;
    }
    const content = await selectStoredContent(client, id);
    if (content !== null) {
      await writeNew(path, Buffer.from(content), record);
      return;
    }
    const version = await openLastVersion(client, document);
    try {
      const described = await readDocumentContent(path, version);
      await writeNew(path, version.chunks(), async (stat) => {
        await record(stat);
        if (described.contentHash === contentHash) return;
        const modifiedAt = toDate(stat.mtimeNs);
        await putDocuments(client, [{ newId: ids(), path, stat, content: described, modifiedAt, creatorId }]);
      });
    } finally {
      version.release();
    }
  }

  /** What the document had last, else what that had replaced. */
  async function openLastVersion(client: PoolClient, { id, contentHash }: StoredDocument): Promise<OpenFile> {
    const hashes = [contentHash, ...(await selectVersions(client, id)).map((version) => version.contentHash)];
    for (const hash of hashes) {
      try {
        return await versions.open(hash);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    await folder.assertUsable();
    throw new NotFoundError("Nothing of the file was kept.");
  }

  async function writeNew(path: VaultPath, content: FileContent, record: RecordFile): Promise<void> {
    const slot = await files.openSlot(path, { create: true });
    try {
      await record(await slot.stage(content, null));
      await slot.commit({ expected: null, keepAt: null });
    } finally {
      await slot.release();
    }
  }
}

/** Writes down a file that is about to be in its place. */
type RecordFile = (stat: FileStat) => Promise<void>;

interface FileMove {
  readonly from: VaultPath;
  readonly to: VaultPath;
  readonly stat: FileStat;
  readonly creatorId: string;
}

/** Where a document is after a move of its file or of a directory above it, and what it is called if its name was its title. */
function relocate(document: DocumentPlace, from: VaultPath, to: VaultPath): DocumentPlace {
  const { id, title } = document;
  const path = rebase(document.path, from, to);
  return { id, path, title: title === fileTitle(nameOf(document.path)) ? fileTitle(nameOf(path)) : title };
}
