import type { Token, TokenReader } from "./query-tokens.ts";

/** Days from the first one to the one before `to`, each as `YYYY-MM-DD`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, "day" | "week" | "month" | "year">> = {
  d: "day",
  day: "day",
  days: "day",
  w: "week",
  week: "week",
  weeks: "week",
  m: "month",
  month: "month",
  months: "month",
  y: "year",
  year: "year",
  years: "year",
};
type Unit = "day" | "week" | "month" | "year";

const NAMED_DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, now: 0, tomorrow: 1 };
const WHICH: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };
/** Further away there is nothing to find. */
const MAX_COUNT = 10_000;
const YEAR_LENGTH = 4;

/**
 * Takes a date or a period, if there is one: `2026-11-26`, `2026-11`, `today`, `today + 7d`, `+7d`, `in 2 weeks`, `3 days ago`,
 * `this week`, `last month`, `next 7 days`. Weeks begin on Monday.
 */
export function takePeriod(reader: TokenReader, today: string): Period | null {
  if (reader.peek().kind === "operator" && reader.peek().text === "+") return takeShifted(reader, today);
  if (reader.peek().kind !== "word") return null;
  const word = reader.peek().text.toLowerCase();
  return (
    takeWritten(reader, word) ??
    takeNamedDay(reader, word, today) ??
    takeNamedPeriod(reader, word, today) ??
    takeDistance(reader, word, today)
  );
}

/** The year that a number names in place of a date. */
export function yearPeriod(year: number): Period | null {
  return Number.isInteger(year) && year >= 1000 && year < 9999 ? periodOf("year", `${year}-01-01`) : null;
}

function takeWritten(reader: TokenReader, word: string): Period | null {
  const [, month, day] = /^(\d{4}-\d{2})(-\d{2})?$/.exec(word) ?? [];
  if (month === undefined) return null;
  const first = day === undefined ? `${month}-01` : word;
  if (!isDay(first)) return null;
  reader.next();
  return periodOf(day === undefined ? "month" : "day", first);
}

function takeNamedDay(reader: TokenReader, word: string, today: string): Period | null {
  const offset = Object.hasOwn(NAMED_DAYS, word) ? NAMED_DAYS[word] : undefined;
  if (offset === undefined) return null;
  reader.next();
  const day = shift(today, "day", offset);
  return takeShifted(reader, day) ?? periodOf("day", day);
}

/** `+ 7 days` or `-7d` after a day. */
function takeShifted(reader: TokenReader, day: string): Period | null {
  const { kind, text } = reader.peek();
  if (kind === "word" && text.startsWith("-")) {
    const amount = amountOf([{ ...reader.peek(), text: text.slice(1) }, reader.peek(1)]);
    return amount === null ? null : takeTokens(reader, amount.length, shift(day, amount.unit, -amount.count));
  }
  if (kind !== "operator" || (text !== "+" && text !== "-")) return null;
  const amount = amountOf([reader.peek(1), reader.peek(2)]);
  if (amount === null) return null;
  return takeTokens(reader, amount.length + 1, shift(day, amount.unit, text === "+" ? amount.count : -amount.count));
}

function takeNamedPeriod(reader: TokenReader, word: string, today: string): Period | null {
  const which = Object.hasOwn(WHICH, word) ? WHICH[word] : undefined;
  if (which === undefined) return null;
  const unit = unitOf(reader.peek(1));
  if (unit !== null && !/^[dwmy]$/.test(reader.peek(1).text)) {
    reader.next();
    reader.next();
    return periodOf(unit, shift(firstOf(unit, today), unit, which));
  }
  const amount = which === 0 ? null : amountOf([reader.peek(1), reader.peek(2)]);
  if (amount === null) return null;
  for (let left = amount.length + 1; left > 0; left -= 1) reader.next();
  // Both contain today.
  const tomorrow = shift(today, "day", 1);
  return which < 0
    ? { from: shift(tomorrow, amount.unit, -amount.count), to: tomorrow }
    : { from: today, to: shift(today, amount.unit, amount.count) };
}

/** `in 2 weeks`, `3 days ago`, `-7d`. */
function takeDistance(reader: TokenReader, word: string, today: string): Period | null {
  if (word.startsWith("-")) return takeShifted(reader, today);
  const start = word === "in" ? 1 : 0;
  const amount = amountOf([reader.peek(start), reader.peek(start + 1)]);
  if (amount === null) return null;
  if (start === 1) return takeTokens(reader, amount.length + 1, shift(today, amount.unit, amount.count));
  const after = reader.peek(amount.length);
  if (after.kind !== "word" || after.text.toLowerCase() !== "ago") return null;
  return takeTokens(reader, amount.length + 1, shift(today, amount.unit, -amount.count));
}

function takeTokens(reader: TokenReader, count: number, day: string): Period {
  for (let left = count; left > 0; left -= 1) reader.next();
  return periodOf("day", day);
}

/** `7d` or `7 days`, and of how many tokens it consists. */
function amountOf([first, second]: readonly [Token, Token]): { count: number; unit: Unit; length: number } | null {
  if (first.kind !== "word") return null;
  const [, digits, letters = ""] = /^(\d{1,5})([a-z]*)$/i.exec(first.text) ?? [];
  if (digits === undefined || Number(digits) > MAX_COUNT) return null;
  const unit = letters === "" ? unitOf(second) : unitOf({ ...first, text: letters });
  return unit === null ? null : { count: Number(digits), unit, length: letters === "" ? 2 : 1 };
}

function unitOf({ kind, text }: Token): Unit | null {
  const name = text.toLowerCase();
  return kind === "word" && Object.hasOwn(UNITS, name) ? (UNITS[name] ?? null) : null;
}

function periodOf(unit: Unit, from: string): Period {
  return { from, to: shift(from, unit, 1) };
}

/** The first day of the week, month or year that a day is in. */
function firstOf(unit: Unit, day: string): string {
  if (unit === "year") return `${day.slice(0, YEAR_LENGTH)}-01-01`;
  if (unit === "month") return `${day.slice(0, YEAR_LENGTH + 3)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return unit === "week" ? shift(day, "day", -weekday) : day;
}

/** A day that many units later. The last day of a month stays in the month that it gets to. */
function shift(day: string, unit: Unit, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (unit === "day" || unit === "week") return toDay(date.getTime() + count * (unit === "day" ? 1 : 7) * DAY_MS);
  const dayOfMonth = date.getUTCDate();
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * (unit === "month" ? 1 : 12);
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  return toDay(Date.UTC(Math.floor(months / 12), months % 12, Math.min(dayOfMonth, last)));
}

/** Within the years that have four digits. */
function toDay(timeMs: number): string {
  const earliest = Date.UTC(1000, 0, 1);
  const latest = Date.UTC(9999, 11, 31);
  return new Date(Math.min(Math.max(timeMs, earliest), latest)).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return text >= "1000" && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
