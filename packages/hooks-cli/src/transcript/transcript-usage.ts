import type { MessageUsageToPost } from "../delivery/workspace-api.ts";
import { type JsonRecord, numberAt, parseRecord, recordAt, stringAt } from "../json/json-value.ts";

const MAX_NAME_LENGTH = 255;
const MAX_TOKENS = 2_147_483_647;

/**
 * Reads the usage that Claude Code records with each response. It counts input, cache writes and cache reads separately, so
 * no token counts twice. Undefined for all other lines, and for responses that no model gave.
 */
export function readUsageLine(line: string): MessageUsageToPost | undefined {
  // Most lines have none, and parsing them is the most expensive part.
  if (!line.includes('"usage"')) return undefined;
  const record = parseRecord(line);
  const message = record && recordAt(record, "message");
  const counts = message && recordAt(message, "usage");
  if (record === undefined || message === undefined || counts === undefined || record["type"] !== "assistant")
    return undefined;
  const messageId = stringAt(message, "id");
  const model = stringAt(message, "model");
  if (messageId === undefined || model === "<synthetic>") return undefined;
  const requestId = stringAt(record, "requestId");
  const occurredAt = toTimestamp(stringAt(record, "timestamp"));
  return {
    messageId: messageId.slice(0, MAX_NAME_LENGTH),
    ...(requestId !== undefined && { requestId: requestId.slice(0, MAX_NAME_LENGTH) }),
    assistant: "claude-code",
    ...(model !== undefined && { model: model.slice(0, MAX_NAME_LENGTH) }),
    inputTokens: countAt(counts, "input_tokens"),
    outputTokens: countAt(counts, "output_tokens"),
    cacheCreationInputTokens: countAt(counts, "cache_creation_input_tokens"),
    cacheReadInputTokens: countAt(counts, "cache_read_input_tokens"),
    ...(occurredAt !== undefined && { occurredAt }),
  };
}

function countAt(record: JsonRecord, key: string): number {
  return Math.min(MAX_TOKENS, Math.max(0, Math.floor(numberAt(record, key) ?? 0)));
}

function toTimestamp(text: string | undefined): string | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) || time < 0 ? undefined : new Date(time).toISOString();
}
