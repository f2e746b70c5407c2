import { InvalidInputError } from "../../platform/errors.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { findJsonRecords } from "./json-records.ts";

/** One JSON object of a transcript: a line, or an element of its list of messages. */
export type TranscriptRecord = Record<string, unknown>;

/** One and a half times what the largest transcript can contain at a hundred characters per record. */
const MAX_RECORDS = 500_000;
/** A line of this length cannot contain more values than a record may have. */
const SMALL_LINE_LENGTH = 20_000;

/**
 * Calls `use` with each record of a transcript, which consists of JSON lines or of one JSON document that is a list or has a
 * list of messages. Pauses for other work. Lines that are not JSON objects are skipped, because the last one may be incomplete,
 * and so are records with more values than any assistant writes. Returns false if the text is not JSON at all. Throws
 * {@link InvalidInputError} for more than {@link MAX_RECORDS} records.
 */
export async function forEachRecord(transcript: string, use: (record: TranscriptRecord) => void): Promise<boolean> {
  let count = 0;
  let isJson = false;
  await inSlices(readRecords(transcript), (value) => {
    if (value === undefined) return;
    isJson = true;
    if (!isRecord(value)) return;
    count += 1;
    if (count > MAX_RECORDS) throw InvalidInputError.at("transcript", `must contain at most ${MAX_RECORDS} records`);
    use(value);
  });
  return isJson;
}

/** Yields each JSON value that may be a record, and undefined otherwise, so that the caller can pause there too. */
function* readRecords(text: string): Generator {
  const from = text.search(/\S/);
  if (text[from] !== "[" && text[from] !== "{") return yield* readLines(text);
  const document = yield* findJsonRecords(text, from);
  if (document === null || /\S/.test(text.slice(document.end))) return yield* readLines(text);
  if (document.records === null || document.records.length === 0) {
    yield document.isSmall ? parseJson(text) : undefined;
    return;
  }
  for (const { start, end } of document.records) yield parseJson(text.slice(start, end));
}

function* readLines(text: string): Generator {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end).trim();
    const value = line.startsWith("{") && (yield* isSmall(line)) ? parseJson(line) : undefined;
    yield isRecord(value) ? value : undefined;
    start = end + 1;
  }
}

function* isSmall(line: string): Generator<undefined, boolean> {
  return line.length <= SMALL_LINE_LENGTH || (yield* findJsonRecords(line, 0))?.isSmall === true;
}

function isRecord(value: unknown): value is TranscriptRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
