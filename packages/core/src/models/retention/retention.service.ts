import type { Deps } from "../../platform/deps.ts";
import { ConflictError } from "../../platform/errors.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import { describeClockJump, noteClock, type ClockJump } from "./clock-guard.ts";
import { noteSince, readPruning, readSince } from "./pruning-record.ts";
import { createPruning, type OldTrash } from "./pruning.ts";
import { isPruningLocked } from "./removal.queries.ts";
import type { RetentionSettingsService } from "./retention-settings.service.ts";
import type { RetentionPreview, RetentionStatus } from "./retention.schema.ts";

const LOOK_EVERY_MS = 10 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

export interface RetentionServiceDeps extends Deps<"db" | "clock" | "logger"> {
  readonly oldTrash: OldTrash;
  readonly retentionSettings: Pick<RetentionSettingsService, "days">;
}

export type RetentionService = ReturnType<typeof createRetentionService>;

/** Removes what is old, every day and when asked to, in one of all processes. */
export function createRetentionService(deps: RetentionServiceDeps) {
  const { db, clock, logger, retentionSettings } = deps;
  const pruning = createPruning({ ...deps, retentionDays: retentionSettings.days });
  const closing = new AbortController();
  let active: Promise<unknown> | null = null;
  /** Nothing is removed, because the clock has jumped. */
  let isHeld = false;

  /** A day after the last run; after one that was ended, an hour after it began. Null before anybody has looked. */
  async function nextRunAt(): Promise<Date | null> {
    const [since, last] = await Promise.all([readSince(deps), readPruning(deps)]);
    if (last?.completedAt != null) return new Date(Date.parse(last.completedAt) + DAY_MS);
    if (last !== null) return new Date(Date.parse(last.startedAt) + HOUR_MS);
    return since === null ? null : new Date(since.getTime() + DAY_MS);
  }

  /** Throws {@link ConflictError} if this process is doing it already. */
  function run(): Promise<void> {
    if (active !== null || closing.signal.aborted) throw alreadyRunning();
    const work = async (): Promise<void> => {
      const done = await pruning.prune({ signal: closing.signal, isBackground: true });
      if (done !== null && done.removed.length > 0) logger.info({ removed: done.removed }, "removed what was old");
    };
    const running = work().finally(() => (active = null));
    active = running;
    return running;
  }

  async function look(): Promise<void> {
    const jump = await noteClock(deps);
    await noteSince(deps);
    if (jump !== null) {
      if (!isHeld) logger.warn(jump, explain(jump));
      isHeld = true;
      return;
    }
    isHeld = false;
    const due = await nextRunAt();
    if (active === null && due !== null && due <= clock.now()) await run();
  }

  return {
    async status(): Promise<RetentionStatus> {
      const [isRunning, lastRun, next] = await Promise.all([isPruningLocked(db.pool), readPruning(deps), nextRunAt()]);
      return { isRunning, lastRun, nextRunAt: next?.toISOString() ?? null };
    },

    preview: (): Promise<RetentionPreview> => pruning.preview(),

    /** Begins to remove what is old. Throws {@link ConflictError} if any process is doing it already, or the clock has jumped. */
    async start(): Promise<RetentionStatus> {
      const jump = await noteClock(deps);
      if (jump !== null) throw new ConflictError(explain(jump));
      if (await isPruningLocked(db.pool)) throw alreadyRunning();
      run().catch((error: unknown) => logger.error({ err: error }, "what is old could not be removed"));
      return { ...(await this.status()), isRunning: true };
    },

    /** Removes what is old if that is due. */
    look,

    /** Looks whether it is due until it is closed, which also ends what this process does. */
    startSchedule(): Closable {
      const onError = (error: unknown) => logger.warn({ err: error }, "what is old could not be removed");
      const looking = repeat(look, { everyMs: LOOK_EVERY_MS, onError });
      return {
        async close() {
          closing.abort();
          await looking.close();
          await active?.catch(() => undefined);
        },
      };
    },
  };
}

function explain(jump: ClockJump): string {
  const { message, remedy } = describeClockJump(jump);
  return `${message} ${remedy}`;
}

function alreadyRunning(): ConflictError {
  return new ConflictError("What is old is being removed already.");
}
