import { DomainError, UnavailableError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { readDocumentContent, type DocumentContent } from "../file-records/document-content.ts";
import { isSameState } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { FoundFile } from "./mirrored-file.ts";

const MAX_CONCURRENT_READS = 8;

/**
 * Reads what to record about files. Null for a file that has changed since it was found or cannot be read. Texts are left
 * out, because those of a whole batch would take too much memory.
 */
export async function readFiles(
  files: VaultFiles,
  found: readonly FoundFile[],
  onUnreadable: (file: FoundFile, error: unknown) => void,
): Promise<(DocumentContent | null)[]> {
  return mapConcurrently(found, MAX_CONCURRENT_READS, async (file) => {
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
  const file = await openIfPresent(files, path);
  if (file === null) return null;
  try {
    if (!isSameState(file.stat, stat)) return null;
    return { ...(await readDocumentContent(path, file)), text: null };
  } finally {
    file.release();
  }
}

async function openIfPresent(files: VaultFiles, path: FoundFile["path"]) {
  try {
    return await files.openFile(path);
  } catch (error) {
    if (error instanceof DomainError && !(error instanceof UnavailableError)) return null;
    throw error;
  }
}
