import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import type { LargeReads } from "../../platform/large-reads.ts";
import {
  describeContent,
  HEAD_BYTES,
  readDocumentContent,
  type DocumentContent,
} from "../file-records/document-content.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import { selectActiveDocument, selectDocument, type StoredDocument } from "../file-records/document.queries.ts";
import type { RecordFile } from "../file-records/file-recorder.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";

/** A document with the content of its file. */
export interface ReadDocument {
  /** Its hash and its size are those of this content, even if the file has another one by now. */
  readonly document: StoredDocument;
  /** The whole file; null for a binary file. */
  readonly bytes: Buffer | null;
}

export interface DocumentReaderDeps extends Deps<"db" | "events"> {
  readonly files: VaultFiles;
  readonly indexer: TextIndexer;
  readonly recordFile: RecordFile;
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type DocumentReader = ReturnType<typeof createDocumentReader>;

/** Reads documents from disk, the source of truth, and records changes that the mirror has not noticed yet. */
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
    // If the file has been replaced since it was read, its record is of the new text. With the hash of that, a change of the old one
    // would be taken for a change of the new one, and undo it.
    return { document: { ...recorded, contentHash: content.contentHash, size: file.stat.sizeBytes }, bytes };
  }

  return {
    /**
     * Reads the file at a path and its document, which is created if there is none yet. Throws the errors of
     * `VaultFiles.openFile`, TooLargeError for a text above the size limit, and OverloadedError if too many large ones are
     * being read.
     */
    async read(path: VaultPath, creatorId: string): Promise<ReadDocument> {
      const file = await files.openFile(path);
      try {
        return await largeReads.run(memoryNeeded(file, maxContentBytes), () => readOpened(path, file, creatorId));
      } finally {
        file.release();
      }
    },
  };
}

/** How much memory reading a file takes. A file above the limit is binary or rejected, so it is never held as a whole. */
function memoryNeeded({ stat }: OpenFile, maxBytes: number): number {
  return stat.sizeBytes > maxBytes ? 0 : stat.sizeBytes;
}

async function readContent(
  path: VaultPath,
  file: OpenFile,
  maxBytes: number,
): Promise<{ content: DocumentContent; bytes: Buffer | null }> {
  if (file.stat.sizeBytes <= HEAD_BYTES) {
    const bytes = await file.readAll(HEAD_BYTES);
    return { content: await describeContent(path, bytes), bytes };
  }
  const content = await readDocumentContent(path, file);
  return { content, bytes: content.fileType === "binary" ? null : await file.readAll(maxBytes) };
}
