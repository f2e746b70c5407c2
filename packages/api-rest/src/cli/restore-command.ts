import { assertNoRestore, restore, restoreNote, restoreTask, type Repository } from "@workspace/backup";
import { prepareFolders } from "../folders.ts";
import {
  assertOutsideOfVault,
  backupPlace,
  chooseBackup,
  KEY_FILES,
  PASSPHRASE_OPTION,
  withBackups,
} from "./backup-place.ts";
import { openCommandDatabase, openTargetDatabase } from "./command-database.ts";
import {
  type Command,
  type CommandContext,
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
    from: { value: "FOLDER", description: "the folder of the backups; default: BACKUP_DIR" },
    ...PASSPHRASE_OPTION,
    note: { value: "PATH", description: "only this file of the vault" },
    to: { value: "PATH", description: "with --note: where to put it in the vault; default: its own place" },
    task: { value: "ID", description: "only this task, with its comments, history, reminders and links" },
    replace: { description: "move away what is there, under a name that ends with the time" },
  },
  async run(context, [given], options) {
    const note = textOption(options, "note");
    const task = textOption(options, "task");
    if (note !== null && task !== null) throw new UsageError("restore: either --note or --task");
    if (note === null && textOption(options, "to") !== null) throw new UsageError("restore: --to needs --note");
    const place = await backupPlace(context, options, "from");
    return withBackups(place, "read", async (repository) => {
      const backupId = await chooseBackup(repository, given);
      const request = { repository, backupId, replaces: options["replace"] === true };
      if (note !== null) return restoreOneNote(context, { ...request, path: note }, options);
      if (task !== null) return restoreOneTask(context, { ...request, taskId: task });
      return restoreAll(context, request);
    });
  },
};

interface Request {
  readonly repository: Repository;
  readonly backupId: string;
  readonly replaces: boolean;
}

async function restoreAll(context: CommandContext, request: Request): Promise<Outcome> {
  const { config, logger, migrationsDir, tell } = context;
  const { dataDir, vaultPath, databaseUrl } = config;
  assertOutsideOfVault(request.repository.dir, vaultPath);
  await prepareFolders(config);
  tell(`Restoring ${request.backupId} into ${dataDir}, with the vault ${vaultPath} …`);
  const result = await restore({
    ...request,
    dataDir,
    vaultRoot: vaultPath,
    databaseUrl: databaseUrl === null ? null : withoutPassword(databaseUrl),
    openDatabase: () => openTargetDatabase(context),
    migrationsDir,
    keyFiles: KEY_FILES,
    log: logger,
    now: new Date(),
  });
  const { backupId, rows, files, movedTo, hasKeys, disagreements } = result;
  return {
    text: [
      `Restored ${backupId}: ${count(rows, "row")}, ${count(files, "file")}`,
      ...movedTo.map((path) => `What was there is now ${path}`),
      ...(hasKeys ? [] : ["Its keys came from the environment: set the same before you start the service."]),
      ...(disagreements.length === 0 ? [] : [`${count(disagreements.length, "file")} did not agree with the records`]),
    ].join("\n"),
    json: { ...result, dataDir, vault: vaultPath },
  };
}

/** Enough to recognise the database by. */
function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = "";
  return url.toString();
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
    return {
      text: `Restored the task "${title}" from ${request.backupId}, with ${count(belongings, "row")} that belong to it`,
      json: { ...result, backupId: request.backupId, dataDir: context.config.dataDir },
    };
  } finally {
    await database.close();
  }
}
