import { BackupError, sortNewestFirst } from "@workspace/backup";
import { readBackupStatus, serverTimeZone, systemClock } from "@workspace/core";
import { assertOutsideOfVault, backupPlace, warnOfSharedLoss, withBackups } from "./backup-place.ts";
import type { CommandContext } from "./command.ts";
import type { Examined, Finding } from "./finding.ts";

const OLD_BACKUP_MS = 7 * 24 * 60 * 60 * 1000;

const REMEDIES = {
  "backup failed": "Mend what it says, and run: npx workspace backup, or make one in Settings, Backups.",
  "backup damaged": "Make a new backup, and check it: npx workspace backup, then npx workspace verify",
  "restore drill failed": "Mend what it says, and try it again in Settings, Backups.",
} as const;
const OTHER_PLACE = "Choose a place on another disk in Settings, Backups, or as BACKUP_DIR.";

/** Judges the backups as the service does, and how old the newest is, whoever has made it. */
export async function checkBackups(examined: Examined): Promise<Finding[]> {
  const subject = "backups";
  const known = await readKnown(examined);
  const problem = known?.problem ?? null;
  if (problem !== null) {
    const { kind, run } = problem;
    const message = `${kind} (${run.startedAt})${run.message === null ? "" : `: ${run.message}`}`;
    return [{ subject, state: "bad", message, remedy: REMEDIES[kind] }];
  }
  const { dir } = examined.config.backup;
  const place = known?.chosenPlace ?? dir;
  if (place === null) {
    const remedy = "Choose a place in Settings, Backups, or run: npx workspace backup --to FOLDER, on another disk.";
    return [{ subject, state: "warning", message: "neither the settings nor BACKUP_DIR name a place", remedy }];
  }
  const misplaced = checkPlaceOfBackups(place, examined);
  if (misplaced !== null) return [{ subject, ...misplaced, remedy: OTHER_PLACE }];
  // Those that commands have made are not in the database.
  const stored = place === dir ? await readNewest(examined) : null;
  const newest = [stored, known?.lastBackup?.startedAt ?? null]
    .filter((time) => time !== null)
    .toSorted()
    .at(-1);
  const isOld = newest === undefined || systemClock.now().getTime() - Date.parse(newest) > OLD_BACKUP_MS;
  const schedule = known?.isScheduled === true ? "are scheduled; " : "";
  const message = `${schedule}${newest === undefined ? "there is none yet" : `the newest is of ${newest}`} (${place})`;
  if (!isOld) return [{ subject, state: "good", message }];
  const remedy = `Run: npx workspace backup${place === dir ? "" : ` --to ${place}`}`;
  return [{ subject, state: "warning", message, remedy }];
}

function checkPlaceOfBackups(place: string, { config }: CommandContext): Pick<Finding, "state" | "message"> | null {
  try {
    assertOutsideOfVault(place, config.vaultPath);
  } catch (error) {
    if (error instanceof BackupError) return { state: "bad", message: error.message };
    throw error;
  }
  const [warning] = warnOfSharedLoss(place, config.dataDir);
  return warning === undefined ? null : { state: "warning", message: warning };
}

async function readKnown({ db, config }: Examined) {
  if (db === null) return null;
  const { timeZone } = await serverTimeZone({ db }, config.timeZone);
  return readBackupStatus({ db, clock: systemClock, timeZone });
}

/** When the newest backup in BACKUP_DIR was made; null if there is none. */
async function readNewest(context: CommandContext): Promise<string | null> {
  return withBackups(await backupPlace(context, {}, "from"), "read", async (repository) => {
    const [id] = sortNewestFirst(await repository.listBackups(), systemClock.now());
    return id === undefined ? null : (await repository.readManifest(id)).createdAt;
  });
}
