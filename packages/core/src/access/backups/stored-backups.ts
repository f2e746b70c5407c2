import { UnavailableError } from "../../platform/errors.ts";
import { BackupFailure, type BackupEngine, type BackupPlace, type StoredBackup } from "./backup-engine.ts";
import { MAX_LISTED_BACKUPS } from "./backup.schema.ts";

/** Reading the list starts a process, so it is not read for each request. */
const KEPT_MS = 60_000;
const DEADLINE_MS = 120_000;

/** The list of what is at a place, kept for a while. */
export function createStoredBackups(engine: Pick<BackupEngine, "list">) {
  let last: { readonly key: string; readonly at: number; readonly list: Promise<readonly StoredBackup[]> } | undefined;
  return {
    /** The newest first; `revision` is another one when there may be others. Throws {@link UnavailableError}. */
    async read(place: BackupPlace, revision: string): Promise<readonly StoredBackup[]> {
      const key = JSON.stringify([place, revision]);
      if (last?.key !== key || performance.now() - last.at > KEPT_MS) {
        const list = engine.list(place, AbortSignal.timeout(DEADLINE_MS));
        last = { key, at: performance.now(), list };
        list.catch(() => (last = undefined));
      }
      try {
        return (await last.list).slice(0, MAX_LISTED_BACKUPS);
      } catch (error) {
        throw error instanceof BackupFailure ? new UnavailableError(error.message, { cause: error }) : error;
      }
    },
  };
}
