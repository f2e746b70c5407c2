import type { DocumentContent } from "../file-records/document-content.ts";
import { findMovedDocument } from "../file-records/document-identity.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { FoundFile, RecordedFile } from "./mirrored-file.ts";

export type UnmatchedDocuments = ReturnType<typeof createUnmatchedDocuments>;

/**
 * Documents for which no file has been found. `occupied` are paths that now belong to files of other documents; any other path
 * is checked on disk again before its document is matched with a file elsewhere.
 */
export function createUnmatchedDocuments(
  files: VaultFiles,
  documents: readonly RecordedFile[],
  occupied: ReadonlySet<VaultPath>,
) {
  const remaining = new Set(documents);
  const byHash = new Map<string, RecordedFile[]>();
  for (const document of documents) {
    const sameContent = byHash.get(document.contentHash);
    if (sameContent === undefined) byHash.set(document.contentHash, [document]);
    else sameContent.push(document);
  }

  return {
    /** Matches a new file with a document by content and removes the document; null if there is none. */
    async takeByContent({ path, stat }: FoundFile, { contentHash }: DocumentContent): Promise<RecordedFile | null> {
      const candidates = (byHash.get(contentHash) ?? []).filter((document) => remaining.has(document));
      const document = findMovedDocument({ ...stat, path, contentHash }, candidates);
      if (document === null) return null;
      if (!occupied.has(document.path) && (await files.stat(document.path)) !== null) return null;
      remaining.delete(document);
      return document;
    },

    remaining: (): RecordedFile[] => [...remaining],
  };
}
