import { access } from "node:fs/promises";
import { join } from "node:path";
import {
  describeClockJump,
  findClockJump,
  hasSigningSecret,
  openSecrets,
  selectLastChangeTime,
  systemClock,
  uuidV7,
  verifySigningSecret,
} from "@workspace/core";
import { createDb, DataDirInUseError, lockDataDir, readMigrationState } from "@workspace/db";
import { createEncryptionKeyStore } from "../encryption-key-store.ts";
import { hasLeftCluster, LEFT_CLUSTER_REMEDY } from "../embedded-workspace.ts";
import { openSigningSecret } from "../open-signing-secret.ts";
import { openCommandDatabase, type CommandDatabase } from "./command-database.ts";
import type { CommandContext } from "./command.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Examined, Finding } from "./finding.ts";
import { count } from "./sizes.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Runs `examine` with the database, if it can be opened, and returns its findings after those about the database. */
export async function withExamined(
  context: CommandContext,
  examine: (examined: Examined) => Promise<readonly Finding[]>,
): Promise<Finding[]> {
  const { dataDir } = context.config;
  let database: CommandDatabase;
  try {
    database = await openCommandDatabase(context);
  } catch (error) {
    const message = explainFailure(error, dataDir);
    const isServiceRunning = await isInUse(dataDir);
    return [
      { subject: "database", state: "bad", message },
      ...(await examine({ ...context, db: null, isServiceRunning })),
    ];
  }
  const db = createDb(database.config, { log: context.logger });
  try {
    const left = database.kind === "external" ? await checkLeftCluster(dataDir) : [];
    const isServiceRunning = database.isServiceRunning ?? (await isInUse(dataDir));
    const schema = await checkSchema(context, database);
    const isCurrent = schema.state === "good";
    return [schema, ...left, ...(await examine({ ...context, db: isCurrent ? db : null, isServiceRunning }))];
  } finally {
    await db.close();
    await database.close();
  }
}

async function checkLeftCluster(dataDir: string): Promise<Finding[]> {
  if (!(await hasLeftCluster(dataDir))) return [];
  const message = "The data folder has one too, which is not used.";
  return [{ subject: "embedded database", state: "warning", message, remedy: LEFT_CLUSTER_REMEDY }];
}

/** Whether a service has locked a data folder. */
async function isInUse(dataDir: string): Promise<boolean> {
  try {
    // Locking creates what is not there.
    await access(join(dataDir, "instance.lock"));
    await (await lockDataDir(dataDir, { waitMs: 0 })).release();
    return false;
  } catch (error) {
    return error instanceof DataDirInUseError;
  }
}

async function checkSchema({ migrationsDir }: CommandContext, { config }: CommandDatabase): Promise<Finding> {
  const subject = "database";
  const { pending, unknown } = await readMigrationState(config, migrationsDir);
  if (unknown.length > 0) {
    const remedy = "Start the newer version, or restore a backup from before the upgrade.";
    return { subject, state: "bad", message: "was migrated by a newer version of the service", remedy };
  }
  if (pending.length === 0) return { subject, state: "good", message: "has the schema of this version" };
  const remedy = "Make a backup and start the service: it migrates the database.";
  return { subject, state: "warning", message: `${count(pending.length, "migration")} not applied yet`, remedy };
}

export async function checkKeys({ config, db }: Examined): Promise<Finding[]> {
  const subject = "keys";
  // Before the first start has recorded keys, the checks below would record new ones.
  if (db === null || !(await hasSigningSecret({ db }))) return [];
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

/** A clock that was put back makes new records look older than the present ones; one far ahead makes all of them look old. */
export async function checkClock({ db }: Examined): Promise<Finding[]> {
  const subject = "clock";
  if (db === null) return [];
  const jump = await findClockJump({ db, clock: systemClock });
  if (jump !== null) return [{ subject, state: "warning", ...describeClockJump(jump) }];
  const newest = await selectLastChangeTime(db);
  if (newest === null) return [];
  const now = systemClock.now();
  if (newest.getTime() - now.getTime() <= DAY_MS)
    return [{ subject, state: "good", message: "is not behind the newest record" }];
  const message = `It is ${now.toISOString()} by the clock, but the newest record is of ${newest.toISOString()}`;
  const remedy = "Set the clock of this machine, for example with: timedatectl set-ntp true";
  return [{ subject, state: "bad", message, remedy }];
}
