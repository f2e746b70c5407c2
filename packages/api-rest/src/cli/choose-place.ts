import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { BackupError } from "@workspace/backup";
import {
  ConflictError,
  readBackupPlace,
  SecretsLockedError,
  systemClock,
  uuidV7,
  WrongKeyError,
} from "@workspace/core";
import { createDb, hasClusterFolder, type Db } from "@workspace/db";
import { isInStore } from "@workspace/object-store";
import { createEncryptionKeyStore } from "../encryption-key-store.ts";
import type { Config } from "../env.ts";
import { assertOutsideOfVault, type BackupPlace } from "./backup-place.ts";
import { openCommandDatabase } from "./command-database.ts";
import { type CommandContext, type GivenOptions, textOption, UsageError } from "./command.ts";
import { explainFailure } from "./explain-failure.ts";

/** The SQLSTATE for a table that is not there: nobody has started the service with this database yet. */
const NO_TABLE = "42P01";

/** What is thrown if a secret of the settings is gone, or the keys are. */
const UNREADABLE = [ConflictError, SecretsLockedError, WrongKeyError] as const;

/** Where the service stores backups, and their passphrase; without a folder if nobody has chosen. */
export type ServicePlace = Config["backup"];

function noPlace(folderOption: "from" | "to", reason = ""): UsageError {
  return new UsageError(`Say where the backups are: --${folderOption} FOLDER, or set BACKUP_DIR.${reason}`);
}

/**
 * Where the backups are: as an option says, or else where the service stores them, which the settings say before BACKUP_DIR. Throws
 * {@link UsageError} if nothing says it.
 */
export async function backupPlace(
  context: CommandContext,
  options: GivenOptions,
  folderOption: "from" | "to",
  findPlace: FindPlace = findServicePlace,
): Promise<BackupPlace> {
  const { config, tell } = context;
  const given = textOption(options, folderOption);
  const passphrase = await readPassphrase(options);
  const place =
    given === null
      ? await findPlace(context, { passphrase, folderOption })
      : { ...config.backup, dir: isInStore(given) ? given : resolve(given) };
  const { dir, s3 } = place;
  if (dir === null) throw noPlace(folderOption);
  if (isInStore(dir) && s3 === null) {
    const names = "BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY";
    throw new UsageError(`For backups in an S3-compatible store, set ${names}.`);
  }
  assertOutsideOfVault(dir, config.vaultPath);
  if (given === null) tell(`Backups: ${dir}`);
  return { dir, s3, passphrase: passphrase ?? place.passphrase };
}

/** The passphrase in the file of the option; null without it. */
async function readPassphrase(options: GivenOptions): Promise<string | null> {
  const file = textOption(options, "passphrase-file");
  if (file === null) return null;
  const passphrase = (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  if (passphrase.length < 8) throw new UsageError(`The passphrase in ${file} must have at least 8 characters.`);
  return passphrase;
}

type FindPlace = (
  context: CommandContext,
  given: { readonly passphrase: string | null; readonly folderOption: "from" | "to" },
) => Promise<ServicePlace>;

/** What the environment says, whatever the settings do, for a command that removes what a person may have chosen to keep there. */
export const findEnvironmentPlace: FindPlace = ({ config }) => Promise.resolve(config.backup);

/**
 * Where the service stores backups, read from the database if there is one. `passphrase` is used instead of that of the settings. If the
 * database cannot be opened, it is what the environment says; throws {@link UsageError} if that says nothing.
 */
export async function findServicePlace(
  context: CommandContext,
  { passphrase, folderOption }: { readonly passphrase: string | null; readonly folderOption: "from" | "to" },
): Promise<ServicePlace> {
  const { config, logger, tell } = context;
  let database;
  try {
    if (config.databaseUrl === null && !(await hasClusterFolder(config.dataDir))) return config.backup;
    database = await openCommandDatabase({ ...context, tell: () => undefined });
  } catch (error) {
    const reason = `The settings cannot be read: ${explainFailure(error, null)}`;
    if (config.backup.dir === null) throw noPlace(folderOption, ` ${reason}`);
    tell(`${reason} BACKUP_DIR is used.`);
    return config.backup;
  }
  const db = createDb(database.config, { log: logger });
  try {
    return await readServicePlace(config, db, passphrase);
  } finally {
    await db.close();
    await database.close();
  }
}

/** Where the service stores backups. Throws {@link BackupError} if a secret of the settings cannot be read. */
export async function readServicePlace(config: Config, db: Db, passphrase: string | null): Promise<ServicePlace> {
  const { dir, ...environment } = config.backup;
  const keyStore = createEncryptionKeyStore(config.encryptionKeys, config.dataDir);
  const parts = { db, clock: systemClock, ids: uuidV7, keyStore, passphrase };
  try {
    const found = await readBackupPlace({ ...parts, environment: { ...environment, place: dir } });
    return found === null ? config.backup : { dir: found.place, s3: found.s3, passphrase: found.passphrase };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === NO_TABLE) return config.backup;
    if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
    const message = `The place in Settings, Backups cannot be opened: ${error.message}`;
    const remedy = "Put back the file encryption-key of the data folder, or use --passphrase-file.";
    throw new BackupError(`${message} ${remedy}`, { cause: error });
  }
}
