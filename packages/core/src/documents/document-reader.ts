import type { Db } from "@workspace/db";
import { NotFoundError } from "../platform/errors.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { describeContent, HEAD_BYTES, readDocumentContent, type DocumentContent } from "./document-content.ts";
import { publishDocuments } from "./document-events.ts";
import { selectActiveDocument, selectDocument, type StoredDocument } from "./document.queries.ts";
import type { RecordFile } from "./file-recorder.ts";
import type { TextIndexer } from "./text-indexer.ts";
import type { EventBus } from "../platform/events.ts";
import type { LargeReads } from "../platform/large-reads.ts";

/** A document as it is on the disk at this moment. */
export interface ReadDocument {
  readonly document: StoredDocument;
  /** The whole file; null for a binary one. */
  readonly bytes: Buffer | null;
}

export interface DocumentReaderDeps {
  readonly db: Db;
  readonly events: EventBus;
  readonly files: VaultFiles;
  readonly indexer: TextIndexer;
  readonly recordFile: RecordFile;
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type DocumentReader = ReturnType<typeof createDocumentReader>;

/** Reads documents from the disk, which is the truth, and records what the mirror has not seen yet. */
export function createDocumentReader(deps: DocumentReaderDeps) {
  const { db, events, files, indexer, recordFile, maxContentBytes, largeReads } = deps;

  async function readOpened(path: VaultPath, file: OpenFile, creatorId: string): Promise<ReadDocument> {
    const { content, bytes } = await readContent(path, file, maxContentBytes);
    const document = await selectActiveDocument(db.pool, path);
    if (document?.contentHash === content.contentHash) return { document, bytes };
    const { id, title, isNew } = await recordFile(path, creatorId);
    indexer.add([id]);
    publishDocuments(events, isNew ? "create" : "edit", [{ id, title }]);
    const recorded = await selectDocument(db.pool, id);
    if (recorded === null) throw new NotFoundError("There is no such document.");
    return { document: recorded, bytes };
  }

  return {
    /**
     * The document of the file at a path, made if there is none yet. Throws what `VaultFiles.openFile` throws,
     * TooLargeError for a text that is longer than contents may be, and OverloadedError for a large one at a bad time.
     */
    async read(path: VaultPath, creatorId: string): Promise<ReadDocument> {
      const file = await files.openFile(path);
      try {
        return await largeReads.run(heldBytes(file, maxContentBytes), () => readOpened(path, file, creatorId));
      } finally {
        file.release();
      }
    },
  };
}

/** How much of a file its document takes in memory. What is beyond the limit is binary or refused, and never read as a whole. */
function heldBytes({ stat }: OpenFile, maxBytes: number): number {
  return stat.sizeBytes > maxBytes ? 0 : stat.sizeBytes;
}

async function readContent(
  path: VaultPath,
  file: OpenFile,
  maxBytes: number,
): Promise<{ content: DocumentContent; bytes: Buffer | null }> {
  if (file.stat.sizeBytes <= HEAD_BYTES) {
    const bytes = await file.readAll(HEAD_BYTES);
    return { content: describeContent(path, bytes), bytes };
  }
  const content = await readDocumentContent(path, file);
  return { content, bytes: content.fileType === "binary" ? null : await file.readAll(maxBytes) };
}
