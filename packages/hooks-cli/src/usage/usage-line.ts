import { definedOnly } from "../harness/harness.ts";
import { type JsonRecord, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { readLines } from "../transcript/read-lines.ts";

/** As many as the server stores at once. */
const MAX_LINES = 1_000;

/** What all lines of transcripts that are about tokens contain, and most others do not. */
const HINTS = ['"usage"', '"tokens"', '"token_count"', '"turn_context"'];

/** A line of a transcript without all that is not about the tokens of a response; undefined if nothing is. */
export function usageLine(line: string): JsonRecord | undefined {
  if (!HINTS.some((hint) => line.includes(hint))) return undefined;
  const record = parseRecord(line);
  if (record === undefined) return undefined;
  const { type, timestamp } = record;
  const payload = recordAt(record, "payload");
  switch (stringAt(record, "type") ?? "") {
    case "assistant":
      return claudeLine(record);
    case "gemini": {
      const { id, model, tokens } = record;
      return tokens === undefined ? undefined : definedOnly({ type, timestamp, id, model, tokens });
    }
    case "turn_context":
      return payload && { type, payload: definedOnly({ model: payload["model"] }) };
    case "event_msg":
      return payload?.["type"] === "token_count"
        ? definedOnly({ type, timestamp, payload: { type: "token_count", ...tokenCount(payload) } })
        : undefined;
    default: {
      const info = recordAt(record, "info");
      return info?.["tokens"] === undefined ? undefined : { info };
    }
  }
}

/** The counts, and what the assistant reports about its limits, without the account's plan and credits. */
function tokenCount(payload: JsonRecord): JsonRecord {
  const { limit_id, primary, secondary } = recordAt(payload, "rate_limits") ?? {};
  const isReported = (primary ?? secondary ?? null) !== null;
  const limits = isReported ? definedOnly({ limit_id, primary, secondary }) : undefined;
  return definedOnly({ info: payload["info"], rate_limits: limits });
}

function claudeLine(record: JsonRecord): JsonRecord | undefined {
  const { type, timestamp, requestId } = record;
  const { id, model, usage } = recordAt(record, "message") ?? {};
  // No model gave such a response.
  if (usage === undefined || model === "<synthetic>") return undefined;
  return definedOnly({ type, timestamp, requestId, message: definedOnly({ id, model, usage }) });
}

/** Whether a line names the model of the lines after it, as Codex does at the start of a turn. */
function namesModel(line: JsonRecord): boolean {
  return stringAt(line, "type") === "turn_context";
}

export interface Usage {
  /** Its lines, in parts that the server accepts, each of which begins with the model of its first line, if that is named. */
  readonly parts: readonly string[];
  /** The line that names the model of what follows. */
  readonly model: JsonRecord | undefined;
  /** How far the file has been read. */
  readonly position: number;
}

/** The lines of a transcript about tokens, from a position on, for which the model may be known. */
export function readUsage(path: string, from: number, knownModel?: JsonRecord): Usage {
  const lines: JsonRecord[] = [];
  let model = knownModel;
  let position = from;
  for (const { text, end } of readLines(path, from)) {
    position = end;
    const line = usageLine(text);
    if (line === undefined) continue;
    if (lines.length % MAX_LINES === 0 && model !== undefined && !namesModel(line)) lines.push(model);
    lines.push(line);
    if (namesModel(line)) model = line;
  }
  if (lines.every(namesModel)) return { parts: [], model, position };
  const thread = threadLine(path);
  const texts = lines.map((line) => JSON.stringify(line));
  const starts = Array.from({ length: Math.ceil(texts.length / MAX_LINES) }, (_, index) => index * MAX_LINES);
  const parts = starts.map((start) => [...thread, ...texts.slice(start, start + MAX_LINES)].join("\n"));
  return { parts, model, position };
}

/** The line that names the thread of a subagent of Codex, whose running totals are not those of its session; none for others. */
function threadLine(path: string): readonly string[] {
  for (const { text } of readLines(path, 0)) {
    const record = text.includes('"session_meta"') ? parseRecord(text) : undefined;
    const { id, session_id } = recordAt(record ?? {}, "payload") ?? {};
    const isSubagent = id !== undefined && session_id !== undefined && id !== session_id;
    return isSubagent ? [JSON.stringify({ type: "session_meta", payload: { id, session_id } })] : [];
  }
  return [];
}
