const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const TOKEN = /\[([^[\]]*)\]|YYYY|MMMM|MMM|MM|M|DD|D|dddd|ddd/g;
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;

interface Token {
  /** The regular expression of what it writes, the same in JavaScript and in PostgreSQL. */
  readonly pattern: string;
  readonly write: (day: Date) => string;
  readonly part?: "year" | "month" | "day";
  readonly read?: (text: string) => number;
}

const short = (names: readonly string[]) => names.map((name) => name.slice(0, 3));
const oneOf = (names: readonly string[]) => `(${names.join("|")})`;
const padded = (value: number, length = 2) => String(value).padStart(length, "0");

/** What stands for parts of a day in the pattern of a name. */
const TOKENS: Readonly<Record<string, Token>> = {
  YYYY: { pattern: "([0-9]{4})", write: (day) => padded(day.getUTCFullYear(), 4), part: "year", read: Number },
  MMMM: monthBy(MONTHS),
  MMM: monthBy(short(MONTHS)),
  MM: { pattern: "([0-9]{2})", write: (day) => padded(day.getUTCMonth() + 1), part: "month", read: Number },
  M: { pattern: "([0-9]{1,2})", write: (day) => String(day.getUTCMonth() + 1), part: "month", read: Number },
  DD: { pattern: "([0-9]{2})", write: (day) => padded(day.getUTCDate()), part: "day", read: Number },
  D: { pattern: "([0-9]{1,2})", write: (day) => String(day.getUTCDate()), part: "day", read: Number },
  dddd: { pattern: oneOf(WEEKDAYS), write: (day) => WEEKDAYS[day.getUTCDay()] ?? "" },
  ddd: { pattern: oneOf(short(WEEKDAYS)), write: (day) => short(WEEKDAYS)[day.getUTCDay()] ?? "" },
};

function monthBy(names: readonly string[]): Token {
  return {
    pattern: oneOf(names),
    write: (day) => names[day.getUTCMonth()] ?? "",
    part: "month",
    read: (text) => names.indexOf(text) + 1,
  };
}

/** Writes a plain date in a pattern such as `YYYY-MM-DD` or `D MMMM YYYY`; what is in brackets stays as it is. */
export function writeDay(pattern: string, date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return pattern.replaceAll(TOKEN, (token, literal?: string) => literal ?? TOKENS[token]?.write(day) ?? token);
}

/** Whether every day has one name in a pattern, and every name one day. */
export function namesEachDay(pattern: string): boolean {
  const parts = new Set(compile(pattern).parts.map(({ part }) => part));
  if (!(parts.has("year") && parts.has("month") && parts.has("day"))) return false;
  // Without anything between them, parts with one or two digits could be read in two ways.
  return ["2026-01-11", "2026-11-01", "2026-12-31", "2024-02-29"].every(
    (date) => readDay(pattern, writeDay(pattern, date)) === date,
  );
}

/** Reads a name in a pattern. Returns the plain date; null if it is not the name of a day. */
export function readDay(pattern: string, name: string): string | null {
  const { source, parts } = compile(pattern);
  const match = new RegExp(source, "u").exec(name);
  if (match === null) return null;
  const read = { year: 0, month: 0, day: 0 };
  parts.forEach((token, index) => {
    if (token.part !== undefined && token.read !== undefined) read[token.part] = token.read(match[index + 1] ?? "");
  });
  const date = `${padded(read.year, 4)}-${padded(read.month)}-${padded(read.day)}`;
  return isPlainDay(date) && writeDay(pattern, date) === name ? date : null;
}

/** The regular expression of all names in a pattern, the same in JavaScript and in PostgreSQL. */
export function dayNamesPattern(pattern: string): string {
  return compile(pattern).source;
}

/** Whether a text is a day of the calendar, such as 2026-02-28. */
export function isPlainDay(text: string): boolean {
  if (!PLAIN_DATE.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The plain date so many days later. */
export function addDays(date: string, days: number): string {
  const time = Date.parse(`${date}T00:00:00Z`) + days * 24 * 60 * 60_000;
  return new Date(time).toISOString().slice(0, 10);
}

function compile(pattern: string): { source: string; parts: Token[] } {
  const parts: Token[] = [];
  let source = "^";
  let end = 0;
  for (const { 0: written, 1: literal, index } of pattern.matchAll(TOKEN)) {
    source += escape(pattern.slice(end, index));
    const token = TOKENS[written];
    if (token === undefined) source += escape(literal ?? "");
    else {
      source += token.pattern;
      parts.push(token);
    }
    end = index + written.length;
  }
  return { source: `${source}${escape(pattern.slice(end))}$`, parts };
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
