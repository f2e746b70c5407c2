import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import {
  assertNotMoved,
  type ClusterVersions,
  type EmbeddedPostgres,
  lockDataDir,
  readClusterVersions,
  readMovedTo,
  replaceCluster,
  replacementDir,
  setAsideMovedCluster,
  startEmbeddedPostgres,
  type Log,
} from "@workspace/db";
import type { ClientConfig } from "pg";
import { BackupError } from "./backup-error.ts";
import { holdsData } from "./database/load-database.ts";
import { assertNotLeft, markAsLeft, nameDatabase } from "./database/moved-mark.ts";
import { transferDatabase, type TransferOptions, type TransferResult } from "./database/transfer-database.ts";
import { assertNoRestore } from "./restore-marker.ts";
import { isMissing } from "./vault/list-folder.ts";

export interface UpgradeOptions {
  readonly dataDir: string;
  readonly migrationsDir: string;
  readonly log: Log;
  /** Called with a sentence at each step. */
  readonly tell: (sentence: string) => void;
  /** The free bytes of the disk; set by tests. */
  readonly freeBytes?: (dir: string) => Promise<number>;
}

export interface UpgradeResult extends TransferResult {
  /** The major versions of PostgreSQL. */
  readonly from: string;
  readonly to: string;
  /** The folder of the former cluster, which nothing uses any more. */
  readonly keptIn: string | null;
}

/**
 * Brings the embedded database of a data folder to the major version of PostgreSQL that this service includes. All rows are copied
 * to a new cluster and compared there before it takes the place of the former one, which is kept. Killed at any moment, it leaves
 * the one or the other in place. Returns null if there is nothing to do.
 *
 * Throws {@link BackupError} if the disk has not enough space or the copy differs, `DataDirInUseError` if the service runs, and
 * `EmbeddedPostgresError` if the database was moved to another server.
 */
export async function upgradeDatabase(options: UpgradeOptions): Promise<UpgradeResult | null> {
  const { dataDir, log, tell } = options;
  const lock = await lockDataDir(dataDir);
  try {
    await assertNoRestore(dataDir);
    const versions = await readClusterVersions(dataDir, log);
    await assertNotMoved(dataDir);
    const { cluster: from, service: to } = versions;
    if (from === undefined || !isOlder(versions)) return null;
    if (versions.readable !== from) throw new BackupError(explainUnreadable(from, versions));
    await assertSpace(options, await sizeOf(join(dataDir, "postgres")));
    tell(`Bringing the database from PostgreSQL ${from} to ${to} …`);
    const former = await startEmbeddedPostgres({ dataDir, log, lock, programs: "previous" });
    const result = await thenClose(former, fillReplacement(options, former.poolConfig));
    const keptIn = await replaceCluster(dataDir, log);
    tell(`The database is now one of PostgreSQL ${to}. The former one is kept in ${keptIn}; remove it when you like.`);
    return { ...result, from, to, keptIn };
  } finally {
    await lock.release();
  }
}

export interface MoveResult extends TransferResult {
  /** What to do next, as a sentence. */
  readonly next: string;
}

/**
 * Copies the embedded database of a data folder to an external one without rows, and compares them. The embedded one is kept under
 * another name, and the folder says where the database is. The service must be stopped. Throws {@link BackupError}.
 */
export async function moveToExternal(
  options: UpgradeOptions & { readonly external: ClientConfig },
): Promise<MoveResult> {
  const { dataDir, log, external } = options;
  const lock = await lockDataDir(dataDir);
  try {
    await assertNoRestore(dataDir);
    const { cluster } = await readClusterVersions(dataDir, log);
    await assertNotMoved(dataDir);
    if (cluster === undefined) throw new BackupError(`There is no embedded database in ${dataDir}.`);
    if (await holdsData(external)) {
      throw new BackupError("The external database holds a workspace already. Move into an empty one.");
    }
    const embedded = await startEmbeddedPostgres({ dataDir, log, lock });
    const result = await thenClose(embedded, transfer(options, embedded.poolConfig, external));
    const keptIn = await setAsideMovedCluster(dataDir, nameDatabase(external));
    const next = `Set DATABASE_URL to that database, for all commands too. The embedded one is kept in ${keptIn}; remove it when you like.`;
    return { ...result, next };
  } finally {
    await lock.release();
  }
}

/**
 * Copies an external database to an embedded one in a data folder that has none yet, and compares them. The external one is marked,
 * so that no service uses it any more. All processes of the service must be stopped. Throws {@link BackupError}.
 */
export async function moveToEmbedded(
  options: UpgradeOptions & { readonly external: ClientConfig },
): Promise<MoveResult> {
  const { dataDir, log, tell, external } = options;
  const lock = await lockDataDir(dataDir);
  try {
    await assertNoRestore(dataDir);
    await assertNotLeft(external);
    const { cluster } = await readClusterVersions(dataDir, log);
    const movedTo = await readMovedTo(dataDir);
    await assertIsWorkspace(external, { dataDir, movedTo });
    // Otherwise a move to an external database was interrupted after it was decided.
    if (cluster !== undefined && movedTo !== null) await setAsideMovedCluster(dataDir, movedTo);
    else if (cluster !== undefined) {
      throw new BackupError(
        `There is an embedded database in ${dataDir} already. Move its folder postgres away first.`,
      );
    }
    const result = await fillReplacement(options, external);
    await replaceCluster(dataDir, log);
    // Not before: until the new cluster is in place, this is the workspace's database.
    await markAsLeft(external, dataDir).catch((error: unknown) =>
      tell(`The external database could not be marked; make sure that no service uses it any more. ${String(error)}`),
    );
    return {
      ...result,
      next: "Remove DATABASE_URL. The external database keeps its rows, and a mark by which no service uses it.",
    };
  } finally {
    await lock.release();
  }
}

/** Throws {@link BackupError} if a database is empty, or not the one that a data folder's was moved to. */
async function assertIsWorkspace(
  external: ClientConfig,
  { dataDir, movedTo }: { readonly dataDir: string; readonly movedTo: string | null },
): Promise<void> {
  const name = nameDatabase(external);
  if (!(await holdsData(external))) {
    throw new BackupError(`The database ${name} of DATABASE_URL holds no workspace. Correct DATABASE_URL.`);
  }
  if (movedTo === null || movedTo === name) return;
  throw new BackupError(
    `The database of the workspace in ${dataDir} was moved to ${movedTo}, and DATABASE_URL names ${name}. Correct it; if both are the ` +
      "same database, remove the file database-moved.txt there.",
  );
}

function isOlder({ cluster, service }: ClusterVersions): boolean {
  return Number(cluster) < Number(service);
}

function explainUnreadable(from: string, { service, readable }: ClusterVersions): string {
  const problem = `The database is one of PostgreSQL ${from}, and this service includes ${service}`;
  return readable === null
    ? `${problem}. What reads the former is not installed: start from a checkout, or restore a backup.`
    : `${problem} and reads ${readable}. First start a version of the service that includes ${Number(from) + 1}, or restore a backup.`;
}

async function fillReplacement(options: UpgradeOptions, from: ClientConfig): Promise<TransferResult> {
  const replacement = await startEmbeddedPostgres({ dataDir: replacementDir(options.dataDir), log: options.log });
  return thenClose(replacement, transfer(options, from, replacement.poolConfig));
}

/** Shuts the server down once the work has ended, well or not. */
async function thenClose<T>(server: EmbeddedPostgres, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await server.close();
  }
}

async function transfer(
  { migrationsDir, log, tell }: UpgradeOptions,
  from: ClientConfig,
  to: ClientConfig,
): Promise<TransferResult> {
  const onTable: TransferOptions["onTable"] = (step, name) =>
    log.info({ table: name, step }, "brings the database over");
  const result = await transferDatabase({ from, to, migrationsDir, log, onTable });
  tell(`Copied and compared ${result.rows} rows of ${result.tables} tables.`);
  return result;
}

/** What a cluster without rows takes, its log included. */
const EMPTY_CLUSTER_BYTES = 150_000_000;
/** The most that the log grows to while rows are copied. */
const LOG_BYTES = 512_000_000;

async function assertSpace({ dataDir, freeBytes = freeBytesOf }: UpgradeOptions, size: number): Promise<void> {
  const needed = Math.round(size * 1.1) + EMPTY_CLUSTER_BYTES + Math.min(size, LOG_BYTES);
  const free = await freeBytes(dataDir);
  if (free >= needed) return;
  const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new BackupError(
    `The database must be brought to a newer PostgreSQL, which takes ${inMegabytes(needed)} on the disk of ${dataDir}, ` +
      `but ${inMegabytes(free)} are free. Free some space and start again; nothing has been changed.`,
  );
}

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** The bytes of all files. A server whose service was killed may still be shutting down, and remove some of them meanwhile. */
async function sizeOf(dir: string): Promise<number> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => fileSize(join(file.parentPath, file.name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
