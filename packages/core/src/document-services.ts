import { createDocumentGraphService } from "./knowledge/documents/document-graph.service.ts";
import { createDocumentMentionService } from "./knowledge/documents/document-mention.service.ts";
import { createDocumentReader } from "./knowledge/documents/document-reader.ts";
import { createDocumentSearchService, type FindSimilar } from "./knowledge/documents/document-search.service.ts";
import { createDocumentSharingService } from "./knowledge/documents/document-sharing.service.ts";
import { createDocumentVersionService } from "./knowledge/documents/document-version.service.ts";
import { createDocumentService } from "./knowledge/documents/document.service.ts";
import { createHousekeeping } from "./knowledge/documents/housekeeping.ts";
import { createOldTrash } from "./knowledge/documents/old-trash.ts";
import { createFileRecorder } from "./knowledge/file-records/file-recorder.ts";
import { createFileWriter } from "./knowledge/file-records/file-writer.ts";
import { createTextIndexer } from "./knowledge/file-records/text-indexer.ts";
import { createTreeChanges } from "./knowledge/file-records/tree-changes.ts";
import { createVaultLocks } from "./knowledge/file-records/vault-locks.ts";
import { createWriteBatcher } from "./knowledge/file-records/write-batcher.ts";
import { createVaultService } from "./knowledge/file-system/vault.service.ts";
import { createLinkUpdateService } from "./knowledge/link-updates/link-update.service.ts";
import { createMirrorWriter } from "./knowledge/mirror/mirror-writer.ts";
import { createVaultIdentity } from "./knowledge/mirror/vault-identity.ts";
import { createVaultMirror } from "./knowledge/mirror/vault-mirror.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "./knowledge/vault/file-system-calls.ts";
import { openVault, type VaultStore } from "./knowledge/vault/open-vault.ts";
import { createServiceFolder } from "./knowledge/vault/service-folder.ts";
import type { Deps } from "./platform/deps.ts";
import type { LargeReads } from "./platform/large-reads.ts";
import type { ProcessRegistry } from "./platform/process-registry.ts";

export interface DocumentServicesDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly processes: ProcessRegistry;
  /** The vault's folder. */
  readonly vaultRoot: string;
  /** How the store of the vault is reached; null if it is a folder. */
  readonly vaultStore?: VaultStore | null;
  /** Where this process kept trash and versions before they were moved into the vault. */
  readonly dataDir: string;
  /** The size limit for file content that is returned as a whole. */
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
  /** Called after texts of documents are stored, which is shortly after the documents. */
  readonly onTextsStored?: () => void;
  /** Finds documents by words that are spelt like those of a query. */
  readonly findSimilar?: FindSimilar;
  /** The real file system by default; tests can make it fail. */
  readonly fileSystem?: FileSystemCalls;
}

/** The services that work with the vault. */
export type DocumentServices = ReturnType<typeof createDocumentServices>;

/** Builds them from the file layer at the bottom to the services at the top. */
export function createDocumentServices(deps: DocumentServicesDeps) {
  const { db, logger, processes } = deps;
  const calls = deps.fileSystem ?? nodeFileSystemCalls;
  const { files, anyRoot, folder, trash, versions, migrateLegacyData } = openVault({
    ...deps,
    calls,
    writerId: processes.writerId,
  });
  const locks = createVaultLocks(db);
  const indexer = createTextIndexer({ db, files, logger, ...(deps.onTextsStored && { onStored: deps.onTextsStored }) });

  const shared = { ...deps, files, folder, trash, versions, locks, indexer };
  const writeFile = createFileWriter({ files, batcher: createWriteBatcher(shared) });
  const tree = createTreeChanges(shared);
  const linkUpdates = createLinkUpdateService({ ...shared, tree, writeFile });
  const recordFile = createFileRecorder({ ...shared, onLinkUpdate: linkUpdates.finishSoon });
  const reader = createDocumentReader({ ...shared, recordFile });
  const writer = createMirrorWriter({ ...shared, linkUpdates });
  const documentVersions = createDocumentVersionService({ ...shared, writeFile });
  const housekeep = createHousekeeping({ ...shared, documentVersions });
  const vault = createVaultService({ ...shared, tree, linkUpdates, writeFile });
  const identity = createVaultIdentity({ ...deps, anyRoot, folder: createServiceFolder({ files: anyRoot }) });
  return {
    vault,
    vaultMirror: createVaultMirror({
      ...shared,
      anyRoot,
      identity,
      migrateLegacyData,
      writer,
      linkUpdates,
      housekeep,
    }),
    linkUpdates,
    documents: createDocumentService({ ...shared, reader, tree, writeFile }),
    documentGraph: createDocumentGraphService(deps),
    documentMentions: createDocumentMentionService({ ...shared, reader, writeFile }),
    documentSearch: createDocumentSearchService(shared),
    documentSharing: createDocumentSharingService({ ...shared, reader, vault }),
    documentVersions,
    oldTrash: createOldTrash(shared),
    textIndexer: indexer,
  };
}
