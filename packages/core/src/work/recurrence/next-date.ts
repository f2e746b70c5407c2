import { RRuleTemporal } from "rrule-temporal";
import { dateOf, firstOfMonth, parseDay, partsOf, weekdayOf, type Day } from "../capture/calendar-day.ts";
import { formatRepeatRule, type Frequency, type RepeatRule } from "./repeat-rule.ts";

/** Through how many periods the library looks for the next date: a rule without one would take seconds. */
const MAX_PERIODS: Readonly<Record<Frequency, number>> = { DAILY: 800, WEEKLY: 400, MONTHLY: 400, YEARLY: 60 };
const MAX_CANDIDATES = 5_000;
const LAST_YEAR = 9999;

/** When a rule applies next, and with which rule it goes on from there. */
export interface NextDate {
  readonly date: string;
  readonly rule: RepeatRule;
}

/**
 * The first date of a rule after another one; the rule begins at `from`, which is not after it. Null if the rule has ended or none
 * of its dates is near.
 */
export function nextDate(rule: RepeatRule, { from, after }: { from: string; after: string }): NextDate | null {
  const start = dayOf(from);
  const anchored = anchoredAt(rule, start);
  const next =
    rule.count === null ? firstAfter(anchored, start, dayOf(after)) : countedAfter(anchored, start, dayOf(after));
  if (next === null) return null;
  const date = dateOf(next.day);
  if (rule.until !== null && date > rule.until) return null;
  const kept = keepsEnd(rule, start) ? anchored : rule;
  return { date, rule: { ...kept, count: next.remaining } };
}

/** The first date of a rule that begins on a day: that day if it is one. Null if none is near. */
export function firstDate(rule: RepeatRule, from: string): string | null {
  const start = dayOf(from);
  const first = firstAfter(anchoredAt(rule, start), start, start - 1);
  if (first === null) return null;
  const date = dateOf(first.day);
  return rule.until !== null && date > rule.until ? null : date;
}

function dayOf(date: string): Day {
  return parseDay(date) ?? 0;
}

/**
 * The rule with what it takes from the day on which it begins. A day that not all months have stands for the last one in those that do not:
 * who repeats something monthly from January 31 does not mean to skip February.
 */
function anchoredAt(rule: RepeatRule, start: Day): RepeatRule {
  const { frequency, days, monthDays, months } = rule;
  if (days.length > 0 || monthDays.length > 0) return rule;
  const { month, dayOfMonth } = partsOf(start);
  switch (frequency) {
    case "DAILY":
      return rule;
    case "WEEKLY":
      return { ...rule, days: [{ ordinal: null, weekday: weekdayOf(start) }] };
    case "MONTHLY":
      return keepsEnd(rule, start) ? { ...rule, ...upTo(dayOfMonth) } : { ...rule, monthDays: [dayOfMonth] };
    case "YEARLY": {
      const named = { ...rule, months: months.length === 0 ? [month] : months };
      return keepsEnd(rule, start) ? { ...named, ...upTo(dayOfMonth) } : { ...named, monthDays: [dayOfMonth] };
    }
  }
}

function upTo(dayOfMonth: number): Pick<RepeatRule, "monthDays" | "positions"> {
  return { monthDays: [28, 29, 30, 31].filter((day) => day <= dayOfMonth), positions: [-1] };
}

/** Whether the rule has to remember the day on which it began, since the next date may be an earlier one of its month. */
function keepsEnd({ frequency, days, monthDays, months }: RepeatRule, start: Day): boolean {
  const { month, dayOfMonth } = partsOf(start);
  if (days.length > 0 || monthDays.length > 0 || dayOfMonth < 29) return false;
  if (frequency === "MONTHLY") return true;
  return frequency === "YEARLY" && (months.length === 0 ? month === 2 : months.length === 1);
}

interface Found {
  readonly day: Day;
  readonly remaining: number | null;
}

/** Begins near the date that is sought, because the library looks through every period from the beginning. */
function firstAfter(rule: RepeatRule, start: Day, after: Day): Found | null {
  const near = periodAt(rule, start, after);
  const day = near === null ? null : findDate(rule, near, (date) => date > after);
  return day === null ? null : { day, remaining: null };
}

/** Counts the dates that were missed, too. */
function countedAfter(rule: RepeatRule, start: Day, after: Day): Found | null {
  let remaining = rule.count ?? 0;
  const found = findDate(rule, start, (date) => {
    if (date > start) remaining -= 1;
    return date > after || remaining < 1;
  });
  if (remaining < 1) return null;
  // What was missed for years is not counted any more.
  const day = found ?? firstAfter(rule, start, after)?.day;
  return day === undefined ? null : { day, remaining };
}

/** The first date of a rule from a day on that is the one sought; null if there is none in too many periods. */
function findDate(rule: RepeatRule, start: Day, isSought: (date: Day) => boolean): Day | null {
  const text = formatRepeatRule({ ...rule, count: null, until: null });
  const dates = new RRuleTemporal({
    rruleString: `DTSTART:${dateOf(start).replaceAll("-", "")}T000000Z\nRRULE:${text}`,
    maxIterations: MAX_PERIODS[rule.frequency],
    maxCandidateEvaluations: MAX_CANDIDATES,
    cache: false,
  });
  const found: Day[] = [];
  try {
    dates.all(({ epochMilliseconds }) => {
      const date = Math.floor(epochMilliseconds / DAY_MS);
      if (isSought(date)) found.push(date);
      return found.length === 0;
    });
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("Maximum "))) throw error;
  }
  return found[0] ?? null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The beginning of the rule's last period that begins before the date that is sought; null beyond the year 9999. */
function periodAt(rule: RepeatRule, start: Day, after: Day): Day | null {
  const { frequency, interval, weekStart } = rule;
  const whole = (count: number) => Math.max(0, Math.floor(count / interval) * interval);
  const first = partsOf(start);
  const last = partsOf(after);
  if (last.year >= LAST_YEAR) return null;
  switch (frequency) {
    case "DAILY":
      return start + whole(after - start);
    case "WEEKLY": {
      const week = start - ((weekdayOf(start) - weekStart + 7) % 7);
      return Math.max(start, week + 7 * whole((after - week) / 7));
    }
    case "MONTHLY": {
      const months = whole((last.year - first.year) * 12 + last.month - first.month);
      return later(start, firstOfMonth(first.year, first.month + months));
    }
    case "YEARLY":
      return later(start, firstOfMonth(first.year + whole(last.year - first.year), 1));
  }
}

function later(start: Day, period: Day | null): Day | null {
  return period === null ? null : Math.max(start, period);
}
