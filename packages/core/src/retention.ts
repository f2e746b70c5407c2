import { createOldTrash } from "./knowledge/documents/old-trash.ts";
import { createVaultLocks } from "./knowledge/file-records/vault-locks.ts";
import { nodeFileSystemCalls } from "./knowledge/vault/file-system-calls.ts";
import { createServiceFolder } from "./knowledge/vault/service-folder.ts";
import { createTrash } from "./knowledge/vault/trash.ts";
import { createVaultFiles } from "./knowledge/vault/vault-files.ts";
import { createPruning, type Pruning } from "./models/retention/pruning.ts";
import type { EnvironmentRetention } from "./models/retention/retention-kinds.ts";
import { createRetentionSettingsService } from "./models/retention/retention-settings.service.ts";
import type { Deps } from "./platform/deps.ts";

export interface RetentionOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly vaultRoot: string;
  readonly environmentRetention: EnvironmentRetention;
}

/** What removes old data, for a command, beside or without the service. */
export type Retention = Pruning;

export function createRetention(options: RetentionOptions): Retention {
  const { db, vaultRoot, ids, logger } = options;
  const calls = nodeFileSystemCalls;
  const files = createVaultFiles({ rootPath: vaultRoot, calls, writerId: ids() });
  const trash = createTrash({ calls, files, folder: createServiceFolder({ calls, files }) });
  const oldTrash = createOldTrash({ trash, locks: createVaultLocks(db), logger });
  return createPruning({ ...options, oldTrash, retentionDays: createRetentionSettingsService(options).days });
}
