import { NONE } from "./task-filter.ts";

/** What the days and people of a filter are measured by. */
export interface FilterContext {
  /** `YYYY-MM-DD`, where the person is. */
  readonly today: string;
  /** The instant, as stored, at which a day begins where the person is. */
  readonly startOf: (day: string) => string;
  /** The instant, as stored. */
  readonly now: string;
  /** The id of the person who asks; null if it is none. */
  readonly me: string | null;
}

/** Days from the first one up to, not including, the last one; undefined where there is no bound. */
export interface DayRange {
  readonly from?: string;
  readonly before?: string;
}

const DAY_MS = 86_400_000;
const LAST_DAY_MS = Date.UTC(9999, 11, 31);
const PLAIN_DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;
const OFFSET = /^([+-])(\d{1,4})([dw])$/;
const PERIOD = /^(next|last)-(\d{1,3})-days$/;
const LATER_DAYS = 7;

export const OVERDUE = "overdue";
export const ANY = "any";
export const LATER = "later";

const NAMED_DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const NAMED_PERIODS = [
  "this-week",
  "next-week",
  "last-week",
  "this-month",
  "next-month",
  "last-month",
  LATER,
  ANY,
  NONE,
] as const;

/** Whether a text names one day: `2026-12-24`, `today`, `+3d`, `-2w`. */
export function isDayName(text: string): boolean {
  return Object.hasOwn(NAMED_DAYS, text) || OFFSET.test(text) || isDate(text);
}

/** Whether a text names a day or days: also `this-week`, `next-7-days`, `later`, `none`, `any`; and `overdue` of due dates. */
export function isPeriodName(text: string, isDue: boolean): boolean {
  return (
    isDayName(text) || PERIOD.test(text) || NAMED_PERIODS.some((name) => name === text) || (isDue && text === OVERDUE)
  );
}

/** The date of a named day. */
export function dayNamed(name: string, today: string): string {
  const named = NAMED_DAYS[name];
  if (named !== undefined) return addDays(today, named);
  const [, sign, count, unit] = OFFSET.exec(name) ?? [];
  if (count === undefined) return name;
  return addDays(today, (sign === "-" ? -1 : 1) * Number(count) * (unit === "w" ? 7 : 1));
}

/** The days of a period; of {@link ANY} and {@link NONE} all, since they are about whether there is a date at all. */
export function rangeOf(name: string, today: string): DayRange {
  if (name === ANY || name === NONE) return {};
  if (name === OVERDUE) return { before: today };
  if (name === LATER) return { from: addDays(today, LATER_DAYS + 1) };
  const [, direction, count] = PERIOD.exec(name) ?? [];
  if (count !== undefined)
    return direction === "next"
      ? { from: today, before: addDays(today, Number(count) + 1) }
      : { from: addDays(today, -Number(count)), before: addDays(today, 1) };
  const [which, unit] = name.split("-");
  const step = which === "next" ? 1 : which === "last" ? -1 : 0;
  if (unit === "week") {
    const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7) + 7 * step);
    return { from: monday, before: addDays(monday, 7) };
  }
  if (unit === "month") return { from: monthOf(today, step), before: monthOf(today, step + 1) };
  const day = dayNamed(name, today);
  return { from: day, before: addDays(day, 1) };
}

/** The days that are before, up to, after or from a day on. */
export function rangeBeside(op: "<" | "<=" | ">" | ">=", name: string, today: string): DayRange {
  const day = dayNamed(name, today);
  switch (op) {
    case "<":
      return { before: day };
    case "<=":
      return { before: addDays(day, 1) };
    case ">":
      return { from: addDays(day, 1) };
    case ">=":
      return { from: day };
  }
}

export function addDays(day: string, count: number): string {
  return toDate(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS);
}

function monthOf(day: string, step: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  return toDate(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + step, 1));
}

function toDate(ms: number): string {
  return new Date(Math.min(ms, LAST_DAY_MS)).toISOString().slice(0, 10);
}

function isDate(text: string): boolean {
  if (!PLAIN_DATE.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
