import { parseDay } from "../capture/calendar-day.ts";

/** Longer rules are not read. */
export const MAX_RULE_LENGTH = 300;

export const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The days of the week as iCalendar names them; 0 is Monday. */
export const DAY_NAMES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

/** A day of the week, or with an ordinal the n-th of its month or year; negative ones count from the end. */
export interface RuleDay {
  readonly ordinal: number | null;
  /** 0 is Monday. */
  readonly weekday: number;
}

/** How often a task repeats: the parts of an iCalendar recurrence rule (RFC 5545) that concern days. */
export interface RepeatRule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly days: readonly RuleDay[];
  readonly monthDays: readonly number[];
  readonly months: readonly number[];
  /** Of what the other parts select within a period, only these; negative ones count from the end. */
  readonly positions: readonly number[];
  /** 0 is Monday. */
  readonly weekStart: number;
  /** How many occurrences there are, with that of the task itself; null for no end. */
  readonly count: number | null;
  /** The last possible date, `YYYY-MM-DD`; null for no end. */
  readonly until: string | null;
}

/** Why a text is no rule that tasks can have. */
export class RepeatRuleError extends Error {
  override readonly name = "RepeatRuleError";
}

const MAX_INTERVAL = 999;
const MAX_COUNT = 365;
const NAMES = "FREQ, INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST, COUNT and UNTIL";

/**
 * Reads a rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO`, in any case and order, with or without `RRULE:`. Throws
 * {@link RepeatRuleError} for what is none or has parts that tasks do not have, such as times of day, which their due time says.
 */
export function parseRepeatRule(text: string): RepeatRule {
  const parts = partsOf(text);
  const take = <T>(name: string, read: (value: string) => T | null, none: T): T => {
    const value = parts.get(name);
    if (value === undefined) return none;
    parts.delete(name);
    const taken = read(value);
    if (taken === null) throw new RepeatRuleError(`${name}=${value} is not possible`);
    return taken;
  };
  const frequency = take<Frequency | null>("FREQ", (value) => FREQUENCIES.find((name) => name === value) ?? null, null);
  if (frequency === null) throw new RepeatRuleError(`expected FREQ with ${FREQUENCIES.join(", ")}`);
  const rule: RepeatRule = {
    frequency,
    interval: take("INTERVAL", numberWithin(1, MAX_INTERVAL), 1),
    days: take("BYDAY", listOf(toDay, 60), []),
    monthDays: take("BYMONTHDAY", listOf(ordinalWithin(31), 62), []),
    months: take("BYMONTH", listOf(numberWithin(1, 12), 12), []),
    positions: take("BYSETPOS", listOf(ordinalWithin(31), 12), []),
    weekStart: take("WKST", (value) => toWeekday(value), 0),
    count: take<number | null>("COUNT", numberWithin(1, MAX_COUNT), null),
    until: take<string | null>("UNTIL", toDate, null),
  };
  const [other] = parts.keys();
  if (other !== undefined) throw new RepeatRuleError(`expected only ${NAMES}, not ${other}`);
  assertFits(rule);
  return rule;
}

/** The rule in the order and form in which it is stored. */
export function formatRepeatRule(rule: RepeatRule): string {
  const { frequency, interval, days, monthDays, months, positions, weekStart, count, until } = rule;
  const parts = [
    `FREQ=${frequency}`,
    ...(interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...list("BYMONTH", months),
    ...list("BYMONTHDAY", monthDays),
    ...list(
      "BYDAY",
      days.map(({ ordinal, weekday }) => `${ordinal ?? ""}${DAY_NAMES[weekday] ?? ""}`),
    ),
    ...list("BYSETPOS", positions),
    ...(weekStart === 0 ? [] : [`WKST=${DAY_NAMES[weekStart] ?? ""}`]),
    ...(count === null ? [] : [`COUNT=${count}`]),
    ...(until === null ? [] : [`UNTIL=${until.replaceAll("-", "")}`]),
  ];
  return parts.join(";");
}

function list(name: string, values: readonly (string | number)[]): string[] {
  return values.length === 0 ? [] : [`${name}=${values.join(",")}`];
}

function partsOf(text: string): Map<string, string> {
  if (text.length > MAX_RULE_LENGTH) throw new RepeatRuleError(`must be at most ${MAX_RULE_LENGTH} characters`);
  const parts = new Map<string, string>();
  for (const part of text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "")
    .replace(/;$/, "")
    .split(";")) {
    const [name = "", value, ...rest] = part.split("=");
    if (value === undefined || rest.length > 0 || !/^[A-Z]+$/.test(name))
      throw new RepeatRuleError("expected an iCalendar rule, such as FREQ=WEEKLY;INTERVAL=2");
    if (parts.has(name)) throw new RepeatRuleError(`expected ${name} once`);
    parts.set(name, value);
  }
  return parts;
}

/** What RFC 5545 rules out, and what could select nothing. */
function assertFits({ frequency, days, monthDays, months, positions, count, until }: RepeatRule): void {
  const isInMonths = frequency === "MONTHLY" || frequency === "YEARLY";
  if (count !== null && until !== null) throw new RepeatRuleError("expected COUNT or UNTIL, not both");
  if (frequency === "WEEKLY" && monthDays.length > 0) throw new RepeatRuleError("a week has no BYMONTHDAY");
  if (!isInMonths && positions.length > 0) throw new RepeatRuleError("BYSETPOS needs FREQ=MONTHLY or FREQ=YEARLY");
  if (positions.length > 0 && days.length === 0 && monthDays.length === 0)
    throw new RepeatRuleError("BYSETPOS needs BYDAY or BYMONTHDAY");
  const largest = Math.max(0, ...days.map(({ ordinal }) => Math.abs(ordinal ?? 0)));
  if (largest > 0 && !isInMonths) throw new RepeatRuleError("BYDAY with a number needs FREQ=MONTHLY or FREQ=YEARLY");
  if (largest > (frequency === "YEARLY" && months.length === 0 ? 53 : 5))
    throw new RepeatRuleError("BYDAY names a week that no month has");
}

function numberWithin(least: number, most: number) {
  return (text: string): number | null => {
    const value = /^\+?\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : null;
  };
}

function ordinalWithin(most: number) {
  return (text: string): number | null => {
    const value = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : 0;
    return value !== 0 && Math.abs(value) <= most ? value : null;
  };
}

function listOf<T>(read: (text: string) => T | null, most: number) {
  return (text: string): T[] | null => {
    const texts = [...new Set(text.split(","))];
    const values = texts.flatMap((one) => read(one) ?? []);
    return texts.length <= most && values.length === texts.length ? values : null;
  };
}

function toDay(text: string): RuleDay | null {
  const [, number, name = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
  const weekday = toWeekday(name);
  const ordinal = number === undefined ? null : Number(number);
  return weekday === null || ordinal === 0 ? null : { ordinal, weekday };
}

function toWeekday(name: string): number | null {
  const index = DAY_NAMES.findIndex((other) => other === name);
  return index === -1 ? null : index;
}

function toDate(text: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})(?:T\d{6}Z?)?$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return year === undefined || parseDay(date) === null ? null : date;
}
