/**
 * The process in which the server makes backups and reads them, with the lowest priority, so that requests do not wait for it. It does
 * what it is sent and ends. If the server ends first, however that happens, so does this.
 */
import { once } from "node:events";
import { isAbsolute, join } from "node:path";
import { constants, setPriority } from "node:os";
import type { BackupOutcome } from "@workspace/core";
import {
  assertNotLost,
  BackupError,
  backUp,
  describeFuture,
  describeSetAside,
  describeShrinkage,
  drill,
  ensureRepository,
  findDamagedBackups,
  hourOf,
  identifyWorkspace,
  IncompleteError,
  listBackups,
  prune,
  sortNewestFirst,
  verifyBackup,
  type BackUpResult,
  type Repository,
  type Retention,
} from "@workspace/backup";
import { isInStore } from "@workspace/object-store";
import { startEmbeddedPostgres } from "@workspace/db";
import { assertOutsideOfVault, KEY_FILES, warnOfSharedLoss, withBackups } from "../cli/backup-place.ts";
import { count } from "../cli/sizes.ts";
import type { BackupOrders, BackupReport } from "./backup-orders.ts";
import { describeFailure } from "./describe-failure.ts";

/** In the data folder, while a restore is tried out. */
const DRILL_FOLDER = "restore-drill";
const log = { info() {}, warn() {}, error() {} };

process.once("disconnect", () => process.exit(1));
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Some systems permit no change; it is only slower for others then.
}
const [orders]: BackupOrders[] = await once(process, "message");
if (orders === undefined) throw new Error("There are no orders.");
process.send?.(await follow(orders), () => process.exit(0));

async function follow(given: BackupOrders): Promise<BackupReport> {
  try {
    return { ok: true, result: await perform(given) };
  } catch (error) {
    return { ok: false, ...describeFailure(error) };
  }
}

async function perform({ place: given, work, workspace }: BackupOrders): Promise<unknown> {
  const { place: dir, s3, passphrase } = given;
  if (!isInStore(dir) && !isAbsolute(dir)) throw new BackupError(`"${dir}" is not the absolute path of a folder.`);
  assertOutsideOfVault(dir, workspace.vaultPath);
  const place = { dir, s3, passphrase };
  switch (work.kind) {
    case "check":
      await assertNotLost(place, workspace.database);
      await ensureRepository(place);
      return withBackups(place, "list", async (repository) => {
        await identifyWorkspace(workspace.database, repository, { takesOver: false });
        return null;
      });
    case "list":
      return withBackups(place, "list", async (repository) => (await listBackups(repository)).toReversed());
    case "backUp":
      await assertNotLost(place, workspace.database);
      await ensureRepository(place);
      return withBackups(place, "write", async (repository) => {
        const { database: config, vaultPath: vaultRoot, vaultS3, dataDir, version } = workspace;
        const now = new Date();
        const source = { config, vaultRoot, vaultS3, dataDir, version, keyFiles: KEY_FILES, now };
        const result = await backUp({ repository, ...source });
        const pruned = await pruneAfter(repository, work.retention, { made: result.id, now });
        return toOutcome(result, pruned, warnOfSharedLoss(dir, dataDir));
      });
    case "verify":
      return withBackups(place, "read", (repository) => verify(repository, work.backupId));
    case "drill":
      return withBackups(place, "read", (repository) => tryOut(repository, workspace));
  }
}

interface PrunedAfter {
  readonly removed: readonly string[];
  /** Null if that could not be found out. */
  readonly damaged: readonly string[] | null;
  /** Sentences about why nothing could be removed, and about what counts for nothing. */
  readonly problems: readonly string[];
  readonly isIncomplete: boolean;
}

/** Removes old backups after a new one, which is stored, whatever comes of this. */
async function pruneAfter(
  repository: Repository,
  retention: Retention,
  made: { readonly made: string; readonly now: Date },
): Promise<PrunedAfter> {
  try {
    const { kept, removed, damaged } = await prune(repository, retention, { isDryRun: false, ...made });
    return { removed, damaged, problems: describeFuture(kept, made.now), isIncomplete: false };
  } catch (error) {
    const { message, isUnexpected } = describeFailure(error);
    if (isUnexpected) process.stderr.write(`${message}\n`);
    const reason = isUnexpected ? "Something unexpected happened; the log of the server has more." : message;
    const isIncomplete = error instanceof IncompleteError;
    const kept = `The backup is stored, but old ones could not be removed, so their place grows: ${reason}`;
    const problems = isIncomplete ? [message] : [kept, "Mend this, and the next backup removes them."];
    const damaged = await findDamagedBackups(repository).catch(() => null);
    return { removed: [], damaged, problems, isIncomplete };
  }
}

function toOutcome(
  result: BackUpResult,
  { removed, damaged, problems, isIncomplete }: PrunedAfter,
  warnings: readonly string[],
): BackupOutcome {
  const { id, rows, files, vaultBytes, writtenBytes, disagreements, hasKeys, shrinkage } = result;
  // A person may have made it by hand, and expect to find it.
  const replaced = removed.filter((other) => hourOf(other) === hourOf(id));
  const notes = [
    ...problems,
    ...warnings,
    ...describeShrinkage(shrinkage),
    ...replaced.map((other) => `It has replaced the backup ${other} of the same hour.`),
    ...(disagreements.length === 0
      ? []
      : [
          `${count(disagreements.length, "file")} did not agree with the records, for example ${disagreements[0]?.path}.`,
        ]),
    ...describeDamaged(damaged ?? []),
    ...(hasKeys ? [] : ["The keys come from the environment and are not in the backup. Keep them elsewhere."]),
  ];
  const message = notes.length === 0 ? null : notes.join(" ");
  const counts = { rows, files, vaultBytes, storedBytes: writtenBytes };
  return { backupId: id, ...counts, message, isIncomplete, damagedIds: damaged };
}

function describeDamaged(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const [which, stay] = ids.length === 1 ? ["backup needs", "It stays"] : ["backups need", "They stay"];
  const named = `${ids.length} earlier ${which} something that is lost, the newest of them ${ids.at(-1)}.`;
  return [`${named} ${stay} damaged until removed.`];
}

async function verify(repository: Repository, backupId: string): Promise<BackupOutcome> {
  const { rows, files, problems, problemCount, setAsideChunks } = await verifyBackup(repository, backupId);
  if (problemCount > 0) {
    const found = `The backup ${backupId} has ${count(problemCount, "problem")}, for example: ${problems[0]}`;
    throw new BackupError([found, ...describeSetAside(setAsideChunks)].join(" "));
  }
  return { backupId, rows, files, vaultBytes: null, storedBytes: null, message: null };
}

async function tryOut(
  repository: Repository,
  { dataDir, migrationsDir }: BackupOrders["workspace"],
): Promise<BackupOutcome> {
  const now = new Date();
  const [backupId] = sortNewestFirst(await repository.listBackups(), now);
  if (backupId === undefined) throw new BackupError("There is no backup to restore yet.");
  const { rows, files, vaultBytes, notRestoredBecause } = await drill({
    repository,
    backupId,
    folder: join(dataDir, DRILL_FOLDER),
    // What a crash would lose is removed anyway.
    openDatabase: async (folder) => {
      const settings = { fsync: "off", full_page_writes: "off" };
      const { poolConfig: config, close } = await startEmbeddedPostgres({ dataDir: folder, log, settings });
      return { config, close };
    },
    migrationsDir,
    keyFiles: KEY_FILES,
    log,
    now,
  });
  const message =
    notRestoredBecause === null ? null : `Read back and compared, but not restored. ${notRestoredBecause}`;
  return { backupId, rows, files, vaultBytes, storedBytes: null, message };
}
