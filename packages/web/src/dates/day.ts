/** A calendar day without a time zone, counted from 1970-01-01. Plain arithmetic and comparison work on it. */
export type Day = number;

const DAY_MS = 24 * 60 * 60 * 1000;
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The local calendar day at this instant. */
export function todayOf(instant: Date): Day {
  return Date.UTC(instant.getFullYear(), instant.getMonth(), instant.getDate()) / DAY_MS;
}

/**
 * The day of a due date. A plain date is the same day everywhere; an instant is the day it falls on in the user's time zone.
 */
export function dayOf(dueDate: string): Day {
  if (PLAIN_DATE.test(dueDate)) return Date.parse(`${dueDate}T00:00:00.000Z`) / DAY_MS;
  return todayOf(new Date(dueDate));
}

export function isPlainDate(text: string): boolean {
  return PLAIN_DATE.test(text);
}

/** `YYYY-MM-DD`, the format in which the server stores a plain date. */
export function toPlainDate(day: Day): string {
  return toUtcDate(day).toISOString().slice(0, 10);
}

/** Midnight UTC of the day: for formatting with `timeZone: "UTC"` only. */
export function toUtcDate(day: Day): Date {
  return new Date(day * DAY_MS);
}

/** 0 is Monday. */
export function weekdayOf(day: Day): number {
  return (toUtcDate(day).getUTCDay() + 6) % 7;
}

/** The first day of the next week. `firstWeekday` is that with which weeks begin: 0 is Sunday. */
export function nextWeek(today: Day, firstWeekday: number): Day {
  const [first = today] = weekOf(today, firstWeekday);
  return first + 7;
}

/** The first day of the month that is `offset` months away from that of `day`. */
export function firstOfMonth(day: Day, offset = 0): Day {
  const date = toUtcDate(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / DAY_MS;
}

/** The days of a week. `firstWeekday` is that with which it begins: 0 is Sunday. */
export function weekOf(day: Day, firstWeekday: number): Day[] {
  const first = day - ((toUtcDate(day).getUTCDay() - firstWeekday + 7) % 7);
  return Array.from({ length: 7 }, (_, index) => first + index);
}

/** The weeks that a month's calendar shows, padded with days of the adjacent months. */
export function weeksOfMonth(day: Day, firstWeekday: number): Day[][] {
  const first = firstOfMonth(day);
  const [start = first] = weekOf(first, firstWeekday);
  const end = firstOfMonth(day, 1);
  const weekCount = Math.ceil((end - start) / 7);
  return Array.from({ length: weekCount }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => start + week * 7 + weekday),
  );
}

/** The same day of another month, or that month's last day if it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const dayOfMonth = day - firstOfMonth(day);
  const first = firstOfMonth(day, months);
  return Math.min(first + dayOfMonth, firstOfMonth(day, months + 1) - 1);
}
