import * as z from "zod";

/** One JSON object of a transcript: a line, or an element of its list of messages. */
export type TranscriptRecord = Record<string, unknown>;

const record = z.record(z.string(), z.unknown());
const document = z.object({ messages: z.array(z.unknown()) });

/**
 * The records of a transcript in JSON lines, or in one JSON document that is a list or has a list of messages. Lines that
 * are no JSON objects are left out, because the last one may be half written. Null for a text that is not JSON at all.
 */
export function parseRecords(transcript: string): TranscriptRecord[] | null {
  const whole = parseJson(transcript);
  if (whole !== undefined) return toRecords(whole);
  const records = transcript.split("\n").flatMap((line) => toRecord(parseJson(line)));
  return records.length === 0 ? null : records;
}

function toRecords(whole: unknown): TranscriptRecord[] | null {
  if (Array.isArray(whole)) return whole.flatMap(toRecord);
  const parsed = document.safeParse(whole);
  if (parsed.success) return parsed.data.messages.flatMap(toRecord);
  const [single] = toRecord(whole);
  return single === undefined ? null : [single];
}

function toRecord(value: unknown): TranscriptRecord[] {
  const parsed = record.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

function parseJson(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}
