import type { Deps } from "../../platform/deps.ts";
import { toBackupStatus } from "./backup-due.ts";
import { readBackupSettings } from "./backup-settings.service.ts";
import { selectLatestBackupRuns } from "./backup.queries.ts";
import type { BackupStatus } from "./backup.schema.ts";

/** What the service knows of its backups, for a command. */
export interface KnownBackups extends BackupStatus {
  /** Where the settings say that backups go; null if that is left to the environment. */
  readonly chosenPlace: string | null;
  readonly isScheduled: boolean;
}

/** The judgement of the service on its backups. */
export async function readBackupStatus({
  db,
  clock,
  timeZone,
}: Deps<"db" | "clock"> & { readonly timeZone: string }): Promise<KnownBackups> {
  const now = clock.now();
  const [settings, runs] = await Promise.all([readBackupSettings(db), selectLatestBackupRuns(db.pool, now)]);
  const { place, isScheduled } = settings.value;
  return { ...toBackupStatus({ settings, runs, timeZone, now }), chosenPlace: place, isScheduled };
}
