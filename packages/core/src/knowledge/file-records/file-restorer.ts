import type { PoolClient } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { modifiedAtOf, type FileStat } from "../vault/file-stat.ts";
import type { FileContent } from "../vault/new-file.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import type { ServiceFolder } from "../vault/service-folder.ts";
import type { Trash } from "../vault/trash.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { VersionStore } from "../vault/version-store.ts";
import { readDocumentContent } from "./document-content.ts";
import { selectVersions } from "./document-version.queries.ts";
import { markRestored, putDocuments } from "./document-writes.queries.ts";
import { selectStoredContent, type StoredDocument } from "./document.queries.ts";

export interface FileRestorerDeps {
  readonly ids: IdGenerator;
  readonly files: VaultFiles;
  readonly trash: Trash;
  readonly versions: VersionStore;
  readonly folder: ServiceFolder;
}

/**
 * Restores the file of a deleted document and marks the document as restored: from the trash, otherwise from its stored text
 * or its latest version. Throws NotFoundError if none of them exists.
 */
export type RestoreFile = (client: PoolClient, document: StoredDocument) => Promise<void>;

type RecordStat = (stat: FileStat) => Promise<void>;

export function createFileRestorer({ ids, files, trash, versions, folder }: FileRestorerDeps): RestoreFile {
  async function restoreVersion(
    client: PoolClient,
    { id, path, contentHash, creatorId }: StoredDocument,
    version: OpenFile,
  ): Promise<void> {
    const content = await readDocumentContent(path, version);
    await writeNew(path, version.chunks(), async (stat) => {
      await markRestored(client, id, stat);
      if (content.contentHash === contentHash) return;
      const modifiedAt = modifiedAtOf(stat);
      await putDocuments(client, [{ newId: ids(), path, stat, content, modifiedAt, creatorId, author: null }]);
    });
  }

  /** The document's last content or, if that is missing, the most recent one before it. */
  async function openLatestVersion(client: PoolClient, { id, contentHash }: StoredDocument): Promise<OpenFile> {
    const hashes = [contentHash, ...(await selectVersions(client, id)).map((version) => version.contentHash)];
    for (const hash of hashes) {
      try {
        return await versions.open(hash);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    await folder.assertUsable();
    throw new NotFoundError("No content of the file was kept.");
  }

  async function writeNew(path: VaultPath, content: FileContent, record: RecordStat): Promise<void> {
    const slot = await files.openSlot(path, { create: true });
    try {
      await record(await slot.stage(content, null));
      await slot.commit({ expected: null, keepAt: null });
    } finally {
      await slot.release();
    }
  }

  return async (client, document) => {
    const { id, path, trashKey } = document;
    const trashed = trashKey === null ? null : await trash.stat(trashKey);
    if (trashKey !== null && trashed !== null) {
      // A move does not change a file's metadata, so it can be recorded beforehand.
      await markRestored(client, id, trashed);
      await trash.restore(trashKey, path);
      return;
    }
    const text = await selectStoredContent(client, id);
    if (text !== null) {
      await writeNew(path, Buffer.from(text), (stat) => markRestored(client, id, stat));
      return;
    }
    const version = await openLatestVersion(client, document);
    try {
      await restoreVersion(client, document, version);
    } finally {
      version.release();
    }
  };
}
