import type { Deps } from "../../platform/deps.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import { findDueWork, toBackupStatus, type BackupHistory } from "./backup-due.ts";
import {
  BackupFailure,
  type BackupEngine,
  type BackupOutcome,
  type BackupPlace,
  type StoredBackup,
} from "./backup-engine.ts";
import type { BackupSettingsService } from "./backup-settings.service.ts";
import { createBackupWork, type BackupTask } from "./backup-work.ts";
import { deleteBackupRunsBefore, selectBackupRuns, selectLatestBackupRuns } from "./backup.queries.ts";
import type { BackupRun, BackupStatus } from "./backup.schema.ts";
import { selectDamagedBackups } from "./reported-damage.ts";
import { createStoredBackups } from "./stored-backups.ts";

const LOOK_EVERY_MS = 10_000;
/** With an hourly schedule a day of hours, and with any, what a person has made by hand stays for a day. */
const HOURS_KEPT = 24;
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

const readRuns = createPager("backup-runs", timeAndId, ({ startedAt, id }: BackupRun) => [startedAt, id]);

export interface BackupServiceDeps extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly backupEngine: BackupEngine;
  readonly backupSettings: Pick<BackupSettingsService, "read" | "place">;
  readonly processes: Pick<ProcessRegistry, "processId" | "onLost">;
  /** Says why what is at the vault's place now must not be taken for its content, as a sentence; null if it may. */
  readonly vaultMirror: { previewProblem(): Promise<string | null> };
  readonly timeZone: string;
}

export type BackupService = ReturnType<typeof createBackupService>;

/** Makes backups, by schedule and when asked to, checks them and tries them out, in one of all processes. */
export function createBackupService(deps: BackupServiceDeps) {
  const { db, clock, logger, backupEngine: engine, backupSettings, timeZone } = deps;
  const work = createBackupWork(deps);
  const stored = createStoredBackups(engine);

  async function requirePlace(): Promise<BackupPlace> {
    const place = await backupSettings.place();
    if (place === null) throw new ConflictError("Choose in the settings where backups are stored.");
    return place;
  }

  const makeBackup = async (signal: AbortSignal) => backUp(deps, await requirePlace(), signal);
  async function checkNewest(signal: AbortSignal) {
    const runs = await selectLatestBackupRuns(db.pool, clock.now());
    const made = runs.find(({ kind, status }) => kind === "backup" && status === "done");
    return engine.verify(await requirePlace(), made?.backupId ?? "", signal);
  }

  const tryOut = async (signal: AbortSignal) => engine.drill(await requirePlace(), signal);

  async function begin(kind: BackupRun["kind"], backupId: string | null, task: BackupTask["work"]) {
    await requirePlace();
    const run = await work.begin({ kind, isScheduled: false, backupId, unlessSince: null, work: task });
    if (run === null) throw new ConflictError("Wait until what is being done with backups has ended.");
    return run;
  }

  async function readHistory(): Promise<BackupHistory> {
    const [settings, runs, damaged] = await Promise.all([
      backupSettings.read(),
      selectLatestBackupRuns(db.pool, clock.now()),
      selectDamagedBackups(db.pool),
    ]);
    return { settings, runs, hasDamaged: damaged.length > 0, timeZone, now: clock.now() };
  }

  async function readStatus(): Promise<BackupStatus> {
    return toBackupStatus(await readHistory());
  }

  async function look(): Promise<void> {
    await work.cancelAbandoned();
    const due = findDueWork(await readHistory());
    if (due === null) return;
    const { kind, since } = due;
    const tasks = { backup: makeBackup, verify: checkNewest, drill: tryOut };
    await work.begin({ kind, isScheduled: true, backupId: null, unlessSince: since, work: tasks[kind] });
  }

  async function list(): Promise<readonly StoredBackup[]> {
    const [place, runs] = await Promise.all([requirePlace(), selectLatestBackupRuns(db.pool, clock.now())]);
    // Whatever was done may have stored something, or have found it damaged.
    const done = runs.flatMap(({ id, status }) => (status === "running" ? [] : [id]));
    return stored.read(place, done.toSorted().join());
  }

  return {
    status: readStatus,

    /** What failed last time, if backups are scheduled; null if nothing did. */
    async findProblem(): Promise<BackupStatus["problem"]> {
      return (await readStatus()).problem;
    },

    runs: (paging: Paging): Promise<Page<BackupRun>> => readRuns(paging, (range) => selectBackupRuns(db.pool, range)),

    /** The newest backups, the latest first. Throws {@link ConflictError} without a place, {@link UnavailableError}. */
    list,

    /** Makes a backup now. Resolves once it has begun. Throws {@link ConflictError} if something is being done already. */
    start: (): Promise<BackupRun> => begin("backup", null, makeBackup),

    /** Reads a backup back now. Throws {@link NotFoundError}, and {@link ConflictError} like `start`. */
    async verify(backupId: string): Promise<BackupRun> {
      if (!(await list()).some(({ id }) => id === backupId)) throw new NotFoundError("There is no such backup.");
      return begin("verify", backupId, async (signal) => engine.verify(await requirePlace(), backupId, signal));
    },

    /** Restores the newest backup into a temporary place now. Throws {@link ConflictError} like `start`. */
    drill: (): Promise<BackupRun> => begin("drill", null, tryOut),

    /** Begins what is due now, if anything. */
    look,

    /** Looks for what is due until it is closed, which also cancels what this process does. */
    startSchedule(): Closable {
      const onError = (error: unknown) => logger.warn({ err: error }, "backups that are due could not be begun");
      const looking = repeat(look, { everyMs: LOOK_EVERY_MS, onError });
      return {
        async close() {
          await looking.close();
          await work.close();
        },
      };
    },

    deleteOld: () => deleteBackupRunsBefore(db.pool, new Date(clock.now().getTime() - KEPT_MS)),
  };
}

/** Throws {@link BackupFailure} if what is at the vault's place is not the vault: that must not replace earlier backups. */
async function backUp(deps: BackupServiceDeps, place: BackupPlace, signal: AbortSignal): Promise<BackupOutcome> {
  const problem = await deps.vaultMirror.previewProblem();
  if (problem !== null) throw new BackupFailure(`Nothing was backed up, because the vault is missing. ${problem}`);
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly } = (await deps.backupSettings.read()).value;
  return deps.backupEngine.backUp(place, { hourly: HOURS_KEPT, daily, weekly, monthly }, signal);
}
