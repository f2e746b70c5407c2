import { rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedPostgresError, makeDirectory, type Log } from "@workspace/db";
import { BackupError } from "./backup-error.ts";
import { countRowBytes, countRows, type Manifest } from "./manifest.ts";
import type { Repository } from "./repository/repository.ts";
import { restore, type TargetDatabase } from "./restore.ts";
import { describeSetAside, verifyBackup } from "./verify.ts";

/** Rows in a database take more space than their text: they have headers and indexes. */
const SPACE_OF_ROWS = 3;
/** What an empty cluster takes, and some room for others. */
const RESERVED_BYTES = 500_000_000;

export interface DrillOptions {
  readonly repository: Repository;
  readonly backupId: string;
  /** Where to restore for a while; whatever is there is removed. */
  readonly folder: string;
  /** Opens a new embedded database in a folder. */
  readonly openDatabase: (dataDir: string) => Promise<TargetDatabase>;
  readonly migrationsDir: string;
  readonly keyFiles: readonly string[];
  readonly log: Log;
  readonly now: Date;
}

export interface DrillResult {
  readonly backupId: string;
  readonly rows: number;
  readonly files: number;
  readonly vaultBytes: number;
  /** Null if everything was restored; otherwise why it was only read back and compared. */
  readonly notRestoredBecause: string | null;
}

/**
 * Tries out a backup: reads all of it back and compares it, then restores it whole into a database and a vault of its own, which
 * are removed afterwards. Throws {@link BackupError} if anything is damaged or cannot be restored.
 */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const { repository, backupId, folder } = options;
  await rm(folder, { recursive: true, force: true });
  const { problems, problemCount, setAsideChunks } = await verifyBackup(repository, backupId);
  if (problemCount > 0) {
    const found = `The backup ${backupId} is damaged (${problemCount} problems), for example: ${problems[0]}`;
    throw new BackupError([found, ...describeSetAside(setAsideChunks)].join(" "));
  }
  const manifest = await repository.readManifest(backupId);
  try {
    await makeDirectory(folder, { mode: 0o700 });
    const notRestoredBecause = (await findLackOfSpace(folder, manifest)) ?? (await tryRestore(options));
    const { vault } = manifest;
    return {
      backupId,
      rows: countRows(manifest),
      files: vault.fileCount,
      vaultBytes: vault.totalBytes,
      notRestoredBecause,
    };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function findLackOfSpace(folder: string, manifest: Manifest): Promise<string | null> {
  const needed = manifest.vault.totalBytes + SPACE_OF_ROWS * countRowBytes(manifest) + RESERVED_BYTES;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed) return null;
  return `The disk of the data folder has too little space for a copy of everything: ${Math.ceil(needed / 1e9)} GB are needed.`;
}

async function tryRestore({ folder, openDatabase, ...options }: DrillOptions): Promise<string | null> {
  const dataDir = join(folder, "data");
  try {
    await restore({
      ...options,
      dataDir,
      vaultRoot: join(folder, "vault"),
      databaseUrl: null,
      openDatabase: () => openDatabase(dataDir),
      replaces: false,
    });
    return null;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    return `There is no embedded PostgreSQL to restore into: ${error.message}`;
  }
}
