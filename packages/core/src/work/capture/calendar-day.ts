/** A calendar day without a time zone, counted from 1970-01-01. */
export type Day = number;

const DAY_MS = 24 * 60 * 60 * 1000;
const LAST_YEAR = 9999;

/** The day with this date; null if there is none, such as February 30. */
export function dayFrom(year: number, month: number, dayOfMonth: number): Day | null {
  if (year < 1 || year > LAST_YEAR) return null;
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  date.setUTCFullYear(year, month - 1, dayOfMonth);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth ? date.getTime() / DAY_MS : null;
}

/** Parses `YYYY-MM-DD`. */
export function parseDay(text: string): Day | null {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return year === undefined ? null : dayFrom(Number(year), Number(month), Number(dayOfMonth));
}

/** The date as `YYYY-MM-DD`. */
export function dateOf(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Year, month and day of the month, each counted from 1. */
export function partsOf(day: Day): { year: number; month: number; dayOfMonth: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() };
}

/** 0 is Monday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** The same day of another month, or that month's last day if it is shorter. Null beyond the year 9999. */
export function monthsAfter(day: Day, months: number): Day | null {
  const { year, month, dayOfMonth } = partsOf(day);
  const first = firstOfMonth(year, month + months);
  const next = firstOfMonth(year, month + months + 1);
  return first === null || next === null ? null : Math.min(first + dayOfMonth, next) - 1;
}

/** The first day of a month; months beyond 12 belong to later years. */
export function firstOfMonth(year: number, month: number): Day | null {
  const months = year * 12 + month - 1;
  return dayFrom(Math.floor(months / 12), (months % 12) + 1, 1);
}
