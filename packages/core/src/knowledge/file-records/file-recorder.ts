import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { UnavailableError } from "../../platform/errors.ts";
import { modifiedAtOf } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { readDocumentContent } from "./document-content.ts";
import { findMovedDocument, type FileIdentity } from "./document-identity.ts";
import { moveDocuments, putDocuments, selectMoveCandidates, type RecordedDocument } from "./document-writes.queries.ts";
import { planLinkUpdate } from "./link-plan.ts";
import type { VaultLocks } from "./vault-locks.ts";

export interface FileRecorderDeps extends Deps<"clock" | "ids"> {
  readonly files: VaultFiles;
  readonly locks: VaultLocks;
  /** Called when links to moved files are about to be changed. */
  readonly onLinkUpdate: () => void;
}

/** Records the current file at a path without waiting for the mirror. Throws the errors of `VaultFiles.openFile`. */
export type RecordFile = (path: VaultPath, creatorId: string) => Promise<RecordedDocument>;

/**
 * Creates the function that records a single file for a request that needs its document immediately. A file that has just
 * been moved on disk keeps its document.
 */
export function createFileRecorder({ clock, ids, files, locks, onLinkUpdate }: FileRecorderDeps): RecordFile {
  /** If the file was moved on disk, changes the path of its document. */
  async function followMove(client: PoolClient, file: FileIdentity): Promise<void> {
    const candidates = await selectMoveCandidates(client, file);
    if (candidates.some(({ path }) => path === file.path)) return;
    const stats = await files.statAll(candidates.map(({ path }) => path));
    const missing = candidates.filter((_, index) => stats[index] === null);
    const document = findMovedDocument(file, missing);
    if (document === null) return;
    const move = { id: document.id, from: document.path, to: file.path };
    const update = { id: ids(), origin: "outside" as const, author: null, moves: [move], createdAt: clock.now() };
    if (await planLinkUpdate(client, { ...update, documents: [move] })) onLinkUpdate();
    await moveDocuments(client, [{ ...document, path: file.path }]);
  }

  return (path, creatorId) =>
    locks.withTree("durable", async (client) => {
      // A copy that was left beside its source would be a new document.
      if (await files.hasUnfinishedMoves()) {
        throw new UnavailableError("An interrupted move is being completed. Try again in a moment.");
      }
      const file = await files.openFile(path);
      try {
        const { stat } = file;
        const content = await readDocumentContent(path, file);
        await followMove(client, { ...stat, path, contentHash: content.contentHash });
        const record = { newId: ids(), path, stat, content, modifiedAt: modifiedAtOf(stat), creatorId, author: null };
        const [document] = await putDocuments(client, [record]);
        if (document === undefined) throw new Error("The database did not return what it stored.");
        return document;
      } finally {
        file.release();
      }
    });
}
