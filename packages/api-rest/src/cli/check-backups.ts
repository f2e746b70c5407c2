import { BackupError, findLoss, sortNewestFirst } from "@workspace/backup";
import { readBackupStatus, serverTimeZone, systemClock } from "@workspace/core";
import { isInStore } from "@workspace/object-store";
import { assertOutsideOfVault, warnOfSharedLoss, withBackups } from "./backup-place.ts";
import { readServicePlace } from "./choose-place.ts";
import type { CommandContext } from "./command.ts";
import type { Examined, Finding } from "./finding.ts";

const OLD_BACKUP_MS = 7 * 24 * 60 * 60 * 1000;

const REMEDIES = {
  "backup failed": "Mend what it says, and make a backup in Settings, Backups, while the service runs.",
  "backup damaged":
    "Make a new backup in Settings, Backups, and check it there; by schedule, the service does both by itself.",
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
  const warnings: Finding[] = misplaced === null ? [] : [{ subject, ...misplaced, remedy: OTHER_PLACE }];
  if (misplaced?.state === "bad") return warnings;
  const loss = await findLossOf(place, examined);
  if (loss !== null) return [...warnings, { subject, state: "bad", message: loss, remedy: OTHER_PLACE }];
  const recorded = known?.lastBackup?.startedAt ?? null;
  // Those that commands have made are only at the place.
  const stored = isOld(recorded) ? await readNewest(examined) : null;
  const newest = stored ?? recorded;
  const schedule = known?.isScheduled === true ? "are scheduled; " : "";
  const message = `${schedule}${newest === null ? "there is none yet" : `the newest is of ${newest}`} (${place})`;
  if (isOld(newest)) return [...warnings, { subject, state: "warning", message, remedy: "Run: npx workspace backup" }];
  return warnings.length > 0 ? warnings : [{ subject, state: "good", message }];
}

function isOld(time: string | null): boolean {
  return time === null || systemClock.now().getTime() - Date.parse(time) > OLD_BACKUP_MS;
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

/** Says that a folder no longer has the backups that were made there; null if it has, or that is not known. */
async function findLossOf(place: string, { db }: Examined): Promise<string | null> {
  return db === null || isInStore(place) ? null : findLoss({ dir: place, s3: null }, db.pool);
}

async function readKnown({ db, config }: Examined) {
  if (db === null) return null;
  const { timeZone } = await serverTimeZone({ db }, config.timeZone);
  return readBackupStatus({ db, clock: systemClock, timeZone });
}

/** When the newest backup at the place of the service was made; null if there is none. */
async function readNewest({ config, db }: Examined): Promise<string | null> {
  const { dir, ...access } = db === null ? config.backup : await readServicePlace(config, db, null);
  if (dir === null) return null;
  return withBackups({ dir, ...access }, "read", async (repository) => {
    const [id] = sortNewestFirst(await repository.listBackups(), systemClock.now());
    return id === undefined ? null : (await repository.readManifest(id)).createdAt;
  });
}
