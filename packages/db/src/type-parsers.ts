import { type CustomTypesConfig, types } from "pg";

/** The OIDs of the types whose text form is not parsed by pg's defaults. */
const OID = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  int8Array: 1016,
  timestampArray: 1115,
  dateArray: 1182,
  timestamptzArray: 1185,
} as const;

type TextParser = (text: string) => unknown;

/**
 * `2026-01-02 03:04:05.678+00` → `2026-01-02T03:04:05.678Z`, the format of times within the service. Implemented by
 * slicing, because a list of rows has hundreds of times, and a Date for each costs more than the rest of the row.
 * Digits beyond milliseconds are cut off. The session's time zone is UTC (see session-client.ts); text with another
 * offset is converted. `infinity` and years outside 0001 to 9999 stay as PostgreSQL writes them.
 */
export function parseTimestamptz(text: string): string {
  const isUtc = text.endsWith("+00");
  const isFourDigitYear = text.charCodeAt(4) === 0x2d; // "-"
  if (!isFourDigitYear) return text;
  if (!isUtc) return convertToUtc(text);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds(text, text.length - 3)}Z`;
}

/** A time without a zone is in UTC, like all times in this database. */
export function parseTimestamp(text: string): string {
  return parseTimestamptz(`${text}+00`);
}

/** The three digits after the seconds, which PostgreSQL writes without trailing zeros, or not at all. */
function milliseconds(text: string, end: number): string {
  return text.slice(20, Math.min(end, 23)).padEnd(3, "0");
}

function convertToUtc(text: string): string {
  const time = new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

/**
 * A number if that is exact, otherwise a bigint. A column with values on both sides of 2^53 yields both; `BigInt(value)` converts
 * them to one type.
 */
export function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** One-dimensional arrays of a type whose elements contain neither commas, quotes nor backslashes. */
function arrayOf(parseElement: TextParser): TextParser {
  return (text) => {
    const elements = text === "{}" ? [] : text.slice(1, -1).replaceAll('"', "").split(",");
    return elements.map((element) => (element === "NULL" ? null : parseElement(element)));
  };
}

const asText: TextParser = (text) => text;

const TEXT_PARSERS: ReadonlyMap<number, TextParser> = new Map<number, TextParser>([
  [OID.int8, parseInt8],
  [OID.numeric, Number],
  // A plain date has no time zone, so it must never become a point in time.
  [OID.date, asText],
  [OID.timestamp, parseTimestamp],
  [OID.timestamptz, parseTimestamptz],
  [OID.int8Array, arrayOf(parseInt8)],
  [OID.dateArray, arrayOf(asText)],
  [OID.timestampArray, arrayOf(parseTimestamp)],
  [OID.timestamptzArray, arrayOf(parseTimestamptz)],
]);

/**
 * How our pools parse the results of SQL. pg's global parsers are left unchanged.
 */
export const TYPE_PARSERS: CustomTypesConfig = {
  getTypeParser(oid, format) {
    const own = format === "binary" ? undefined : TEXT_PARSERS.get(oid);
    return own ?? types.getTypeParser(oid, format);
  },
};
