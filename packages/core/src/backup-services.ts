import { createBackupService, type BackupServiceDeps } from "./access/backups/backup.service.ts";
import {
  createBackupSettingsService,
  type BackupSettingsServiceDeps,
} from "./access/backups/backup-settings.service.ts";

export type BackupServicesDeps = BackupSettingsServiceDeps & Omit<BackupServiceDeps, "backupSettings">;

/** Builds what makes backups and what is known about where they go. */
export function createBackupServices(deps: BackupServicesDeps) {
  const backupSettings = createBackupSettingsService(deps);
  return { backupSettings, backups: createBackupService({ ...deps, backupSettings }) };
}
