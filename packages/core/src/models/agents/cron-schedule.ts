import { CronExpressionParser, type CronExpression } from "cron-parser";
import { zoneOffsetMs } from "../../platform/time-zone.ts";

/** Digits, lists, ranges, steps, names of months and days, `?` for any day, `L` for the last, `#` for the n-th weekday. */
const FIELD = /^[0-9A-Z*,/?#-]+$/i;
const NAMES = /^(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT|L)$/i;
const MAX_LENGTH = 200;
const SECOND_MS = 1000;

/** A valid schedule, which computes the times when it is due. */
export interface CronSchedule {
  /** The next time after an instant. There always is one. */
  next(after: Date): Date;
}

/** Explains what is wrong with an expression; null if it is valid. */
export function explainInvalidCron(expression: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (expression.length > MAX_LENGTH || (fields.length !== 5 && fields.length !== 6)) {
    return "expected a cron expression of five fields (minute hour day month weekday), or six with seconds first";
  }
  if (!fields.every(isField)) return "expected digits, names and * , - / in the fields of a cron expression";
  try {
    parse(expression).next();
    return null;
  } catch (error) {
    return `expected a cron expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * A schedule in the local time of a time zone. A time that the clocks skip is due once, at the first instant after the gap.
 * A time that they show twice is due once, the first time, unless the schedule runs in every hour: "every ten minutes"
 * continues through the repeated hour. Throws for an expression that {@link explainInvalidCron} rejects.
 */
export function createCronSchedule(expression: string, timeZone: string): CronSchedule {
  const wallClock = parse(expression);
  const isEveryHour = wallClock.fields.hour.values.length === 24;

  /** The next wall-clock time that matches the expression, as if the clock were in UTC. */
  const nextWall = (wallMs: number): number => {
    wallClock.reset(new Date(wallMs));
    return wallClock.next().getTime();
  };

  return {
    next(after) {
      const afterMs = after.getTime();
      let wallMs = afterMs + zoneOffsetMs(timeZone, afterMs);
      for (;;) {
        wallMs = nextWall(wallMs);
        const instants = instantsOf(wallMs, timeZone);
        const due = (isEveryHour ? instants : instants.slice(0, 1)).find((instant) => instant > afterMs);
        if (due === undefined) continue;
        return new Date(isEveryHour ? earlierInRepeatedHour(afterMs, due) : due);
      }
    },
  };

  /** If the clocks are set back between two instants, the repeated times in between come first. */
  function earlierInRepeatedHour(afterMs: number, dueMs: number): number {
    const before = zoneOffsetMs(timeZone, afterMs);
    if (zoneOffsetMs(timeZone, dueMs) >= before) return dueMs;
    const setBackAt = findOffsetChange(timeZone, afterMs, dueMs);
    const offset = zoneOffsetMs(timeZone, setBackAt);
    const repeated = nextWall(setBackAt + offset - SECOND_MS) - offset;
    return Math.min(repeated, dueMs);
  }
}

/** The next `count` times after an instant. */
export function nextTimes(schedule: CronSchedule, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let from = after; times.length < count;) {
    from = schedule.next(from);
    times.push(from);
  }
  return times;
}

/** The times of a schedule after `after` and not after `until`, at most the `max` latest ones, in order. */
export function latestTimes(schedule: CronSchedule, after: Date, until: Date, max: number): Date[] {
  // No schedule has more than one time per second, and most have far fewer, so the window starts small and grows.
  for (let spanMs = max * SECOND_MS; ; spanMs *= 4) {
    const from = new Date(Math.max(after.getTime(), until.getTime() - spanMs));
    const times = timesBetween(schedule, from, until);
    if (times.length >= max || from.getTime() === after.getTime()) return times.slice(-max);
  }
}

function timesBetween(schedule: CronSchedule, after: Date, until: Date): Date[] {
  const times: Date[] = [];
  if (after >= until) return times;
  for (let time = schedule.next(after); time <= until; time = schedule.next(time)) times.push(time);
  return times;
}

/** The latest time of a schedule after `after` and not after `until`; null if there is none. */
export function latestTimeBetween(schedule: CronSchedule, after: Date, until: Date): Date | null {
  // Binary search, so that a schedule of every second costs no more than a yearly one.
  let latest: Date | null = null;
  let [from, to] = [after.getTime(), until.getTime()];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const next = schedule.next(new Date(middle)).getTime();
    if (next <= to) {
      latest = new Date(next);
      from = next;
    } else {
      to = middle;
    }
  }
  return latest;
}

/** The first instant in (from, to] with another offset from UTC; there must be one. */
function findOffsetChange(timeZone: string, fromMs: number, toMs: number): number {
  const offset = zoneOffsetMs(timeZone, fromMs);
  let [before, after] = [fromMs, toMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffsetMs(timeZone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The instants when the clocks show a wall-clock time: one, or two if it repeats; for a skipped time, the end of the gap. */
function instantsOf(wallMs: number, timeZone: string): number[] {
  const dayMs = 24 * 60 * 60 * SECOND_MS;
  const offsets = [zoneOffsetMs(timeZone, wallMs - dayMs), zoneOffsetMs(timeZone, wallMs + dayMs)];
  const instants = [...new Set(offsets)]
    .map((offset) => wallMs - offset)
    .filter((instant) => instant + zoneOffsetMs(timeZone, instant) === wallMs)
    .toSorted((a, b) => a - b);
  if (instants.length > 0) return instants;
  const [offsetBefore = 0] = offsets;
  return [findOffsetChange(timeZone, wallMs - dayMs, wallMs - offsetBefore + dayMs)];
}

function parse(expression: string): CronExpression {
  return CronExpressionParser.parse(expression.trim(), { tz: "UTC", currentDate: new Date(0) });
}

function isField(field: string): boolean {
  if (!FIELD.test(field)) return false;
  return (field.match(/[A-Z]+/gi) ?? []).every((name) => NAMES.test(name));
}
