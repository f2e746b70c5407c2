import { DomainError, UnavailableError } from "../platform/errors.ts";
import { mapConcurrently } from "../platform/map-concurrently.ts";
import { readDocumentContent, type DocumentContent } from "../documents/document-content.ts";
import { isSameState } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { FoundFile } from "./mirrored-file.ts";

/** How many files are read at a time. */
const CONCURRENCY = 8;

/**
 * Reads what documents record of files. Null for a file that changed since it was found, or cannot be read; its text is left
 * out, because a batch of texts would take a lot of memory.
 */
export async function readFound(
  files: VaultFiles,
  found: readonly FoundFile[],
  onUnreadable: (file: FoundFile, error: unknown) => void,
): Promise<(DocumentContent | null)[]> {
  return mapConcurrently(found, CONCURRENCY, async (file) => {
    try {
      return await readOne(files, file);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      onUnreadable(file, error);
      return null;
    }
  });
}

async function readOne(files: VaultFiles, { path, stat }: FoundFile): Promise<DocumentContent | null> {
  const file = await openIfThere(files, path);
  if (file === null) return null;
  try {
    if (!isSameState(file.stat, stat)) return null;
    return { ...(await readDocumentContent(path, file)), text: null };
  } finally {
    file.release();
  }
}

async function openIfThere(files: VaultFiles, path: FoundFile["path"]) {
  try {
    return await files.openFile(path);
  } catch (error) {
    if (error instanceof DomainError && !(error instanceof UnavailableError)) return null;
    throw error;
  }
}
