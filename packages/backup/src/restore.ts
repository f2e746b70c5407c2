import { readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { assertNotMoved, finishReplacement, lockDataDir, makeDirectory, type Log } from "@workspace/db";
import { isInStore, type S3Access } from "@workspace/object-store";
import type { ClientConfig } from "pg";
import { BackupError } from "./backup-error.ts";
import { createContentReader } from "./content-reader.ts";
import { emptyDatabase, holdsData, loadDatabase } from "./database/load-database.ts";
import { countRows, type Disagreement, type Manifest } from "./manifest.ts";
import { namingDamage } from "./naming-damage.ts";
import type { Repository } from "./repository/repository.ts";
import { readRestoreMarker, removeRestoreMarker, writeRestoreMarker, type RestoreMarker } from "./restore-marker.ts";
import { syncFolderIfExists } from "./storage/durable-file.ts";
import { describeLeftOut } from "./vault/left-out.ts";
import { openStoredVault, type StoredVault } from "./vault/stored-vault.ts";
import { insideOf, writeBackedUpFile, writeVault } from "./vault/write-vault.ts";
import { adoptWorkspaceId } from "./workspace-id.ts";

const DATABASE_FOLDER = "postgres";

/** A database that a restore fills. */
export interface TargetDatabase {
  readonly config: ClientConfig;
  close(): Promise<void>;
}

export interface RestoreOptions {
  readonly repository: Repository;
  readonly backupId: string;
  readonly dataDir: string;
  /** A folder, or `s3://bucket/path`. */
  readonly vaultRoot: string;
  /** How the store of the vault is reached; not needed for a folder. */
  readonly vaultS3?: S3Access | null;
  /** The external database, without its password for messages; null for the embedded one. */
  readonly databaseUrl: string | null;
  /** Opens the database, which for the embedded one creates it and locks the data folder. */
  readonly openDatabase: () => Promise<TargetDatabase>;
  readonly migrationsDir: string;
  /** The names of the files that hold keys. */
  readonly keyFiles: readonly string[];
  readonly log: Log;
  /** Whether to move away what is there. */
  readonly replaces: boolean;
  /** Whether to restore everything else if files of the vault are damaged or missing in the backup; by default not. */
  readonly withoutDamaged?: boolean;
  /** Those of the command line with which it is repeated, besides its place, for messages. */
  readonly repeatOptions?: string;
  /** Changes the rows once they are loaded, before anyone can use them; may be called again if the restore is repeated. */
  readonly adjust?: (config: ClientConfig) => Promise<void>;
  readonly now: Date;
}

export interface RestoreResult {
  readonly backupId: string;
  readonly createdAt: string;
  readonly rows: number;
  readonly files: number;
  /** The paths of files that are damaged or missing in the backup, and so in what was restored. */
  readonly leftOut: readonly string[];
  /** Where to find what was there before. */
  readonly movedTo: readonly string[];
  readonly hasKeys: boolean;
  readonly disagreements: readonly Disagreement[];
}

/**
 * Restores a whole backup into an empty place. Throws {@link BackupError}, with nothing changed, if the place holds data, unless
 * that is to be moved away. Throws it too for a backup that is damaged, apart from files of the vault that may be left out. A
 * restore that fails or is interrupted leaves a mark, with which the service does not start, and the same
 * restore begins again.
 */
export function restore(options: RestoreOptions): Promise<RestoreResult> {
  return namingDamage(`The backup ${options.backupId}`, () => restoreEverything(options));
}

async function restoreEverything(options: RestoreOptions): Promise<RestoreResult> {
  const { repository, backupId, dataDir, vaultRoot } = options;
  const manifest = await repository.readManifest(backupId);
  const read = createContentReader(repository.chunks);
  const movedTo = await preparePlace(options);
  const stored = storedVaultOf(options);
  const leftOut = await (stored === null
    ? writeVault(vaultRoot, manifest.vault, read)
    : stored.write(manifest.vault, read));
  if (leftOut.length > 0 && options.withoutDamaged !== true) throw describeLeftOut(backupId, leftOut);
  const { links } = manifest.vault;
  if (stored !== null && links.length > 0) options.log.warn({ links: links.length }, "a store has no symbolic links");
  const database = await options.openDatabase();
  try {
    await namingDamage(`The database of the backup ${backupId}`, async () => {
      await loadDatabase({ ...options, config: database.config, database: manifest.database, read });
      await adoptWorkspaceId(database.config, repository);
      await options.adjust?.(database.config);
    });
  } finally {
    await database.close();
  }
  for (const file of manifest.keys) await writeBackedUpFile(insideOf(dataDir, file.path), file, read);
  await removeRestoreMarker(dataDir);
  return describe(manifest, leftOut, movedTo);
}

/** The vault, if it is in a store. */
function storedVaultOf({ vaultRoot, vaultS3 }: RestoreOptions): StoredVault | null {
  return isInStore(vaultRoot) ? openStoredVault(vaultRoot, vaultS3) : null;
}

function describe(manifest: Manifest, leftOut: readonly string[], movedTo: readonly string[]): RestoreResult {
  const { id: backupId, createdAt, keys, disagreements, vault } = manifest;
  const counts = { rows: countRows(manifest), files: vault.fileCount - leftOut.length };
  return { backupId, createdAt, ...counts, leftOut, movedTo, hasKeys: keys.length > 0, disagreements };
}

/** Makes sure that nothing is lost, records the restore, and leaves the place empty. Returns where things were moved. */
async function preparePlace(options: RestoreOptions): Promise<string[]> {
  const { dataDir, vaultRoot, databaseUrl, backupId, replaces, repeatOptions, now } = options;
  await makeDirectory(dataDir, { mode: 0o700 });
  const lock = await lockDataDir(dataDir);
  try {
    // So that a new database which has yet to take its place counts as data that is there.
    await finishReplacement(dataDir, options.log);
    if (databaseUrl === null) await assertNotMoved(dataDir);
    const earlier = await readRestoreMarker(dataDir);
    if (earlier !== null) assertSamePlace(earlier, options);
    else await assertRestorable(options);
    const stamp = earlier?.stamp ?? now.toISOString().slice(0, 19).replaceAll(":", "");
    const marker = { backupId, vaultRoot, databaseUrl, stamp, repeatOptions };
    const moves = movesOf(options, stamp);
    if (earlier?.phase === "writing") await removeWritten(options);
    else if (replaces || earlier?.phase === "moving") {
      await writeRestoreMarker(dataDir, { ...marker, phase: "moving" });
      for (const { from, to } of moves) await moveAway(from, to);
      // Durably: what is there counts as written by the restore from now on, and is removed when it is repeated.
      for (const { from, to } of moves) for (const path of [from, to]) await syncFolderIfExists(dirname(path));
    }
    await writeRestoreMarker(dataDir, { ...marker, phase: "writing" });
    const places = await Promise.all(moves.map(async ({ to }) => ((await exists(to)) ? [to] : [])));
    return places.flat();
  } finally {
    await lock.release();
  }
}

function assertSamePlace(earlier: RestoreMarker, { vaultRoot, databaseUrl, dataDir }: RestoreOptions): void {
  if (earlier.vaultRoot === vaultRoot && earlier.databaseUrl === databaseUrl) return;
  throw new BackupError(
    `A restore into ${dataDir} was interrupted, with the vault ${earlier.vaultRoot} and ` +
      `${earlier.databaseUrl === null ? "the embedded database" : "an external database"}. Repeat it with the same.`,
  );
}

async function assertRestorable(options: RestoreOptions): Promise<void> {
  const { databaseUrl, replaces, openDatabase } = options;
  if (databaseUrl !== null) {
    const { config, close } = await openDatabase();
    try {
      if (await holdsData(config)) {
        throw new BackupError("The database of DATABASE_URL holds a workspace. Restore into an empty database.");
      }
    } finally {
      await close();
    }
  }
  // Nothing is moved away within a store: that would take as long as a copy of everything.
  if ((await storedVaultOf(options)?.isEmpty()) === false) {
    throw new BackupError(`There is data in ${options.vaultRoot}. Restore into another, empty path of the store.`);
  }
  if (replaces) return;
  const present = await Promise.all(placesOf(options).map(async (path) => ((await holdsAnything(path)) ? [path] : [])));
  if (present.flat().length === 0) return;
  throw new BackupError(
    `There is data in ${present.flat().join(", ")}. Restore into another, empty place, or move the data away with --replace.`,
  );
}

function placesOf({ dataDir, vaultRoot, keyFiles, databaseUrl }: RestoreOptions): string[] {
  const database = databaseUrl === null ? [join(dataDir, DATABASE_FOLDER)] : [];
  const vault = isInStore(vaultRoot) ? [] : [vaultRoot];
  return [...database, ...vault, ...keyFiles.map((name) => join(dataDir, name))];
}

function movesOf(options: RestoreOptions, stamp: string): { from: string; to: string }[] {
  const kept = `before-restore-${stamp}`;
  return placesOf(options).map((from) => {
    const route = relative(options.dataDir, from);
    const isInside = route !== ".." && !route.startsWith(`..${sep}`);
    return { from, to: isInside ? join(options.dataDir, kept, route) : `${from}.${kept}` };
  });
}

async function moveAway(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  await makeDirectory(dirname(to), { mode: 0o700 });
  try {
    await rename(from, to);
  } catch (cause) {
    throw new BackupError(`${from} cannot be moved to ${to}; move it away yourself.`, { cause });
  }
}

/** What an interrupted restore has written. */
async function removeWritten(options: RestoreOptions): Promise<void> {
  const { dataDir, vaultRoot, keyFiles, databaseUrl, openDatabase } = options;
  const stored = storedVaultOf(options);
  // The folder itself stays: it may be where a disk is mounted.
  const names = stored === null ? await readdir(vaultRoot).catch(() => []) : [];
  for (const name of names) await rm(join(vaultRoot, name), { recursive: true, force: true });
  await stored?.clear();
  for (const name of keyFiles) await rm(join(dataDir, name), { force: true });
  if (databaseUrl === null) {
    await rm(join(dataDir, DATABASE_FOLDER), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    return;
  }
  const { config, close } = await openDatabase();
  try {
    await emptyDatabase(config);
  } finally {
    await close();
  }
}

async function holdsAnything(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => null);
  return names === null ? exists(path) : names.length > 0;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
