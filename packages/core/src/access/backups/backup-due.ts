import type { VersionedSetting } from "../../platform/versioned-setting.queries.ts";
import { timesAround } from "./backup-schedule.ts";
import type { BackupChoices, BackupProblem, BackupRun, BackupStatus } from "./backup.schema.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const DRILL_EVERY_MS = 30 * DAY_MS;
/** After a failure, the next attempt. */
const RETRY_MS = { backup: HOUR_MS, drill: DAY_MS } as const;

const PROBLEMS: Readonly<Record<BackupRun["kind"], BackupProblem>> = {
  backup: "backup failed",
  verify: "backup damaged",
  drill: "restore drill failed",
};

/** What decides about what is due: the choices of people, and the latest work of each kind and status. */
export interface BackupHistory {
  readonly settings: Omit<VersionedSetting<BackupChoices>, "updatedAt"> & { readonly updatedAt: string | null };
  readonly runs: readonly BackupRun[];
  /** Whether earlier backups stay damaged. */
  readonly hasDamaged: boolean;
  readonly timeZone: string;
  readonly now: Date;
}

/** Work that is due, and since when nobody may have begun it. */
export interface DueWork {
  readonly kind: BackupRun["kind"];
  readonly since: Date;
}

/** What is due now; null if nothing is. */
export function findDueWork(history: BackupHistory): DueWork | null {
  const { runs, hasDamaged, timeZone, now } = history;
  const { value, updatedAt } = history.settings;
  if (!value.isScheduled || updatedAt === null || runs.some(({ status }) => status === "running")) return null;
  const startOf = (kind: BackupRun["kind"], status: BackupRun["status"]): number =>
    timeOf(latestRun(runs, kind, status)?.startedAt);
  const mayRetry = (kind: keyof typeof RETRY_MS): boolean => now.getTime() - startOf(kind, "failed") >= RETRY_MS[kind];
  const { last } = timesAround(value, timeZone, now);
  const made = startOf("backup", "done");
  const failed = latestRun(runs, "backup", "failed");
  // One that counts as failed for what it lacks is stored all the same: it is not repeated before the schedule says so.
  const stored = failed?.backupId === null ? made : Math.max(made, timeOf(failed?.startedAt));
  // A clock that was ahead when they were chosen must not end the schedule.
  const chosen = Date.parse(updatedAt) > now.getTime() + HOUR_MS ? 0 : Date.parse(updatedAt);
  if (last.getTime() > Math.max(stored, chosen) && mayRetry("backup")) {
    return { kind: "backup", since: new Date(Math.max(made, startOf("backup", "failed"), last.getTime() - 1)) };
  }
  // A backup since then has stored anew what was damaged. What stays damaged has been reported for long enough after a day.
  const damaged = startOf("verify", "failed");
  const isReported = !hasDamaged || now.getTime() - damaged >= DAY_MS;
  if (damaged > startOf("verify", "done") && made > damaged && isReported) {
    return { kind: "verify", since: new Date(damaged) };
  }
  const drilled = startOf("drill", "done");
  if (!value.isDrilled || made === 0 || now.getTime() - drilled < DRILL_EVERY_MS || !mayRetry("drill")) return null;
  return { kind: "drill", since: new Date(Math.max(drilled, startOf("drill", "failed"))) };
}

/** What was done last, what is next, and what is wrong. */
export function toBackupStatus(history: Omit<BackupHistory, "hasDamaged">): BackupStatus {
  const { runs, timeZone, now } = history;
  const { value } = history.settings;
  const { isScheduled, isDrilled } = value;
  const lastBackup = latestRun(runs, "backup", "done");
  const lastDrill = latestRun(runs, "drill", "done");
  const drillAt = new Date(timeOf(lastDrill?.startedAt) + DRILL_EVERY_MS);
  const nextBackup = isScheduled ? timesAround(value, timeZone, now).next : null;
  // The first is made right after the first backup.
  const firstDrill = lastBackup === null ? nextBackup : now;
  const nextDrill = isScheduled && isDrilled ? (lastDrill === null ? firstDrill : drillAt) : null;
  return {
    running: runs.find(({ status }) => status === "running") ?? null,
    lastBackup,
    lastVerify: latestRun(runs, "verify", "done"),
    lastDrill,
    nextBackupAt: nextBackup?.toISOString() ?? null,
    nextDrillAt: nextDrill?.toISOString() ?? null,
    problem: isScheduled ? findProblem(runs) : null,
  };
}

/** The last failure of a kind that has not succeeded since. */
function findProblem(runs: readonly BackupRun[]): BackupStatus["problem"] {
  for (const kind of ["backup", "verify", "drill"] as const) {
    const failed = latestRun(runs, kind, "failed");
    if (failed === null || timeOf(latestRun(runs, kind, "done")?.startedAt) > timeOf(failed.startedAt)) continue;
    return { kind: PROBLEMS[kind], run: failed };
  }
  return null;
}

function latestRun(runs: readonly BackupRun[], kind: BackupRun["kind"], status: BackupRun["status"]): BackupRun | null {
  return runs.find((run) => run.kind === kind && run.status === status) ?? null;
}

function timeOf(timestamp: string | undefined): number {
  return timestamp === undefined ? 0 : Date.parse(timestamp);
}
