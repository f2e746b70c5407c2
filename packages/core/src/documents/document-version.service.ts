import type { Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import type { LargeReads } from "../platform/large-reads.ts";
import { isUuid } from "../platform/ids.ts";
import type { VersionStore } from "../vault/version-store.ts";
import { toText } from "./document-content.ts";
import { publishDocuments } from "./document-events.ts";
import { selectDocument, type StoredDocument } from "./document.queries.ts";
import type { DocumentVersion, OpenVersion } from "./document.schema.ts";
import {
  deleteVersions,
  selectDocumentsWithManyVersions,
  selectUnusedHashes,
  selectVersion,
  selectVersions,
} from "./document-version.queries.ts";
import type { WriteFileWithDocument } from "./file-writer.ts";
import type { TextIndexer } from "./text-indexer.ts";
import type { VaultLocks } from "./vault-locks.ts";
import { findExpiredVersions, NEWEST_KEPT } from "./version-retention.ts";

const UNUSED_KEPT_MS = 7 * 24 * 60 * 60_000;

export interface DocumentVersionServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly indexer: TextIndexer;
  readonly versions: VersionStore;
  readonly locks: VaultLocks;
  readonly writeFile: WriteFileWithDocument;
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type DocumentVersionService = ReturnType<typeof createDocumentVersionService>;

/** What documents were like before they were overwritten through the service. */
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
    /** Newest first. Throws {@link NotFoundError} for no such document. */
    async list(documentId: string): Promise<DocumentVersion[]> {
      await requireDocument(documentId);
      return selectVersions(db.pool, documentId);
    },

    /** Throws {@link NotFoundError}, and TooLargeError for text that is longer than contents may be. */
    async open(documentId: string, versionId: string): Promise<OpenVersion> {
      const version = await requireVersion(documentId, versionId);
      const file = await versions.open(version.contentHash);
      try {
        const bytes = await largeReads.run(file.stat.sizeBytes, () => file.readAll(maxContentBytes));
        return { ...version, content: toText(bytes) };
      } finally {
        file.release();
      }
    },

    /**
     * Gives a document the content of one of its versions, byte for byte; what it has now becomes a version in turn. Throws
     * {@link NotFoundError}, {@link InvalidInputError} for a deleted document, and PreconditionFailedError.
     */
    async restore(documentId: string, versionId: string, expectedHash?: string): Promise<void> {
      const document = await requireDocument(documentId);
      if (document.deletedAt !== null) {
        throw new InvalidInputError("The document is deleted. Restore it before changing it.");
      }
      const version = await requireVersion(documentId, versionId);
      const file = await versions.open(version.contentHash);
      try {
        await writeFile({ path: document.path, content: file.chunks(), creatorId: document.creatorId, expectedHash });
      } finally {
        file.release();
      }
      indexer.add([documentId]);
      publishDocuments(events, "edit", [document]);
    },

    /** Forgets versions that need not be kept any longer; their bytes go with the next {@link sweep}. */
    async forgetExpired(): Promise<void> {
      for (const id of await selectDocumentsWithManyVersions(db.pool, NEWEST_KEPT)) {
        const rows = await selectVersions(db.pool, id);
        const kept = rows.map((row) => ({ id: row.id, sizeBytes: row.size, createdAt: new Date(row.createdAt) }));
        const expired = findExpiredVersions(kept, clock.now());
        if (expired.length > 0) {
          await deleteVersions(
            db.pool,
            expired.map((version) => version.id),
          );
        }
      }
    },

    /**
     * Removes bytes that no version has any more. Nobody writes meanwhile, so none can come into use again. Young ones stay
     * for a while: a write whose commit was lost has replaced a file all the same.
     */
    async sweep(): Promise<void> {
      const before = new Date(clock.now().getTime() - UNUSED_KEPT_MS);
      for await (const hashes of versions.list()) {
        await locks.withTree("rebuildable", async (client) => {
          for (const hash of await selectUnusedHashes(client, hashes)) await versions.removeOld(hash, before);
        });
      }
    },
  };
}
