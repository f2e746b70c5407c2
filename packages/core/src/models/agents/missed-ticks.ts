import { latestTimeBetween, latestTimes, type CronSchedule } from "./cron-schedule.ts";
import { LATE_AFTER_MS } from "./tick-claim.ts";

/** Ticks of one agent that were due and that no process has claimed. */
export interface MissedTicks {
  /** A later tick was claimed, so the process responsible for these has died. Each of them is still to be run. */
  readonly lost: readonly Date[];
  /** No later tick was claimed, so no server was running. Only the last of them is run, in place of all. */
  readonly last: Date | null;
  readonly coalesced: readonly Date[];
}

/** At most this many ticks are considered, which a schedule of every second reaches in three minutes. */
const MAX_TICKS = 200;

/** The ticks that may still be run: those of the last hour, after `after`. */
export function recentTicks(schedule: CronSchedule, after: Date, until: Date): Date[] {
  const oldest = new Date(Math.max(after.getTime(), until.getTime() - LATE_AFTER_MS));
  return latestTimes(schedule, oldest, until, MAX_TICKS);
}

/** The last tick after `after` that is too late to be run; null if there is none. */
export function lastLateTick(schedule: CronSchedule, after: Date, now: Date): Date | null {
  return latestTimeBetween(schedule, after, new Date(now.getTime() - LATE_AFTER_MS - 1));
}

/** Finds the due ticks that no process has claimed. Both arguments are sorted. */
export function findMissedTicks(due: readonly Date[], taken: readonly string[]): MissedTicks {
  const takenTimes = new Set(taken.map((time) => Date.parse(time)));
  const lastTaken = Math.max(...takenTimes, 0);
  const untaken = due.filter((time) => !takenTimes.has(time.getTime()));
  const afterLast = untaken.filter((time) => time.getTime() > lastTaken);
  return {
    lost: untaken.filter((time) => time.getTime() < lastTaken),
    last: afterLast.at(-1) ?? null,
    coalesced: afterLast.slice(0, -1),
  };
}
