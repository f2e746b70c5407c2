import type { BackupPlace, BackupRetention } from "@workspace/core";
import type { PoolConfig } from "@workspace/db";
import type { S3Access } from "@workspace/object-store";

/** What the process for backups is to do; plain data, sent to it once. */
export interface BackupOrders {
  readonly place: BackupPlace;
  readonly work:
    | { readonly kind: "check" }
    | { readonly kind: "list" }
    | { readonly kind: "backUp"; readonly retention: BackupRetention }
    | { readonly kind: "verify"; readonly backupId: string }
    | { readonly kind: "drill" };
  readonly workspace: BackedUpWorkspace;
}

/** Everything that is backed up, and where to find it. */
export interface BackedUpWorkspace {
  readonly database: PoolConfig;
  readonly dataDir: string;
  readonly vaultPath: string;
  /** How the store of the vault is reached; null for a folder. */
  readonly vaultS3: S3Access | null;
  readonly migrationsDir: string;
  readonly version: string;
}

/** What it responds with, once. A failure has a message for people, unless it is unexpected. */
export type BackupReport =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly message: string; readonly isUnexpected: boolean };
