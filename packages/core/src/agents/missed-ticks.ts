import { latestTimeBetween, latestTimes, type CronSchedule } from "./cron-schedule.ts";
import { LATE_AFTER_MS } from "./tick-claim.ts";

/** Ticks of one agent that were due and that nobody has taken. */
export interface MissedTicks {
  /** Another one was taken later: whoever had these in hand has died. Each is still to be run. */
  readonly lost: readonly Date[];
  /** Nothing was taken after them: no server was there. The last one is run, for all of them. */
  readonly last: Date | null;
  readonly coalesced: readonly Date[];
}

/** More than these are not looked at; a schedule with a tick in every second has as many in three minutes. */
const MAX_TICKS = 200;

/** The ticks that are worth a look: those of the last hour, after `after`. */
export function recentTicks(schedule: CronSchedule, after: Date, until: Date): Date[] {
  const oldest = new Date(Math.max(after.getTime(), until.getTime() - LATE_AFTER_MS));
  return latestTimes(schedule, oldest, until, MAX_TICKS);
}

/** The last tick that is too old to be run, after `after`; null where there is none. */
export function lastLateTick(schedule: CronSchedule, after: Date, now: Date): Date | null {
  return latestTimeBetween(schedule, after, new Date(now.getTime() - LATE_AFTER_MS - 1));
}

/** Sorts out which of the ticks that were due nobody has taken. Both are in order. */
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
