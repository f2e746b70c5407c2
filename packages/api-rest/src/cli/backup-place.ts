import { readFile } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { BackupError, openRepository, type Repository, type RepositoryOptions } from "@workspace/backup";
import { type CommandContext, type GivenOptions, textOption, UsageError } from "./command.ts";

/** The names of the files in the data folder that hold keys. */
export const KEY_FILES = ["encryption-key", "service-secret"] as const;

export const PASSPHRASE_OPTION = {
  "passphrase-file": {
    value: "FILE",
    description: "a file with the passphrase of encrypted backups; default: BACKUP_PASSPHRASE",
  },
} as const;

/** Where backups are, and their passphrase. */
export interface BackupPlace {
  readonly dir: string;
  readonly passphrase: string | null;
}

/** Reads from options and configuration where the backups are. Throws {@link UsageError} if they do not say. */
export async function backupPlace(
  { config }: Pick<CommandContext, "config">,
  options: GivenOptions,
  folderOption: "from" | "to",
): Promise<BackupPlace> {
  const given = textOption(options, folderOption);
  const dir = given === null ? config.backup.dir : resolve(given);
  if (dir === null) throw new UsageError(`Say where the backups are: --${folderOption} FOLDER, or set BACKUP_DIR.`);
  assertOutsideOfVault(dir, config.vaultPath);
  const file = textOption(options, "passphrase-file");
  if (file === null) return { dir, passphrase: config.backup.passphrase };
  const passphrase = (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  if (passphrase.length < 8) throw new UsageError(`The passphrase in ${file} must have at least 8 characters.`);
  return { dir, passphrase };
}

/** Backups inside the vault would become documents, and be backed up themselves. */
export function assertOutsideOfVault(dir: string, vaultPath: string): void {
  if (isWithin(vaultPath, dir)) throw new BackupError(`${dir} is inside the vault. Use another folder for backups.`);
  if (isWithin(dir, vaultPath)) throw new BackupError(`${dir} contains the vault. Use another folder for backups.`);
}

function isWithin(folder: string, path: string): boolean {
  const route = relative(folder, path);
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}

/** Runs `use` with the backups of a place. */
export async function withBackups<T>(
  { dir, passphrase }: BackupPlace,
  access: RepositoryOptions["access"],
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository({ dir, passphrase, access });
  try {
    return await use(repository);
  } finally {
    await repository.close();
  }
}

/** The newest backup, or the one that was named, in full or by its beginning. */
export async function chooseBackup(repository: Repository, given: string | undefined): Promise<string> {
  const ids = await repository.listBackups();
  const matches = given === undefined ? ids.slice(-1) : ids.filter((id) => id.startsWith(given));
  const [id] = matches;
  if (matches.length > 1) throw new BackupError(`Several backups begin with "${given}": ${matches.join(", ")}.`);
  if (id !== undefined) return id;
  const which = given === undefined ? "no backup yet" : `no backup "${given}"`;
  throw new BackupError(`There is ${which} in ${repository.dir}.`);
}
