import { planOf, WEEK, type SchedulePlan } from "./schedule-plan.ts";

const DAY_NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A schedule in words: "Every weekday at 9:00". */
export function describeSchedule(expression: string): string {
  return describePlan(planOf(expression));
}

/** A plan in words; an expression that cannot be put into words is shown as it is. */
export function describePlan(plan: SchedulePlan): string {
  switch (plan.kind) {
    case "hourly":
      return plan.minute === 0 ? "Every hour, on the hour" : `Every hour, ${plan.minute} min past`;
    case "daily":
      return `Every day at ${formatClock(plan.time)}`;
    case "weekdays":
      return `Every weekday at ${formatClock(plan.time)}`;
    case "weekly":
      return `Every ${joinDayNames(plan.days)} at ${formatClock(plan.time)}`;
    case "custom":
      return describeExpression(plan.expression);
  }
}

/** The day's name, by cron's number. */
export function dayName(day: number): string {
  return DAY_NAMES[day] ?? "";
}

/** How soon something happens: "in 5 min", "in 3 h", "in 2 days". */
export function formatTimeUntil(timestamp: string, now: Date): string {
  const ms = Date.parse(timestamp) - now.getTime();
  if (ms < MINUTE_MS) return "in less than a minute";
  if (ms < HOUR_MS) return `in ${Math.round(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return `in ${Math.round(ms / HOUR_MS)} h`;
  const days = Math.round(ms / DAY_MS);
  return days === 1 ? "in a day" : `in ${days} days`;
}

/** A future time in a time zone: "Fri, 12 Dec, 09:00". */
export function formatRunTime(timestamp: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(new Date(timestamp));
}

function formatClock(time: string): string {
  return time.replace(/^0(?=\d:)/, "");
}

function joinDayNames(days: readonly number[]): string {
  const names = WEEK.filter((day) => days.includes(day)).map(dayName);
  if (names.length === 0) return "…";
  if (names.length === 1) return names.join();
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function describeExpression(expression: string): string {
  const fields = expression.split(/\s+/);
  const [minute = "", ...others] = fields;
  const everyMinutes = /^\*(?:\/(\d{1,2}))?$/.exec(minute);
  if (fields.length === 5 && everyMinutes !== null && others.every((field) => field === "*")) {
    const count = Number(everyMinutes[1] ?? 1);
    return count === 1 ? "Every minute" : `Every ${count} minutes`;
  }
  const dayOfMonth = /^(\d{1,2}) (\d{1,2}) (\d{1,2}) \* \*$/.exec(expression);
  if (dayOfMonth !== null) {
    const [, atMinute = "", hour = "", day = ""] = dayOfMonth;
    return `Every month on day ${Number(day)} at ${Number(hour)}:${atMinute.padStart(2, "0")}`;
  }
  return `Cron expression ${expression}`;
}
