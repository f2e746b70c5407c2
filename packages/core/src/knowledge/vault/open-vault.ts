import type { Logger } from "../../platform/logger.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { createFolderFiles } from "./folder-files.ts";
import { migrateLegacyData } from "./legacy-data.ts";
import { createServiceFolder, type ServiceFolder } from "./service-folder.ts";
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
  /** The vault's folder. */
  readonly vaultRoot: string;
  /** Where this process kept trash and versions before they were moved into the vault. */
  readonly dataDir: string;
  readonly writerId: string;
  readonly logger: Logger;
}

/** Opens a vault without accessing it. */
export function openVault({ calls, vaultRoot: rootPath, dataDir, writerId, logger }: VaultOptions): Vault {
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
