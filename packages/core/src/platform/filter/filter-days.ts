import { NONE, type Condition, type OrderOp } from "./filter.ts";

/** What the days and people of a filter are measured by. */
export interface FilterContext {
  /** `YYYY-MM-DD`, where the person is. */
  readonly today: string;
  /** With which day weeks begin: 0 is Sunday. Monday if it is not known. */
  readonly firstWeekday?: number | undefined;
  /** The instant, as stored, at which a day begins where the person is. */
  readonly startOf: (day: string) => string;
  /** The instant, as stored. */
  readonly now: string;
  /** The id of the person who asks; null if it is none. */
  readonly me: string | null;
}

/** Days from the first one up to, not including, the last one; undefined where there is no bound. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

type Unit = "day" | "week" | "month" | "year";

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(1000, 0, 1);
const LAST_DAY_MS = Date.UTC(9999, 11, 31);
const MONDAY = 1;
const LATER_DAYS = 7;
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;
const YEAR_OR_MONTH = /^[1-9]\d{3}(?:-\d{2})?$/;
const OFFSETS = /^(?:[+-]\d{1,5}[dwmy]){1,2}$/;
const OFFSET = /([+-]\d+)([dwmy])/g;
const COUNTED = /^(next|last)-(\d{1,3})-days$/;
const NAMED = /^(this|next|last)-(week|month|year)$/;
const NAMED_DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const UNITS: Readonly<Record<string, Unit>> = { d: "day", w: "week", m: "month", y: "year" };
const STEPS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

export const OVERDUE = "overdue";
export const ANY = "any";
export const LATER = "later";

/** Whether a text names one day: `2026-12-24`, `today`, `+3d`, `-2w`. */
export function isDayName(text: string): boolean {
  return Object.hasOwn(NAMED_DAYS, text) || OFFSETS.test(text) || (DATE.test(text) && isDay(text));
}

/** Whether a text names days with a beginning and an end: also `2026-12`, `this-week`, `next-7-days`, `today..+6d`. */
export function isSpanName(text: string): boolean {
  const [first = "", last, ...more] = text.split("..");
  if (last !== undefined) return more.length === 0 && isDayName(first) && isDayName(last);
  const isWritten = YEAR_OR_MONTH.test(text) && isDay(text.length === 4 ? `${text}-01-01` : `${text}-01`);
  return isDayName(text) || isWritten || COUNTED.test(text) || NAMED.test(text);
}

/** Whether a text names a day or days: also `later`, `none`, `any`; and `overdue` of due dates. */
export function isPeriodName(text: string, isDue: boolean): boolean {
  return isSpanName(text) || text === LATER || text === ANY || text === NONE || (isDue && text === OVERDUE);
}

/** The days that a condition on a date asks for with one of its values; all for {@link ANY} and {@link NONE}. */
export function daysOf({ op }: Pick<Condition, "op">, value: string, context: FilterContext): DayRange {
  return op === "<" || op === "<=" || op === ">" || op === ">="
    ? rangeBeside(op, value, context)
    : rangeOf(value, context);
}

type Days = Pick<FilterContext, "today" | "firstWeekday">;

/** The days of a period. */
export function rangeOf(name: string, { today, firstWeekday = MONDAY }: Days): DayRange {
  if (name === ANY || name === NONE) return {};
  if (name === OVERDUE) return { before: today };
  if (name === LATER) return { from: addDays(today, LATER_DAYS + 1) };
  const [first = "", last] = name.split("..");
  if (last !== undefined) return { from: dayNamed(first, today), before: addDays(dayNamed(last, today), 1) };
  if (YEAR_OR_MONTH.test(name)) return spanOf(name.length === 4 ? "year" : "month", `${name}-01-01`.slice(0, 10));
  const [, direction, count] = COUNTED.exec(name) ?? [];
  if (count !== undefined)
    return direction === "next"
      ? { from: today, before: addDays(today, Number(count) + 1) }
      : { from: addDays(today, -Number(count)), before: addDays(today, 1) };
  const [, which = "", unit] = NAMED.exec(name) ?? [];
  if (unit === "week" || unit === "month" || unit === "year")
    return spanOf(unit, shift(firstOf(unit, today, firstWeekday), unit, STEPS[which] ?? 0));
  return spanOf("day", dayNamed(name, today));
}

/** The days that are before, up to, after or from a period on. */
function rangeBeside(op: OrderOp, name: string, context: Days): DayRange {
  const { from, before } = rangeOf(name, context);
  switch (op) {
    case "<":
      return { before: from };
    case "<=":
      return { before };
    case ">":
      return { from: before };
    case ">=":
      return { from };
  }
}

/** The date of a named day. */
function dayNamed(name: string, today: string): string {
  const named = NAMED_DAYS[name];
  if (named !== undefined) return addDays(today, named);
  if (!OFFSETS.test(name)) return name;
  let day = today;
  for (const [, count, letter = "d"] of name.matchAll(OFFSET)) day = shift(day, UNITS[letter] ?? "day", Number(count));
  return day;
}

function spanOf(unit: Unit, from: string): DayRange {
  return { from, before: shift(from, unit, 1) };
}

/** The first day of the week, month or year that a day is in. */
function firstOf(unit: Unit, day: string, firstWeekday: number): string {
  if (unit === "year") return `${day.slice(0, 4)}-01-01`;
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() - firstWeekday + 7) % 7));
}

export function addDays(day: string, count: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS);
}

/** A day that many units later. The last day of a month stays in the month that it gets to. */
function shift(day: string, unit: Unit, count: number): string {
  if (unit === "day" || unit === "week") return addDays(day, count * (unit === "day" ? 1 : 7));
  const date = new Date(`${day}T00:00:00Z`);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * (unit === "month" ? 1 : 12);
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  return toDay(Date.UTC(Math.floor(months / 12), months % 12, Math.min(date.getUTCDate(), last)));
}

/** Within the years that have four digits. */
function toDay(timeMs: number): string {
  return new Date(Math.min(Math.max(timeMs, FIRST_DAY_MS), LAST_DAY_MS)).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
