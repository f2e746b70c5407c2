import { join } from "node:path";
import { createS3Client, isInStore, parseStoreUrl, StoreError, type S3Access } from "@workspace/object-store";
import type { Clock } from "../../platform/clock.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import type { Logger } from "../../platform/logger.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { createFolderFiles } from "./folder-files.ts";
import { migrateLegacyData } from "./legacy-data.ts";
import { createServiceFolder, type ServiceFolder } from "./service-folder.ts";
import { findStoreProblem } from "./store-access.ts";
import { createStoreFiles, type StoreFiles } from "./store-files.ts";
import { createStoreVersions } from "./store-versions.ts";
import { createTrash, type Trash } from "./trash.ts";
import type { VaultFiles } from "./vault-files.ts";
import { createVersionStore, type VersionStore } from "./version-store.ts";

/** A vault with everything that the service keeps in it. */
export interface Vault {
  readonly files: VaultFiles;
  /** The same vault, but with any directory accepted as its root. */
  readonly anyRoot: VaultFiles;
  readonly folder: ServiceFolder;
  readonly trash: Trash;
  readonly versions: VersionStore;
  /** Moves the data that earlier releases kept elsewhere into the vault. Idempotent. */
  readonly migrateLegacyData: () => Promise<void>;
}

export interface VaultOptions {
  readonly calls: FileSystemCalls;
  /** The vault's folder, or `s3://bucket/path`. */
  readonly vaultRoot: string;
  /** How the store of the vault is reached, if it is in one. */
  readonly vaultStore?: VaultStore | null;
  /** Where this process kept trash and versions before they were moved into the vault. */
  readonly dataDir: string;
  readonly writerId: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

export interface VaultStore {
  readonly access: S3Access;
  /** How often it is listed, to notice what other programs have changed. */
  readonly scanEveryMs: number;
}

/** The vault may be waited for by a request, so it is not tried for long. */
const STORE_CLIENT = { attempts: 3, deadlineMs: 15_000 };

/** Opens a vault without accessing it. Throws StoreError for a place that cannot be one. */
export function openVault(options: VaultOptions): Vault {
  return isInStore(options.vaultRoot) ? openStore(options) : openFolder(options);
}

function openFolder({ calls, vaultRoot: rootPath, dataDir, writerId, logger }: VaultOptions): Vault {
  const files = createFolderFiles({ rootPath, calls, writerId });
  const folder = createServiceFolder({ files });
  return {
    files,
    anyRoot: createFolderFiles({ rootPath, calls, writerId }),
    folder,
    trash: createTrash({ files, folder }),
    versions: createVersionStore({ calls, files, folder }),
    migrateLegacyData: () => migrateLegacyData({ calls, files, logger, dataDir }),
  };
}

function openStore({ vaultRoot, vaultStore, dataDir, writerId, clock, ids }: VaultOptions): Vault {
  if (vaultStore === undefined || vaultStore === null)
    throw new StoreError(`For ${vaultRoot}, the URL and the keys of the store are needed.`);
  const { access, scanEveryMs } = vaultStore;
  const place = parseStoreUrl(vaultRoot);
  const client = createS3Client(access, place.bucket, STORE_CLIENT);
  const staging = { folder: join(dataDir, "uploads"), now: () => clock.now() };
  const create = (): StoreFiles => createStoreFiles({ client, place, writerId, ids, scanEveryMs, ...staging });
  const files = create();
  const folder = createServiceFolder({ files });
  return {
    files,
    anyRoot: create(),
    folder,
    trash: createTrash({ files, folder }),
    versions: createStoreVersions({ client, files, folder }),
    // They never kept anything for a vault in a store.
    migrateLegacyData: () => Promise.resolve(),
  };
}

/**
 * Why a vault in a store cannot be used, as a sentence for the operator; null if it can. Tries it by writing an object of the
 * service's own.
 */
export async function findVaultStoreProblem(vaultRoot: string, vaultStore: VaultStore | null): Promise<string | null> {
  if (vaultStore === null) return "The URL and the keys of the store are missing.";
  try {
    const { bucket, prefix } = parseStoreUrl(vaultRoot);
    const client = createS3Client(vaultStore.access, bucket, STORE_CLIENT);
    return await findStoreProblem(client, prefix);
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
