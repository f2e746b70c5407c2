import { createOldTrash } from "./knowledge/documents/old-trash.ts";
import { createVaultLocks } from "./knowledge/file-records/vault-locks.ts";
import { nodeFileSystemCalls } from "./knowledge/vault/file-system-calls.ts";
import { openVault, type VaultStore } from "./knowledge/vault/open-vault.ts";
import { acceptClock, findClockJump, type ClockJump } from "./models/retention/clock-guard.ts";
import { createPruning, type Pruning } from "./models/retention/pruning.ts";
import type { EnvironmentRetention } from "./models/retention/retention-kinds.ts";
import { createRetentionSettingsService } from "./models/retention/retention-settings.service.ts";
import type { Deps } from "./platform/deps.ts";

export interface RetentionOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly vaultRoot: string;
  /** How the store of the vault is reached; null if it is a folder. */
  readonly vaultStore?: VaultStore | null;
  readonly dataDir: string;
  readonly environmentRetention: EnvironmentRetention;
}

/** What removes old data, for a command, beside or without the service. */
export interface Retention extends Pruning {
  /** The jump of the clock for which nothing is to be removed; null if there is none. */
  findClockJump(): Promise<ClockJump | null>;
  /** Believes the clock, because a person says that it is right. */
  acceptClock(): Promise<void>;
}

export function createRetention(options: RetentionOptions): Retention {
  const { db, ids, logger } = options;
  const { trash } = openVault({ ...options, calls: nodeFileSystemCalls, writerId: ids() });
  const oldTrash = createOldTrash({ trash, locks: createVaultLocks(db), logger });
  return {
    ...createPruning({ ...options, oldTrash, retentionDays: createRetentionSettingsService(options).days }),
    findClockJump: () => findClockJump(options),
    acceptClock: () => acceptClock(options),
  };
}
