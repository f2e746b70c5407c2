import type { PoolClient } from "@workspace/db";
import type { IdGenerator } from "../platform/ids.ts";
import { toDate } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { readDocumentContent } from "./document-content.ts";
import { findMovedDocument } from "./document-identity.ts";
import { moveDocuments, putDocuments, selectMoveCandidates, type RecordedDocument } from "./document-writes.queries.ts";
import type { VaultLocks } from "./vault-locks.ts";

export interface FileRecorderDeps {
  readonly ids: IdGenerator;
  readonly files: VaultFiles;
  readonly locks: VaultLocks;
}

/** Records the file at a path as it is now, ahead of the mirror. Throws what `VaultFiles.openFile` throws. */
export type RecordFile = (path: VaultPath, creatorId: string) => Promise<RecordedDocument>;

/**
 * Makes the function that records one file for a request that needs its document at once. A file that was moved on the disk
 * a moment ago gets the document that it had.
 */
export function createFileRecorder({ ids, files, locks }: FileRecorderDeps): RecordFile {
  async function adoptMoved(client: PoolClient, moved: Parameters<typeof findMovedDocument>[0]): Promise<void> {
    const candidates = await selectMoveCandidates(client, moved);
    if (candidates.some(({ path }) => path === moved.path)) return;
    const stats = await files.statAll(candidates.map(({ path }) => path));
    const document = findMovedDocument(
      moved,
      candidates.filter((_, index) => stats[index] === null),
    );
    if (document !== null) await moveDocuments(client, [{ ...document, path: moved.path }]);
  }

  return (path, creatorId) =>
    locks.withTree("durable", async (client) => {
      const file = await files.openFile(path);
      try {
        const { stat } = file;
        const content = await readDocumentContent(path, file);
        await adoptMoved(client, { ...stat, path, contentHash: content.contentHash });
        const record = { newId: ids(), path, stat, content, modifiedAt: toDate(stat.mtimeNs), creatorId };
        const [document] = await putDocuments(client, [record]);
        if (document === undefined) throw new Error("The database did not answer what it stored.");
        return document;
      } finally {
        file.release();
      }
    });
}
