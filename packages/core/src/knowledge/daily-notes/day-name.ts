const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const TOKEN = /\[([^[\]]*)\]|YYYY|MMMM|MMM|MM|M|DD|D|dddd|ddd/g;
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A part of a pattern. */
interface Piece {
  /** The regular expression of what it writes, as PostgreSQL reads it. */
  readonly source: string;
  /** What it may have written at a place of a name, as the regular expression prefers it. */
  readonly textsAt: (name: string, at: number) => readonly string[];
  readonly part?: "year" | "month" | "day";
  readonly read?: (text: string) => number;
}

interface Token extends Piece {
  readonly write: (day: Date) => string;
}

const short = (names: readonly string[]) => names.map((name) => name.slice(0, 3));
const padded = (value: number, length = 2) => String(value).padStart(length, "0");

/** What stands for parts of a day in the pattern of a name. */
const TOKENS: Readonly<Record<string, Token>> = {
  YYYY: { ...digits(4), write: (day) => padded(day.getUTCFullYear(), 4), part: "year", read: Number },
  MMMM: monthBy(MONTHS),
  MMM: monthBy(short(MONTHS)),
  MM: { ...digits(2), write: (day) => padded(day.getUTCMonth() + 1), part: "month", read: Number },
  M: { ...digits(1, 2), write: (day) => String(day.getUTCMonth() + 1), part: "month", read: Number },
  DD: { ...digits(2), write: (day) => padded(day.getUTCDate()), part: "day", read: Number },
  D: { ...digits(1, 2), write: (day) => String(day.getUTCDate()), part: "day", read: Number },
  dddd: { ...oneOf(WEEKDAYS), write: (day) => WEEKDAYS[day.getUTCDay()] ?? "" },
  ddd: { ...oneOf(short(WEEKDAYS)), write: (day) => short(WEEKDAYS)[day.getUTCDay()] ?? "" },
};

function digits(min: number, max = min): Piece {
  return {
    source: `([0-9]{${min === max ? min : `${min},${max}`}})`,
    textsAt: (name, at) => {
      const [found = ""] = /^[0-9]*/.exec(name.slice(at, at + max)) ?? [];
      return Array.from({ length: Math.max(found.length - min + 1, 0) }, (_, left) =>
        found.slice(0, found.length - left),
      );
    },
  };
}

function oneOf(names: readonly string[]): Piece {
  return {
    source: `(${names.join("|")})`,
    textsAt: (name, at) => names.filter((one) => name.startsWith(one, at)),
  };
}

function literally(text: string): Piece {
  return {
    source: text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`),
    textsAt: (name, at) => (name.startsWith(text, at) ? [text] : []),
  };
}

function monthBy(names: readonly string[]): Token {
  return {
    ...oneOf(names),
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
  const parts = new Set(piecesOf(pattern).map(({ part }) => part));
  if (!(parts.has("year") && parts.has("month") && parts.has("day"))) return false;
  // Without anything between them, parts with one or two digits could be read in two ways.
  return ["2026-01-11", "2026-11-01", "2026-12-31", "2024-02-29"].every(
    (date) => readDay(pattern, writeDay(pattern, date)) === date,
  );
}

/** Reads a name in a pattern. Returns the plain date; null if it is not the name of a day. */
export function readDay(pattern: string, name: string): string | null {
  const pieces = piecesOf(pattern);
  const texts = textsOf(pieces, name);
  if (texts === null) return null;
  const read = { year: 0, month: 0, day: 0 };
  pieces.forEach((piece, index) => {
    if (piece.part !== undefined && piece.read !== undefined) read[piece.part] = piece.read(texts[index] ?? "");
  });
  const date = `${padded(read.year, 4)}-${padded(read.month)}-${padded(read.day)}`;
  return isPlainDay(date) && writeDay(pattern, date) === name ? date : null;
}

/** What each piece has written of a name; null if they have not written it. No piece is tried twice at a place. */
function textsOf(pieces: readonly Piece[], name: string): readonly string[] | null {
  const failed = new Set<number>();
  function from(index: number, at: number): readonly string[] | null {
    const piece = pieces[index];
    if (piece === undefined) return at === name.length ? [] : null;
    const place = index * (name.length + 1) + at;
    if (failed.has(place)) return null;
    for (const text of piece.textsAt(name, at)) {
      const others = from(index + 1, at + text.length);
      if (others !== null) return [text, ...others];
    }
    failed.add(place);
    return null;
  }
  return from(0, 0);
}

/** The regular expression of all names in a pattern, for PostgreSQL. */
export function dayNamesPattern(pattern: string): string {
  return `^${piecesOf(pattern)
    .map(({ source }) => source)
    .join("")}$`;
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

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: written, 1: literal = "", index } of pattern.matchAll(TOKEN)) {
    pieces.push(literally(pattern.slice(end, index)), TOKENS[written] ?? literally(literal));
    end = index + written.length;
  }
  return [...pieces, literally(pattern.slice(end))];
}
