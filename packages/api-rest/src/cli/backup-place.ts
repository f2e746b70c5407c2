import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import {
  BackupError,
  describeFuture,
  openRepository,
  type Repository,
  type RepositoryOptions,
  sortNewestFirst,
  type StoragePlace,
} from "@workspace/backup";
import { isInStore, parseStoreUrl, StoreError } from "@workspace/object-store";
import type { CommandContext } from "./command.ts";

/** The names of the files in the data folder that hold keys. */
export const KEY_FILES = ["encryption-key", "service-secret"] as const;

export const PASSPHRASE_OPTION = {
  "passphrase-file": {
    value: "FILE",
    description: "a file with the passphrase of encrypted backups; default: BACKUP_PASSPHRASE",
  },
} as const;

/** Where backups are, and their passphrase. */
export interface BackupPlace extends StoragePlace {
  readonly passphrase: string | null;
}

/** Backups inside the vault would become documents, and be backed up themselves. */
export function assertOutsideOfVault(dir: string, vaultPath: string): void {
  if (isInStore(dir) !== isInStore(vaultPath)) return;
  if (isWithin(vaultPath, dir)) throw new BackupError(`${dir} is inside the vault. Use another folder for backups.`);
  if (isWithin(dir, vaultPath)) throw new BackupError(`${dir} contains the vault. Use another folder for backups.`);
}

/** What a person should know of backups that are inside the data folder, as sentences; nothing of others. */
export function warnOfSharedLoss(dir: string, dataDir: string): string[] {
  if (isInStore(dir) || !isWithin(dataDir, dir)) return [];
  return [`The backups in ${dir} are inside the data folder, and lost together with it. Keep them on another disk.`];
}

function isWithin(folder: string, path: string): boolean {
  if (isInStore(folder)) return keysOf(path).startsWith(keysOf(folder));
  const route = relative(withoutLinks(folder), withoutLinks(path));
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}

/** Where a path leads, as far as it exists. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(withoutLinks(parent), basename(path));
  }
}

function keysOf(url: string): string {
  try {
    const { bucket, prefix } = parseStoreUrl(url);
    return `${bucket}/${prefix}`;
  } catch (error) {
    throw error instanceof StoreError ? new BackupError(error.message, { cause: error }) : error;
  }
}

/** Runs `use` with the backups of a place. */
export async function withBackups<T>(
  place: BackupPlace,
  access: RepositoryOptions["access"],
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository({ ...place, access });
  try {
    return await use(repository);
  } finally {
    await repository.close();
  }
}

/** The last backup of a day, `YYYY-MM-DD`, in a time zone; the system's if that is undefined. */
export async function chooseBackupOfDay(
  repository: Repository,
  day: string,
  timeZone: string | undefined,
): Promise<string> {
  // A format of this locale is that of ISO 8601.
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" });
  for (const id of (await repository.listBackups()).toReversed()) {
    const { createdAt } = await repository.readManifest(id);
    if (format.format(new Date(createdAt)) === day) return id;
  }
  throw new BackupError(`There is no backup of ${day} in ${repository.dir}.`);
}

/** The newest backup, or the one that was named, in full or by its beginning. One of the future is taken if there is no other. */
export async function chooseBackup(
  repository: Repository,
  given: string | undefined,
  { tell }: Pick<CommandContext, "tell">,
): Promise<string> {
  const ids = await repository.listBackups();
  if (given === undefined) return chooseNewest(repository, ids, tell);
  const matches = ids.filter((id) => id.startsWith(given));
  const [id] = matches;
  if (matches.length > 1) throw new BackupError(`Several backups begin with "${given}": ${matches.join(", ")}.`);
  if (id !== undefined) return id;
  throw new BackupError(`There is no backup "${given}" in ${repository.dir}.`);
}

function chooseNewest({ dir }: Repository, ids: readonly string[], tell: CommandContext["tell"]): string {
  const now = new Date();
  const [newest] = sortNewestFirst(ids, now);
  if (newest === undefined) throw new BackupError(`There is no backup yet in ${dir}.`);
  for (const sentence of describeFuture(ids, now)) tell(`${sentence} The newest is taken to be ${newest}.`);
  return newest;
}
