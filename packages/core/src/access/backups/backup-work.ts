import type { Deps } from "../../platform/deps.ts";
import { ConflictError } from "../../platform/errors.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { BackupFailure, type BackupOutcome } from "./backup-engine.ts";
import { cancelAbandonedBackupRuns, finishBackupRun, insertBackupRun, insertFoundDamage } from "./backup.queries.ts";
import { putDamagedBackups, selectDamagedBackups } from "./reported-damage.ts";
import type { BackupRun } from "./backup.schema.ts";

const ENDED = "The server ended before this was done.";
const UNEXPECTED = "Something unexpected happened; the log of the server has more.";

export interface BackupWorkDeps extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly processes: Pick<ProcessRegistry, "processId" | "onLost">;
}

/** What is to be done with backups. */
export interface BackupTask {
  readonly kind: BackupRun["kind"];
  readonly isScheduled: boolean;
  readonly backupId: string | null;
  /** Does nothing if this kind was begun since then, by any process; null in any case. */
  readonly unlessSince: Date | null;
  work(signal: AbortSignal): Promise<BackupOutcome>;
}

interface Active {
  readonly id: string;
  readonly ending: AbortController;
  readonly done: Promise<void>;
  /** It is done, and only has to be recorded. */
  isOver: boolean;
}

/** Does one thing at a time with backups, in one of all processes, and records what came of it. */
export function createBackupWork({ db, clock, ids, logger, processes }: BackupWorkDeps) {
  let active: Active | null = null;
  let isClosed = false;

  async function perform({ id, kind }: BackupRun, task: BackupTask, signal: AbortSignal): Promise<void> {
    let end: { status: BackupRun["status"]; outcome: Partial<BackupOutcome> };
    try {
      const outcome = await task.work(signal);
      end = { status: outcome.isIncomplete === true ? "failed" : "done", outcome };
    } catch (error) {
      const message = error instanceof BackupFailure || error instanceof ConflictError ? error.message : UNEXPECTED;
      end = signal.aborted
        ? { status: "cancelled", outcome: { message: ENDED } }
        : { status: "failed", outcome: { message } };
      if (!signal.aborted) logger.error({ err: error, kind }, "work on a backup failed");
    }
    if (active?.id === id) active.isOver = true;
    try {
      await finishBackupRun(db.pool, { id, status: end.status, now: clock.now() }, end.outcome);
      await recordDamage(end.outcome.damagedIds ?? null);
    } catch (error) {
      // It stays recorded as running, and is then ended as abandoned.
      logger.warn({ err: error, kind }, "the end of work on a backup could not be recorded");
    }
  }

  /** Reports backups that are damaged, unless all of them have been reported. */
  async function recordDamage(damaged: readonly string[] | null): Promise<void> {
    if (damaged === null) return;
    const reported = await selectDamagedBackups(db.pool);
    const now = clock.now();
    const backupId = damaged.at(-1);
    if (backupId !== undefined && damaged.some((id) => !reported.includes(id))) {
      const message =
        `${damaged.length === 1 ? "A backup needs" : `${damaged.length} backups need`} something that is lost and could not be stored ` +
        `anew, because the data has changed since: ${damaged.join(", ")}. They stay damaged until they are removed for their age.`;
      await insertFoundDamage(db.pool, { id: ids(), processId: processes.processId, backupId, message, now });
    }
    await putDamagedBackups(db.pool, damaged, now);
  }

  processes.onLost(() => active?.ending.abort());

  return {
    /** Begins a task, which goes on after this resolves; null if there is one already, or it was begun since `unlessSince`. */
    async begin(task: BackupTask): Promise<BackupRun | null> {
      // Others may see that it is recorded before this process does.
      if (active?.isOver === true) await active.done;
      if (active !== null || isClosed) return null;
      const { kind, isScheduled, backupId, unlessSince } = task;
      const ending = new AbortController();
      const id = ids();
      let resolveDone = (): void => {};
      // From here on, so that it is not taken for abandoned.
      active = { id, ending, done: new Promise((resolve) => (resolveDone = resolve)), isOver: false };
      const release = (): void => {
        active = null;
        resolveDone();
      };
      try {
        const { processId } = processes;
        const startedAt = clock.now();
        const run = await insertBackupRun(db.pool, {
          id,
          kind,
          isScheduled,
          processId,
          backupId,
          startedAt,
          unlessSince,
        });
        if (run === null) release();
        else void perform(run, task, ending.signal).finally(release);
        return run;
      } catch (error) {
        release();
        throw error;
      }
    },

    /** Ends what dead processes have begun. */
    async cancelAbandoned(): Promise<void> {
      const { processId } = processes;
      const activeId = active?.id ?? null;
      await cancelAbandonedBackupRuns(db.pool, { processId, activeId, now: clock.now(), message: ENDED });
    },

    /** Cancels what this process does, and begins nothing more. */
    async close(): Promise<void> {
      isClosed = true;
      active?.ending.abort();
      await active?.done;
    },
  };
}
