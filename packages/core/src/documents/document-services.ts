import type { Db } from "@workspace/db";
import { createMirrorWriter } from "../mirror/mirror-writer.ts";
import { createVaultIdentity } from "../mirror/vault-identity.ts";
import { createVaultMirror, type VaultMirror } from "../mirror/vault-mirror.ts";
import type { Clock } from "../platform/clock.ts";
import type { EventBus } from "../platform/events.ts";
import type { IdGenerator } from "../platform/ids.ts";
import type { LargeReads } from "../platform/large-reads.ts";
import type { Logger } from "../platform/logger.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import { nodeFileSystemCalls, type FileSystemCalls } from "../vault/file-system-calls.ts";
import { moveIntoVault } from "../vault/former-data.ts";
import { createServiceFolder } from "../vault/service-folder.ts";
import { createTrash } from "../vault/trash.ts";
import { createVaultFiles } from "../vault/vault-files.ts";
import { createVaultService, type VaultService } from "../vault/vault.service.ts";
import { createVersionStore } from "../vault/version-store.ts";
import { createDocumentReader } from "./document-reader.ts";
import { createDocumentSearchService, type DocumentSearchService } from "./document-search.service.ts";
import { createDocumentSharingService, type DocumentSharingService } from "./document-sharing.service.ts";
import { createDocumentService, type DocumentService } from "./document.service.ts";
import { createDocumentVersionService, type DocumentVersionService } from "./document-version.service.ts";
import { createFileRecorder } from "./file-recorder.ts";
import { createFileWriter } from "./file-writer.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { createTextIndexer } from "./text-indexer.ts";
import { createTreeChanges } from "./tree-changes.ts";
import { createVaultLocks } from "./vault-locks.ts";
import { createWriteBatcher } from "./write-batcher.ts";

export interface DocumentServicesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly processes: ProcessRegistry;
  /** The vault's folder. */
  readonly vaultRoot: string;
  /** Where this process kept trash and versions before they belonged to the vault. */
  readonly dataDir: string;
  /** How long the text of one file may be where it is answered as a whole. */
  readonly maxContentBytes: number;
  /** What reads such texts in turn. */
  readonly largeReads: LargeReads;
  /** The real file system, unless a test makes it fail. */
  readonly fileSystem?: FileSystemCalls;
}

export interface DocumentServices {
  readonly vault: VaultService;
  readonly vaultMirror: VaultMirror;
  readonly documents: DocumentService;
  readonly documentSearch: DocumentSearchService;
  readonly documentSharing: DocumentSharingService;
  readonly documentVersions: DocumentVersionService;
}

/** Builds what works on the vault, the file layer at the bottom and the services on top. */
export function createDocumentServices(deps: DocumentServicesDeps): DocumentServices {
  const { db, logger, vaultRoot, dataDir } = deps;
  const calls = deps.fileSystem ?? nodeFileSystemCalls;
  const { writerId } = deps.processes;
  const files = createVaultFiles({ rootPath: vaultRoot, calls, writerId });
  const anyRoot = createVaultFiles({ rootPath: vaultRoot, calls, writerId });
  const folder = createServiceFolder({ calls, files });
  const trash = createTrash({ calls, files, folder });
  const versions = createVersionStore({ calls, files, folder });
  const locks = createVaultLocks(db);
  const indexer = createTextIndexer({ db, files, logger });

  const shared = { ...deps, files, folder, trash, versions, locks, indexer };
  const writeFile = createFileWriter({ files, batcher: createWriteBatcher(shared) });
  const tree = createTreeChanges(shared);
  const reader = createDocumentReader({ ...shared, recordFile: createFileRecorder(shared) });
  const writer = createMirrorWriter(shared);
  const documentVersions = createDocumentVersionService({ ...shared, writeFile });
  const housekeep = createHousekeeping({ ...shared, documentVersions });
  const vault = createVaultService({ ...shared, tree, writeFile });
  const identity = createVaultIdentity({ ...deps, anyRoot, folder: createServiceFolder({ calls, files: anyRoot }) });
  const adoptFormer = () => moveIntoVault({ calls, files, logger, dataDir });
  return {
    vault,
    vaultMirror: createVaultMirror({ ...shared, anyRoot, identity, adoptFormer, writer, housekeep }),
    documents: createDocumentService({ ...shared, reader, tree, writeFile }),
    documentSearch: createDocumentSearchService(shared),
    documentSharing: createDocumentSharingService({ ...shared, reader, vault }),
    documentVersions,
  };
}
