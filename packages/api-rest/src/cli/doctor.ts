import { constants } from "node:fs";
import { access, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { readRestoreMarker } from "@workspace/backup";
import {
  checkSignInProvider,
  createMailer,
  findVaultStoreProblem,
  hasSigningSecret,
  openSecrets,
  systemClock,
  uuidV7,
  verifySigningSecret,
} from "@workspace/core";
import { createDb, readMigrationState, type Db } from "@workspace/db";
import { isInStore } from "@workspace/object-store";
import { createEncryptionKeyStore } from "../encryption-key-store.ts";
import { openSigningSecret } from "../open-signing-secret.ts";
import { backupPlace, KEY_FILES, withBackups } from "./backup-place.ts";
import { openCommandDatabase, type CommandDatabase } from "./command-database.ts";
import { EXIT, type Command, type CommandContext } from "./command.ts";
import { count, describeBytes } from "./sizes.ts";

const LOW_SPACE_BYTES = 1_000_000_000;
const OLD_BACKUP_MS = 7 * 24 * 60 * 60 * 1000;
/** Bits of a file's mode for everybody but its owner. */
const OTHERS = 0o077;

interface Finding {
  readonly subject: string;
  readonly state: "good" | "warning" | "bad";
  /** A sentence. */
  readonly message: string;
  /** The sentence that mends it. */
  readonly remedy?: string;
}

export const doctor: Command = {
  name: "doctor",
  parameters: [],
  summary: "find what is wrong, and say what mends it",
  options: {},
  async run(context) {
    const { dataDir, vaultPath } = context.config;
    const findings: Finding[] = [];
    for (const check of [
      checkRestore,
      checkVault,
      checkKeyFiles,
      checkSpace,
      checkDatabase,
      checkBackups,
      checkProvider,
      checkMail,
    ]) {
      findings.push(...(await check(context).catch((error: unknown) => [failed(error)])));
    }
    const isGood = findings.every(({ state }) => state !== "bad");
    return {
      text: findings.map(describe).join("\n"),
      json: { dataDir, vault: vaultPath, isGood, findings },
      exitCode: isGood ? EXIT.done : EXIT.problems,
    };
  },
};

function describe({ subject, state, message, remedy }: Finding): string {
  const mark = { good: "ok     ", warning: "warning", bad: "WRONG  " }[state];
  return `${mark}  ${subject}: ${message}${remedy === undefined ? "" : `\n         → ${remedy}`}`;
}

function failed(error: unknown): Finding {
  return { subject: "check", state: "bad", message: error instanceof Error ? error.message : String(error) };
}

async function checkRestore({ config }: CommandContext): Promise<Finding[]> {
  const restore = await readRestoreMarker(config.dataDir);
  if (restore === null) return [];
  const remedy = `Repeat it: npx workspace restore ${restore.backupId} --from FOLDER`;
  return [{ subject: "restore", state: "bad", message: "A restore was interrupted.", remedy }];
}

async function checkVault({ config }: CommandContext): Promise<Finding[]> {
  const subject = `vault ${config.vaultPath}`;
  if (isInStore(config.vaultPath)) {
    const problem = await findVaultStoreProblem(config.vaultPath, config.vaultStore);
    if (problem === null) return [{ subject, state: "good", message: "the store can be read and written" }];
    const remedy = "Correct VAULT_PATH and the VAULT_S3_ variables, or wait until the store is back.";
    return [{ subject, state: "bad", message: problem, remedy }];
  }
  try {
    await access(config.vaultPath, constants.R_OK | constants.W_OK | constants.X_OK);
    await readdir(config.vaultPath);
    return [{ subject, state: "good", message: "can be read and written" }];
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const remedy = isMissing
      ? "Mount its disk, create the folder, or correct VAULT_PATH."
      : "Give the service's user access to the folder.";
    return [{ subject, state: "bad", message: isMissing ? "does not exist" : String(error), remedy }];
  }
}

async function checkKeyFiles({ config }: CommandContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of KEY_FILES) {
    const path = join(config.dataDir, name);
    const found = await stat(path).catch(() => null);
    if (found === null || (found.mode & OTHERS) === 0) continue;
    const remedy = `Run: chmod 600 ${path}`;
    findings.push({ subject: path, state: "bad", message: "can be read by other users", remedy });
  }
  return findings;
}

async function checkSpace({ config }: CommandContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [subject, path] of [
    ["disk of the data folder", config.dataDir],
    ["disk of the vault", config.vaultPath],
  ] as const) {
    const disk = await statfs(path).catch(() => null);
    if (disk === null) continue;
    const free = disk.bavail * disk.bsize;
    const message = `${describeBytes(free)} free`;
    if (free >= LOW_SPACE_BYTES) findings.push({ subject, state: "good", message });
    else findings.push({ subject, state: "warning", message, remedy: "Free space before the disk is full." });
  }
  return findings;
}

async function checkDatabase(context: CommandContext): Promise<Finding[]> {
  const subject = "database";
  let database: CommandDatabase;
  try {
    database = await openCommandDatabase(context);
  } catch (error) {
    return [{ subject, state: "bad", message: error instanceof Error ? error.message : String(error) }];
  }
  const db = createDb(database.config, { log: context.logger });
  try {
    return [...(await checkSchema(context, database)), ...(await checkKeys(context, db))];
  } finally {
    await db.close();
    await database.close();
  }
}

async function checkSchema({ migrationsDir }: CommandContext, { config }: CommandDatabase): Promise<Finding[]> {
  const subject = "database";
  const { pending, unknown } = await readMigrationState(config, migrationsDir);
  if (unknown.length > 0) {
    const remedy = "Start the newer version, or restore a backup from before the upgrade.";
    return [{ subject, state: "bad", message: "was migrated by a newer version of the service", remedy }];
  }
  if (pending.length === 0) return [{ subject, state: "good", message: "has the schema of this version" }];
  const remedy = "Make a backup and start the service: it migrates the database.";
  return [{ subject, state: "warning", message: `${count(pending.length, "migration")} not applied yet`, remedy }];
}

async function checkKeys({ config }: CommandContext, db: Db): Promise<Finding[]> {
  const subject = "keys";
  // Before the first start has recorded keys, the checks below would record new ones.
  if (!(await hasSigningSecret({ db }))) return [];
  try {
    const keyStore = createEncryptionKeyStore(config.encryptionKeys, config.dataDir);
    await openSecrets({ db, clock: systemClock, ids: uuidV7, keyStore });
    await verifySigningSecret({ db, clock: systemClock }, await openSigningSecret(config));
    return [{ subject, state: "good", message: "belong to this database" }];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy =
      "Put back the files encryption-key and service-secret of the data folder, from a backup for example.";
    return [{ subject, state: "bad", message, remedy }];
  }
}

async function checkBackups(context: CommandContext): Promise<Finding[]> {
  const subject = "backups";
  if (context.config.backup.dir === null) {
    const remedy = "Run: npx workspace backup --to FOLDER, on another disk.";
    return [{ subject, state: "warning", message: "BACKUP_DIR is not set", remedy }];
  }
  const place = await backupPlace(context, {}, "from");
  const newest = await withBackups(place, "read", async (repository) => {
    const id = (await repository.listBackups()).at(-1);
    return id === undefined ? null : (await repository.readManifest(id)).createdAt;
  });
  const isOld = newest === null || Date.now() - Date.parse(newest) > OLD_BACKUP_MS;
  const message = newest === null ? "there is none yet" : `the newest is of ${newest}`;
  if (!isOld) return [{ subject, state: "good", message }];
  return [{ subject, state: "warning", message, remedy: "Run: npx workspace backup" }];
}

async function checkProvider({ config }: CommandContext): Promise<Finding[]> {
  const provider = config.signInProvider;
  if (provider === null) return [];
  const subject = `sign-in with ${provider.name}`;
  try {
    await checkSignInProvider(provider);
    return [{ subject, state: "good", message: "the provider has sent its configuration" }];
  } catch (error) {
    const message = `${provider.issuer} has sent no configuration that can be used: ${describeCause(error)}`;
    return [{ subject, state: "bad", message, remedy: "Correct OIDC_ISSUER, or wait until the provider is back." }];
  }
}

async function checkMail({ config, logger }: CommandContext): Promise<Finding[]> {
  if (config.mail === null) return [];
  const subject = `mail through ${new URL(config.mail.url).host}`;
  try {
    await createMailer({ ...config.mail, logger }).check();
    return [{ subject, state: "good", message: "the server lets the service in" }];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy = "Correct SMTP_URL: smtp:// with port 587, or smtps:// with port 465, and the user and password.";
    return [{ subject, state: "bad", message, remedy }];
  }
}

/** What is known of the reason. */
function describeCause(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const deepest = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return deepest instanceof Error ? deepest.message : "no reason is known";
}
