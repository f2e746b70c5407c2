import { dayIn, instantIn } from "../../platform/time-zone.ts";

export const BACKUP_FREQUENCIES = ["hour", "day", "week"] as const;

/** When backups are made. */
export interface BackupSchedule {
  readonly every: (typeof BACKUP_FREQUENCIES)[number];
  /** `HH:MM`, in the time zone of the server; for each hour, its minutes count. */
  readonly dayTime: string;
  /** For each week: 0 is Sunday. */
  readonly weekday: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A week in both directions, and a day more, because the zone's day is not that of UTC. */
const DAYS_AROUND = 8;

/** The last time of a schedule not after an instant, and the first one after it. */
export function timesAround(schedule: BackupSchedule, timeZone: string, now: Date): { last: Date; next: Date } {
  if (schedule.every === "hour") return hoursAround(schedule, now.getTime());
  const today = Date.parse(`${dayIn(timeZone, now)}T00:00:00Z`);
  const times: Date[] = [];
  for (let offset = -DAYS_AROUND; offset <= DAYS_AROUND; offset += 1) {
    const day = new Date(today + offset * DAY_MS);
    if (schedule.every === "week" && day.getUTCDay() !== schedule.weekday) continue;
    times.push(instantIn(timeZone, { date: day.toISOString().slice(0, 10), time: schedule.dayTime }));
  }
  const last = times.findLast((time) => time <= now) ?? now;
  return { last, next: times.find((time) => time > now) ?? now };
}

function hoursAround({ dayTime }: BackupSchedule, nowMs: number): { last: Date; next: Date } {
  const minutesMs = Number(dayTime.slice(3)) * 60_000;
  const lastMs = Math.floor((nowMs - minutesMs) / HOUR_MS) * HOUR_MS + minutesMs;
  return { last: new Date(lastMs), next: new Date(lastMs + HOUR_MS) };
}
