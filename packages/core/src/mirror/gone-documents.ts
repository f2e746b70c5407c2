import type { DocumentContent } from "../documents/document-content.ts";
import { findMovedDocument } from "../documents/document-identity.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { FoundFile, RecordedFile } from "./mirrored-file.ts";

export type GoneDocuments = ReturnType<typeof createGoneDocuments>;

/**
 * The documents that no file was found for. `occupied` are paths where other documents' files are now; for any other path
 * the disk is asked once more before its document is given to a file elsewhere.
 */
export function createGoneDocuments(
  files: VaultFiles,
  documents: readonly RecordedFile[],
  occupied: ReadonlySet<VaultPath>,
) {
  const remaining = new Set(documents);
  const byHash = new Map<string, RecordedFile[]>();
  for (const document of documents) {
    const alike = byHash.get(document.contentHash);
    if (alike === undefined) byHash.set(document.contentHash, [document]);
    else alike.push(document);
  }

  return {
    /** Takes the document out that a new file has by its content; null where there is none. */
    async takeAlike({ path, stat }: FoundFile, { contentHash }: DocumentContent): Promise<RecordedFile | null> {
      const alike = (byHash.get(contentHash) ?? []).filter((document) => remaining.has(document));
      const document = findMovedDocument({ ...stat, path, contentHash }, alike);
      if (document === null) return null;
      if (!occupied.has(document.path) && (await files.stat(document.path)) !== null) return null;
      remaining.delete(document);
      return document;
    },

    remaining: (): RecordedFile[] => [...remaining],
  };
}
