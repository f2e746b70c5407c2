export { BackupError, IncompleteError } from "./backup-error.ts";
export { findDamagedBackups } from "./damaged-backups.ts";
export { backUp, type BackUpOptions, type BackUpResult } from "./back-up.ts";
export { drill, type DrillOptions, type DrillResult } from "./drill.ts";
export { listBackups, type ListedBackup } from "./list-backups.ts";
export { prune, removeBackups, type PruneResult } from "./prune.ts";
export { describeSetAside, verifyBackup, type VerifyResult } from "./verify.ts";
export { ensureRepository, openRepository, type Repository, type RepositoryOptions } from "./repository/repository.ts";
export { assertNotLost, findLoss } from "./known-place.ts";
export { describeShrinkage } from "./shrinkage.ts";
export type { StoragePlace } from "./storage/backup-storage.ts";
export { describeFuture, hourOf, isOfFuture, sortNewestFirst, type Retention } from "./retention.ts";
export { assertNotLeft } from "./database/moved-mark.ts";
export { holdsData } from "./database/load-database.ts";
export { countRows, type Disagreement, type Manifest } from "./manifest.ts";
export { restore, type RestoreOptions, type RestoreResult, type TargetDatabase } from "./restore.ts";
export { assertNoRestore, describeRepeat, quoted, readRestoreMarker } from "./restore-marker.ts";
export { restoreNote, type RestoredNote } from "./restore-note.ts";
export { restoreTask, type RestoredTask } from "./restore-task.ts";
export {
  moveToEmbedded,
  moveToExternal,
  upgradeDatabase,
  type MoveResult,
  type UpgradeOptions,
  type UpgradeResult,
} from "./upgrade-database.ts";
export { forgetBackups, identifyWorkspace } from "./workspace-id.ts";
