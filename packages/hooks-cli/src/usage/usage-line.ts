import { definedOnly } from "../harness/harness.ts";
import { type JsonRecord, parseRecord, recordAt, stringAt } from "../json/json-value.ts";

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
export function namesModel(line: JsonRecord): boolean {
  return stringAt(line, "type") === "turn_context";
}
