import { isInStore } from "@workspace/object-store";
import { BackupError } from "../backup-error.ts";
import type { BackupStorage, StoragePlace } from "./backup-storage.ts";
import { createFolderStorage } from "./folder-storage.ts";
import { createS3Storage } from "./s3-storage.ts";

/** Opens the storage at a place. Throws {@link BackupError} if it cannot be reached as it is described. */
export function openStorage({ dir, s3 }: StoragePlace): BackupStorage {
  if (!isInStore(dir)) return createFolderStorage(dir);
  if (s3 === undefined || s3 === null)
    throw new BackupError(`For ${dir}, the URL and the keys of the store are needed.`);
  return createS3Storage(dir, s3);
}
