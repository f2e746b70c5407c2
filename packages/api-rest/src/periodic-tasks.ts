import { repeat, type Closable, type Services } from "@workspace/core";
import type { Logger } from "pino";

/** How often hook events are aggregated, so that the first request for statistics need not wait for it. */
const COUNT_HOOK_EVENTS_EVERY_MS = 5 * 60_000;
/** How often asks that a crash left uncharged are settled. */
const SETTLE_ASKS_EVERY_MS = 60_000;
/** How often challenges to sign in are removed that nobody has answered. */
const PRUNE_CHALLENGES_EVERY_MS = 60 * 60_000;
/** How often old records of what was done with backups are removed. */
const PRUNE_BACKUP_RUNS_EVERY_MS = 24 * 60 * 60_000;
/** A session is read for its use of memories once it has paused for a minute. */
const OBSERVE_MEMORY_USE_EVERY_MS = 60_000;

/** Starts what a server does from time to time besides its background work. */
export function startPeriodicTasks(
  { accounts, asks, backups, hookStatistics, memoryUse, retention }: Services,
  logger: Logger,
): Closable[] {
  return [
    backups.startSchedule(),
    retention.startSchedule(),
    repeat(() => asks.settleAbandoned(), {
      everyMs: SETTLE_ASKS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, "asks that a crash left uncharged could not be settled"),
    }),
    repeat(() => hookStatistics.prepare(), {
      everyMs: COUNT_HOOK_EVENTS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, "hook events could not be aggregated"),
    }),
    repeat(() => memoryUse.observe(), {
      everyMs: OBSERVE_MEMORY_USE_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, "sessions could not be read for their use of memories"),
    }),
    repeat(() => accounts.deleteExpired(), {
      everyMs: PRUNE_CHALLENGES_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, "expired challenges to sign in could not be removed"),
    }),
    repeat(() => backups.deleteOld(), {
      everyMs: PRUNE_BACKUP_RUNS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, "old records of backups could not be removed"),
    }),
  ];
}
