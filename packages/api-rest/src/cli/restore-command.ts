import { join, resolve } from "node:path";
import {
  assertNoRestore,
  forgetBackups,
  quoted,
  restore,
  restoreNote,
  restoreTask,
  type Repository,
} from "@workspace/backup";
import { logChange, openSecrets, quietRestoredCopy, systemClock, uuidV7 } from "@workspace/core";
import { createDb, type PoolConfig } from "@workspace/db";
import { createEncryptionKeyStore } from "../encryption-key-store.ts";
import type { Config } from "../env.ts";
import { prepareFolders } from "../folders.ts";
import {
  assertOutsideOfVault,
  chooseBackup,
  chooseBackupOfDay,
  KEY_FILES,
  PASSPHRASE_OPTION,
  withBackups,
} from "./backup-place.ts";
import { backupPlace } from "./choose-place.ts";
import { openCommandDatabase, openTargetDatabase } from "./command-database.ts";
import {
  type Command,
  type CommandContext,
  EXIT,
  type GivenOptions,
  type Outcome,
  textOption,
  UsageError,
} from "./command.ts";
import { count } from "./sizes.ts";

export const restoreCommand: Command = {
  name: "restore",
  parameters: ["[BACKUP]"],
  summary:
    "restore a backup, by default the newest, into an empty place; or one note, or one task, while the service runs",
  options: {
    from: {
      value: "FOLDER",
      description: "the folder of the backups; default: that of the service (Settings, Backups, or BACKUP_DIR)",
    },
    ...PASSPHRASE_OPTION,
    note: { value: "PATH", description: "only this file of the vault" },
    to: { value: "PATH", description: "with --note: where to put it in the vault; default: its own place" },
    task: { value: "ID", description: "only this task, with its comments, history, reminders and links" },
    day: {
      value: "DAY",
      description: "the last backup of that day, as YYYY-MM-DD; beside the workspace, unless --data-dir is given",
    },
    replace: { description: "move away what is there, under a name that ends with the time" },
    "as-copy": {
      description:
        "so that it may run beside the original: agents, webhooks, messages to devices and scheduled backups are off",
    },
    "without-damaged": {
      description: "leave out files of the vault that are damaged or missing in the backup, and name them",
    },
  },
  writesWorkspace: true,
  async run(context, [given], options) {
    const note = textOption(options, "note");
    const everything = { withoutDamaged: options["without-damaged"] === true, isCopy: options["as-copy"] === true };
    const task = textOption(options, "task");
    if (note !== null && task !== null) throw new UsageError("restore: either --note or --task");
    if (note === null && textOption(options, "to") !== null) throw new UsageError("restore: --to needs --note");
    const isPart = note !== null || task !== null;
    if (isPart && (everything.withoutDamaged || everything.isCopy)) {
      throw new UsageError("restore: --without-damaged and --as-copy are not for one note or task");
    }
    const day = textOption(options, "day");
    if (day !== null && !/^\d{4}-\d\d-\d\d$/.test(day)) throw new UsageError("restore: --day must be as 2026-01-31");
    if (day !== null && given !== undefined) throw new UsageError("restore: either a backup or --day");
    const place = await backupPlace(context, options, "from");
    return withBackups(place, "read", async (repository) => {
      const { timeZone } = context.config;
      const backupId =
        day === null
          ? await chooseBackup(repository, given, context)
          : await chooseBackupOfDay(repository, day, timeZone);
      const request = { repository, backupId, replaces: options["replace"] === true };
      if (note !== null) return restoreOneNote(context, { ...request, path: note }, options);
      if (task !== null) return restoreOneTask(context, { ...request, taskId: task });
      const isBeside = day !== null && textOption(options, "data-dir") === null;
      const there = isBeside ? { ...context, config: placeBeside(context.config, day) } : context;
      return restoreAll(there, { ...request, ...everything, repeatOptions: describeOptions(place.dir, options) });
    });
  },
};

/** What repeats a restore, besides its place, which may not be where it was looked for any more. */
function describeOptions(dir: string, options: GivenOptions): string {
  const file = textOption(options, "passphrase-file");
  return [
    `--from ${quoted(dir)}`,
    ...(file === null ? [] : [`--passphrase-file ${quoted(resolve(file))}`]),
    ...["as-copy", "without-damaged"].filter((name) => options[name] === true).map((name) => `--${name}`),
  ].join(" ");
}

/** A place for the workspace as it was on a day, beside the workspace of today. */
function placeBeside(config: Config, day: string): Config {
  const dataDir = `${config.dataDir}-${day}`;
  return { ...config, dataDir, vaultPath: join(dataDir, "vault"), databaseUrl: null };
}

interface Request {
  readonly repository: Repository;
  readonly backupId: string;
  readonly replaces: boolean;
}

async function restoreAll(
  context: CommandContext,
  request: Request & { readonly withoutDamaged: boolean; readonly isCopy: boolean; readonly repeatOptions: string },
): Promise<Outcome> {
  const { config, logger, migrationsDir, tell } = context;
  const { dataDir, vaultPath, databaseUrl } = config;
  assertOutsideOfVault(request.repository.dir, vaultPath);
  await prepareFolders(config);
  tell(`Restoring ${request.backupId} into ${dataDir}, with the vault ${vaultPath} …`);
  const result = await restore({
    ...request,
    dataDir,
    vaultRoot: vaultPath,
    vaultS3: config.vaultStore?.access ?? null,
    databaseUrl: databaseUrl === null ? null : withoutPassword(databaseUrl),
    openDatabase: () => openTargetDatabase(context),
    migrationsDir,
    keyFiles: KEY_FILES,
    log: logger,
    now: new Date(),
    ...(request.isCopy ? { adjust: (database) => quiet(context, database) } : {}),
  });
  const { backupId, rows, files, leftOut, movedTo, hasKeys, disagreements } = result;
  return {
    text: [
      `Restored ${backupId}: ${count(rows, "row")}, ${count(files, "file")}, into ${dataDir}`,
      ...leftOut.map((path) => `left out, because it is damaged or missing in the backup: ${path}`),
      ...movedTo.map((path) => `What was there is now ${path}`),
      ...(hasKeys ? [] : ["Its keys came from the environment: set the same before you start the service."]),
      ...(disagreements.length === 0 ? [] : [`${count(disagreements.length, "file")} did not agree with the records`]),
      request.isCopy ? IS_COPY : IS_ORIGINAL,
    ].join("\n"),
    json: { ...result, dataDir, vault: vaultPath, isCopy: request.isCopy },
    exitCode: leftOut.length === 0 ? EXIT.done : EXIT.problems,
  };
}

const IS_COPY =
  "It may run beside the original: agents, webhooks, messages to devices and scheduled backups, with their place, are off until you " +
  "turn them on. It needs a place of its own for backups.";
const IS_ORIGINAL =
  "Once started, it acts as the original: it runs the same agents, sends to the same webhooks and devices, and makes and removes the " +
  "same backups. If the original goes on, restore with --as-copy instead.";

async function quiet({ logger }: CommandContext, database: PoolConfig): Promise<void> {
  await forgetBackups(database);
  const db = createDb(database, { log: logger });
  try {
    await quietRestoredCopy(db.pool, systemClock.now());
  } finally {
    await db.close();
  }
}

/** Enough to recognise the database by. */
function withoutPassword(databaseUrl: string): string {
  return databaseUrl.replace(/^([^/]*\/\/[^:@/]*):[^@/]*@/, "$1@");
}

async function restoreOneNote(
  { config, tell }: CommandContext,
  request: Request & { path: string },
  options: GivenOptions,
): Promise<Outcome> {
  const { dataDir, vaultPath } = config;
  await assertNoRestore(dataDir);
  tell(`Vault: ${vaultPath}`);
  const result = await restoreNote({
    ...request,
    vaultRoot: vaultPath,
    vaultS3: config.vaultStore?.access ?? null,
    target: textOption(options, "to"),
    now: new Date(),
  });
  const { path, isChanged, movedTo } = result;
  return {
    text: [
      isChanged ? `Restored "${path}" from ${request.backupId}` : `"${path}" is the same as in ${request.backupId}`,
      ...(movedTo === null ? [] : [`What was there is now "${movedTo}"`]),
    ].join("\n"),
    json: { ...result, backupId: request.backupId, vault: vaultPath },
  };
}

async function restoreOneTask(context: CommandContext, request: Request & { taskId: string }): Promise<Outcome> {
  const database = await openCommandDatabase(context);
  try {
    const result = await restoreTask({ ...request, config: database.config });
    const { title, belongings } = result;
    await announceTask(context, database.config, { id: request.taskId, title });
    return {
      text: `Restored the task "${title}" from ${request.backupId}, with ${count(belongings, "row")} that belong to it`,
      json: { ...result, backupId: request.backupId, dataDir: context.config.dataDir },
    };
  } finally {
    await database.close();
  }
}

/** Shows a restored task on all pages that are open. */
async function announceTask(
  { config, logger }: CommandContext,
  database: PoolConfig,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<void> {
  const db = createDb(database, { log: logger });
  try {
    const keyStore = createEncryptionKeyStore(config.encryptionKeys, config.dataDir);
    // Without the keys, nobody knows whether the title contains a secret.
    const secrets = await openSecrets({ db, clock: systemClock, ids: uuidV7, keyStore }).catch(() => null);
    const resourceName = secrets === null ? null : secrets.redactor.redact(title);
    await logChange(db, { resource: "task", action: "restore", resourceId: id, resourceName }, systemClock.now());
  } finally {
    await db.close();
  }
}
