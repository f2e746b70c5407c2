import { lazily } from "../lib/lazily.ts";
import { dayOf, isPlainDate, todayOf, toUtcDate, type Day } from "./day.ts";

/** Created when it is first used, which takes a millisecond or more: no page shows all formats. */
const formatOf = (options: Intl.DateTimeFormatOptions) =>
  lazily(() => new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }));
const weekday = formatOf({ weekday: "short" });
const dayMonth = formatOf({ day: "numeric", month: "short" });
const dayMonthYear = formatOf({ day: "numeric", month: "short", year: "numeric" });
const fullDate = formatOf({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const monthYear = formatOf({ month: "long", year: "numeric" });

/** A due date in short form: "Today", "Fri", "12 Dec", "Fri 9:00". A plain date may have a time beside it, "HH:MM". */
export function formatDueDate(dueDate: string, today: Day, dueTime: string | null = null): string {
  const day = formatDay(dayOf(dueDate), today);
  const time = timeOfDay(dueDate, dueTime);
  return time === null ? day : `${day} ${time}`;
}

/** A day in short form: near ones by name, distant ones by date, with the year only if it is not the current one. */
export function formatDay(day: Day, today: Day): string {
  const distance = day - today;
  if (distance === 0) return "Today";
  if (distance === 1) return "Tomorrow";
  if (distance === -1) return "Yesterday";
  const date = toUtcDate(day);
  if (distance > 1 && distance < 7) return weekday().format(date);
  const isThisYear = date.getUTCFullYear() === toUtcDate(today).getUTCFullYear();
  return (isThisYear ? dayMonth() : dayMonthYear()).format(date);
}

/** The full due date, for tooltips and screen readers. */
export function formatFullDueDate(dueDate: string, dueTime: string | null = null): string {
  const day = formatFullDay(dayOf(dueDate));
  const time = timeOfDay(dueDate, dueTime);
  return time === null ? day : `${day}, ${time}`;
}

function timeOfDay(dueDate: string, dueTime: string | null): string | null {
  if (!isPlainDate(dueDate)) return formatTime(new Date(dueDate));
  return dueTime === null ? null : dueTime.replace(/^0/, "");
}

/** "Friday, 12 December 2025" */
export function formatFullDay(day: Day): string {
  return fullDate().format(toUtcDate(day));
}

/** "December 2025" */
export function formatMonth(day: Day): string {
  return monthYear().format(toUtcDate(day));
}

/** How long ago something happened: "just now", "5 min ago", "3 h ago", "Yesterday", "12 Dec". */
export function formatTimeAgo(timestamp: string, now: Date): string {
  const instant = new Date(timestamp);
  const minutes = Math.floor((now.getTime() - instant.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const today = todayOf(now);
  const day = todayOf(instant);
  return day === today ? `${Math.floor(minutes / 60)} h ago` : formatDay(day, today);
}

/** The exact time in the user's time zone: "Friday, 12 December 2025, 9:00". */
export function formatFullTimestamp(timestamp: string): string {
  const instant = new Date(timestamp);
  return `${formatFullDay(todayOf(instant))}, ${formatTime(instant)}`;
}

/** The user's local time: "9:00". Not through Intl, whose formats keep the time zone that they were created with. */
export function formatTime(instant: Date): string {
  return `${instant.getHours()}:${String(instant.getMinutes()).padStart(2, "0")}`;
}
