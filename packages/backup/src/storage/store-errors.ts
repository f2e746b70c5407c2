import { StoreError } from "@workspace/object-store";
import { BackupError } from "../backup-error.ts";

/** Runs work with a store, whose errors become those of backups. */
export async function withBackupErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toBackupError(error);
  }
}

/** An error of a store as {@link BackupError}, any other as it is. */
export function toBackupError(error: unknown): unknown {
  return error instanceof StoreError ? new BackupError(error.message, { cause: error }) : error;
}
