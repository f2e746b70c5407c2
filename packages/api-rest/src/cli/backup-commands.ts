import {
  assertNotLost,
  BackupError,
  backUp,
  describeFuture,
  describeSetAside,
  describeShrinkage,
  ensureRepository,
  listBackups,
  prune,
  removeBackups,
  verifyBackup,
  type VerifyResult,
} from "@workspace/backup";
import { findVaultProblem, systemClock, uuidV7 } from "@workspace/core";
import { createDb } from "@workspace/db";
import { chooseBackup, KEY_FILES, PASSPHRASE_OPTION, warnOfSharedLoss, withBackups } from "./backup-place.ts";
import { backupPlace, findEnvironmentPlace } from "./choose-place.ts";
import { openCommandDatabase, type CommandDatabase } from "./command-database.ts";
import { EXIT, numberOption, textOption, type Command, type CommandContext } from "./command.ts";
import { count, describeBytes } from "./sizes.ts";

const FROM = {
  from: {
    value: "FOLDER",
    description: "the folder of the backups; default: that of the service (Settings, Backups, or BACKUP_DIR)",
  },
} as const;
/** More are only counted. */
const SHOWN_PROBLEMS = 20;

const backup: Command = {
  name: "backup",
  parameters: [],
  summary: "make a backup of database, vault and keys, also while the service runs",
  options: {
    to: {
      value: "FOLDER",
      description: "the folder for backups; default: that of the service (Settings, Backups, or BACKUP_DIR)",
    },
    "take-over": { description: "go on with the backups of another workspace, which this one replaces" },
    "begin-anew": { description: "even if the folder no longer has the backups that were made there" },
    ...PASSPHRASE_OPTION,
  },
  writesTo: ({ backup: { dir } }, _args, options) => textOption(options, "to") ?? dir,
  async run(context, _args, options) {
    const { config, version, tell } = context;
    const place = await backupPlace(context, options, "to");
    const database = await openCommandDatabase(context);
    try {
      await assertVaultIsThere(context, database);
      if (options["begin-anew"] !== true) await assertNotLost(place, database.config);
      await ensureRepository(place);
      const result = await withBackups(place, "write", (repository) =>
        backUp({
          repository,
          config: database.config,
          vaultRoot: config.vaultPath,
          vaultS3: config.vaultStore?.access ?? null,
          dataDir: config.dataDir,
          keyFiles: KEY_FILES,
          version,
          takesOver: options["take-over"] === true,
          now: new Date(),
        }),
      );
      for (const warning of describeLost(result.lostChunks)) tell(warning);
      for (const warning of describeShrinkage(result.shrinkage)) tell(warning);
      for (const warning of warnOfSharedLoss(place.dir, config.dataDir)) tell(warning);
      if (result.hasKeys && place.passphrase === null) {
        tell("The backup contains the keys of your secrets, and is not encrypted. Keep it where only you can read it.");
      }
      if (!result.hasKeys) tell("The keys come from the environment and are not in the backup. Keep them elsewhere.");
      const { id, rows, files, vaultBytes, writtenBytes, durationMs, disagreements } = result;
      const lacking = disagreements.filter(({ problem }) => problem !== "changed").length;
      return {
        text: [
          `Backup ${id} in ${place.dir}`,
          `${count(rows, "row")}, ${count(files, "file")} of ${describeBytes(vaultBytes)}; ` +
            `stored ${describeBytes(writtenBytes)} in ${(durationMs / 1000).toFixed(1)} s`,
          ...disagreements.slice(0, SHOWN_PROBLEMS).map(({ path, problem }) => `${problem}: ${path}`),
          ...(disagreements.length > SHOWN_PROBLEMS ? [`and ${disagreements.length - SHOWN_PROBLEMS} more`] : []),
          ...(lacking > 0 ? [`The backup lacks ${count(lacking, "file")}: missing in the vault, or unreadable.`] : []),
        ].join("\n"),
        json: { ...result, folder: place.dir, dataDir: config.dataDir, isEncrypted: place.passphrase !== null },
        exitCode: lacking === 0 ? EXIT.done : EXIT.problems,
      };
    } finally {
      await database.close();
    }
  },
};

function describeLost(chunks: number): string[] {
  if (chunks === 0) return [];
  const lost = `${count(chunks, "piece")} that the backup before this one needs ${chunks === 1 ? "was" : "were"} lost.`;
  return [`${lost} This backup is whole; which earlier ones are damaged, says: npx workspace verify --all`];
}

/** Throws {@link BackupError} if the service would not take what is at the vault's place for its content. */
async function assertVaultIsThere({ config, logger }: CommandContext, database: CommandDatabase): Promise<void> {
  const db = createDb(database.config, { log: logger });
  const { vaultPath: vaultRoot, vaultStore, dataDir } = config;
  const isServed = database.isServiceRunning === true;
  const options = { db, clock: systemClock, ids: uuidV7, logger, vaultRoot, vaultStore, dataDir, isServed };
  try {
    const problem = await findVaultProblem(options);
    if (problem !== null) throw new BackupError(`Nothing was backed up, because the vault is missing. ${problem}`);
  } finally {
    await db.close();
  }
}

const backups: Command = {
  name: "backups",
  parameters: [],
  summary: "list the backups of a folder",
  options: { ...FROM, ...PASSPHRASE_OPTION },
  async run(context, _args, options) {
    const place = await backupPlace(context, options, "from");
    return withBackups(place, "list", async (repository) => {
      const list = await listBackups(repository);
      const future = describeFuture(
        list.map(({ id }) => id),
        new Date(),
      );
      for (const sentence of future) context.tell(sentence);
      const lines = list.map(
        ({ id, rows, files, vaultBytes, version, isDamaged }) =>
          `${id}  ${count(rows, "row")}, ${count(files, "file")} of ${describeBytes(vaultBytes)}, version ${version}` +
          (isDamaged ? "; damaged, see verify" : ""),
      );
      return {
        text: lines.length === 0 ? `There is no backup yet in ${place.dir}.` : lines.join("\n"),
        json: { folder: place.dir, isEncrypted: repository.isEncrypted, backups: list },
      };
    });
  },
};

const verify: Command = {
  name: "verify",
  parameters: ["[BACKUP]"],
  summary: "read a backup, by default the newest, and compare it with what was backed up",
  options: { ...FROM, ...PASSPHRASE_OPTION, all: { description: "all backups" } },
  async run(context, [given], options) {
    const place = await backupPlace(context, options, "from");
    return withBackups(place, "read", async (repository) => {
      const ids =
        options["all"] === true ? await repository.listBackups() : [await chooseBackup(repository, given, context)];
      const results: VerifyResult[] = [];
      for (const id of ids) results.push(await verifyBackup(repository, id));
      const isGood = results.every(({ problemCount }) => problemCount === 0);
      return {
        text: results.flatMap(describeVerified).join("\n"),
        json: { folder: place.dir, isGood, backups: results },
        exitCode: isGood ? EXIT.done : EXIT.problems,
      };
    });
  },
};

function describeVerified({ id, rows, files, problems, problemCount, setAsideChunks }: VerifyResult): string[] {
  if (problemCount === 0) return [`${id}  whole: ${count(rows, "row")}, ${count(files, "file")}`];
  const more = problemCount - Math.min(problems.length, SHOWN_PROBLEMS);
  return [
    `${id}  damaged: ${count(problemCount, "problem")}`,
    ...problems.slice(0, SHOWN_PROBLEMS).map((problem) => `  ${problem}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...describeSetAside(setAsideChunks),
  ];
}

const pruneBackups: Command = {
  name: "prune-backups",
  parameters: [],
  summary: "remove old backups, and what no other backup needs",
  options: {
    from: { value: "FOLDER", description: "the folder of the backups; default: BACKUP_DIR" },
    ...PASSPHRASE_OPTION,
    "keep-hourly": { value: "N", description: "of the N hours before the newest, the newest of each; default: 24" },
    "keep-daily": { value: "N", description: "of the last N days with a backup, the newest of each; default: 7" },
    "keep-weekly": { value: "N", description: "the same with weeks; default: 4" },
    "keep-monthly": { value: "N", description: "the same with months; default: 12" },
    remove: { value: "BACKUP", description: "remove this backup, and no other" },
    "dry-run": { description: "only say what would be removed" },
  },
  async run(context, _args, options) {
    const named = textOption(options, "remove");
    // What the settings keep is not known here, so that more of the service's would be removed than a person has chosen.
    const place = await backupPlace(context, options, "from", named === null ? findEnvironmentPlace : undefined);
    const retention = {
      hourly: numberOption(options, "keep-hourly", 24),
      daily: numberOption(options, "keep-daily", 7),
      weekly: numberOption(options, "keep-weekly", 4),
      monthly: numberOption(options, "keep-monthly", 12),
    };
    const isDryRun = options["dry-run"] === true;
    const now = new Date();
    const result = await withBackups(place, "write", async (repository) =>
      named === null
        ? prune(repository, retention, { isDryRun, now, made: null })
        : removeBackups(repository, [await chooseBackup(repository, named, context)], { isDryRun }),
    );
    const { kept, removed, damaged, freedBytes } = result;
    for (const sentence of describeFuture(kept, now)) context.tell(sentence);
    return {
      text: [
        ...removed.map((id) => `${isDryRun ? "would remove" : "removed"}  ${id}`),
        `${count(kept.length, "backup")} kept, ${describeBytes(freedBytes)} ${isDryRun ? "would be freed" : "freed"}`,
        ...damaged.map((id) => `damaged  ${id}; see verify`),
      ].join("\n"),
      json: { folder: place.dir, isDryRun, ...result },
    };
  },
};

export const BACKUP_COMMANDS: readonly Command[] = [backup, backups, verify, pruneBackups];
