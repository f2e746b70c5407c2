import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { LargeReads } from "../../platform/large-reads.ts";
import { toText } from "../file-records/document-content.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import type { DocumentVersion } from "../file-records/document-record.schema.ts";
import {
  deleteVersions,
  selectDocumentsWithManyVersions,
  selectUnusedHashes,
  selectVersion,
  selectVersions,
} from "../file-records/document-version.queries.ts";
import { selectDocument, type StoredDocument } from "../file-records/document.queries.ts";
import type { WriteFileWithDocument } from "../file-records/file-writer.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import type { VaultLocks } from "../file-records/vault-locks.ts";
import type { VersionStore } from "../vault/version-store.ts";
import type { OpenVersion, RestoreVersion } from "./document.schema.ts";
import { findExpiredVersions, NEWEST_KEPT } from "./version-retention.ts";

const UNUSED_KEPT_MS = 7 * 24 * 60 * 60_000;

export interface DocumentVersionServiceDeps extends Deps<"db" | "clock" | "events"> {
  readonly indexer: TextIndexer;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
  readonly writeFile: WriteFileWithDocument;
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type DocumentVersionService = ReturnType<typeof createDocumentVersionService>;

/** The contents of documents before they were overwritten through the service. */
export function createDocumentVersionService(deps: DocumentVersionServiceDeps) {
  const { db, clock, events, indexer, versions, locks, writeFile, maxContentBytes, largeReads } = deps;

  async function requireDocument(id: string): Promise<StoredDocument> {
    const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
    if (document === null) throw new NotFoundError("There is no such document.");
    return document;
  }

  async function requireVersion(documentId: string, id: string): Promise<DocumentVersion> {
    const version = isUuid(documentId) && isUuid(id) ? await selectVersion(db.pool, documentId, id) : null;
    if (version === null) throw new NotFoundError("There is no such version.");
    return version;
  }

  return {
    /** Lists versions, newest first. Throws {@link NotFoundError}. */
    async list(documentId: string): Promise<DocumentVersion[]> {
      await requireDocument(documentId);
      return selectVersions(db.pool, documentId);
    },

    /** Throws {@link NotFoundError}, and TooLargeError for content above the size limit. */
    async open(documentId: string, versionId: string): Promise<OpenVersion> {
      const version = await requireVersion(documentId, versionId);
      const file = await versions.open(version.contentHash);
      try {
        const bytes = await largeReads.run(file.stat.sizeBytes, () => file.readAll(maxContentBytes));
        return { ...version, content: await toText(bytes) };
      } finally {
        file.release();
      }
    },

    /**
     * Restores the exact content of a version; the current content becomes a version in turn. Throws {@link NotFoundError},
     * {@link InvalidInputError} for a deleted document, and PreconditionFailedError.
     */
    async restore({ id: documentId, versionId, expectedHash }: RestoreVersion, author: Author): Promise<void> {
      const document = await requireDocument(documentId);
      if (document.deletedAt !== null) {
        throw new InvalidInputError("The document is deleted. Restore it before changing it.");
      }
      const version = await requireVersion(documentId, versionId);
      const file = await versions.open(version.contentHash);
      try {
        const { path, creatorId } = document;
        await writeFile({ path, content: file.chunks(), creatorId, author, expectedHash });
      } finally {
        file.release();
      }
      indexer.add([documentId]);
      publishDocuments(events, "edit", [document]);
    },

    /** Deletes the records of expired versions; the next {@link sweep} removes their content. */
    async deleteExpired(): Promise<void> {
      for (const documentId of await selectDocumentsWithManyVersions(db.pool, NEWEST_KEPT)) {
        const rows = await selectVersions(db.pool, documentId);
        const kept = rows.map(({ id, size, createdAt }) => ({ id, sizeBytes: size, createdAt: new Date(createdAt) }));
        const expiredIds = findExpiredVersions(kept, clock.now()).map(({ id }) => id);
        if (expiredIds.length > 0) await deleteVersions(db.pool, expiredIds);
      }
    },

    /**
     * Removes content that no version refers to any longer. The lock prevents writes, so none can be referred to again; it is taken
     * only if there is something to remove. Recent content is kept for a while, because a write whose commit failed may nevertheless
     * have replaced a file. Ends early if the signal is aborted.
     */
    async sweep(signal: AbortSignal): Promise<void> {
      const before = new Date(clock.now().getTime() - UNUSED_KEPT_MS);
      for await (const hashes of versions.list()) {
        if (signal.aborted) return;
        const old: string[] = [];
        for (const hash of await selectUnusedHashes(db.pool, hashes))
          if (await versions.isOld(hash, before)) old.push(hash);
        if (old.length === 0) continue;
        await locks.withTree("rebuildable", async (client) => {
          for (const hash of await selectUnusedHashes(client, old)) await versions.removeOld(hash, before);
        });
      }
    },
  };
}
