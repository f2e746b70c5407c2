import {
  type JsonRecord,
  type JsonValue,
  arrayAt,
  isArray,
  isRecord,
  parseRecord,
  recordAt,
  stringAt,
} from "../json/json-value.ts";
import { withoutPrivateParts } from "../redaction/private-parts.ts";
import { redactText, storable } from "../redaction/redact.ts";
import { geminiExitCode } from "../harness/gemini-exit-code.ts";
import { definedOnly } from "../harness/harness.ts";
import { reportedResult } from "../harness/own-words.ts";
import { withoutInjectedContext } from "./injected-context.ts";

/** The beginning of a tool's input and output shows what happened; the rest is files and logs. */
const MAX_TOOL_TEXT = 1_500;
const MAX_TEXT = 100_000;
const MAX_TIMESTAMP_LENGTH = 40;
const MAX_ID_LENGTH = 200;

/**
 * One line of a transcript in the form in which it may leave this machine: what was said and done, without private parts,
 * secrets and injected context; undefined for lines without content. The format remains the assistant's own. The same line
 * always yields the same text, so that the server recognises what it has already seen.
 */
export function cleanTranscriptLine(line: string, knownSecrets: readonly string[]): string | undefined {
  const record = parseRecord(line);
  if (record === undefined) return undefined;
  const cleaned = cleanRecord(record, (text, limit) => cleanText(text, limit, knownSecrets));
  return cleaned === undefined ? undefined : JSON.stringify(cleaned);
}

type CleanText = (text: string, limit: number) => string;

function cleanText(text: string, limit: number, knownSecrets: readonly string[]): string {
  const own = withoutInjectedContext(withoutPrivateParts(text)).slice(0, limit + 2_000);
  const { value } = redactText(own, knownSecrets);
  return storable(value.length > limit ? `${value.slice(0, limit)}…` : value);
}

function cleanRecord(record: JsonRecord, clean: CleanText): JsonRecord | undefined {
  const type = stringAt(record, "type") ?? stringAt(record, "role");
  const message = recordAt(record, "message");
  const timestamp = stringAt(record, "timestamp");
  const time = timestamp === undefined ? {} : { timestamp: timestamp.slice(0, MAX_TIMESTAMP_LENGTH) };
  if ((type === "user" || type === "assistant") && message !== undefined) {
    if (record["isMeta"] === true || record["isCompactSummary"] === true) return undefined;
    const content = cleanContent(type === "user" ? asReported(message["content"]) : message["content"], clean);
    if (content === undefined) return undefined;
    const id = stringAt(message, "id");
    return {
      type,
      ...time,
      message: { ...(id !== undefined && { id }), role: stringAt(message, "role") ?? type, content },
    };
  }
  // Other assistants' records: Codex has the content in a payload, Gemini CLI in the record itself.
  const payload = recordAt(record, "payload");
  if (type === "response_item" && payload !== undefined) return { type, ...time, payload: cleanDeep(payload, clean) };
  const opencode = cleanOpencode(record, clean);
  if (opencode !== undefined) return opencode;
  if (type === "gemini") return cleanDeep(withFailures(record), clean);
  if (type === "user" || record["content"] !== undefined) return cleanDeep(record, clean);
  return undefined;
}

/** Gemini CLI calls every command a success; the end of a long output, which tells otherwise, is cut off. */
function withFailures(record: JsonRecord): JsonRecord {
  const calls = arrayAt(record, "toolCalls");
  if (calls === undefined) return record;
  const toolCalls = calls.map((call) => (isRecord(call) && hasFailed(call) ? { ...call, status: "error" } : call));
  return { ...record, toolCalls };
}

function hasFailed(call: JsonRecord): boolean {
  return (arrayAt(call, "result") ?? []).some((part) => {
    const told = isRecord(part) ? recordAt(recordAt(part, "functionResponse") ?? {}, "response") : undefined;
    return geminiExitCode(stringAt(told ?? {}, "output")) !== undefined;
  });
}

/** opencode has what a message is about in `info`, and what it says and does in `parts`. */
function cleanOpencode(record: JsonRecord, clean: CleanText): JsonRecord | undefined {
  const info = recordAt(record, "info");
  const parts = arrayAt(record, "parts");
  if (info === undefined || parts === undefined) return undefined;
  const { id, role, time, modelID, providerID, tokens, cost } = info;
  const cleaned = parts
    .map((part) => (isRecord(part) ? cleanPart(part, clean) : undefined))
    .filter((part) => part !== undefined);
  return { info: definedOnly({ id, role, time, modelID, providerID, tokens, cost }), parts: cleaned };
}

function cleanPart(part: JsonRecord, clean: CleanText): JsonRecord | undefined {
  if (part["synthetic"] === true) return undefined;
  if (part["type"] !== "tool") return cleanBlock(part, clean);
  const state = recordAt(part, "state") ?? {};
  const output = stringAt(state, "output") ?? stringAt(state, "error");
  const input = cleanDeep(recordAt(state, "input") ?? {}, clean);
  const exitCode = recordAt(state, "metadata")?.["exit"];
  const hasExitedWell = typeof exitCode !== "number" || exitCode === 0;
  return {
    type: "tool",
    ...idAt(part, "callID"),
    tool: stringAt(part, "tool") ?? "tool",
    state: {
      input,
      ...(output !== undefined && { output: clean(output, MAX_TOOL_TEXT) }),
      ...((state["status"] === "error" || !hasExitedWell) && { status: "error" }),
    },
  };
}

/** The end of a subagent in the background is recorded as said by the user, but is the result of a tool. */
function asReported(content: JsonValue | undefined): JsonValue | undefined {
  const block = isArray(content) && content.length === 1 ? content[0] : undefined;
  const text = isRecord(block) ? stringAt(block, "text") : content;
  const result = typeof text === "string" ? reportedResult(text) : undefined;
  if (result === undefined) return content;
  return [
    { type: "tool_result", ...(result.callId !== undefined && { tool_use_id: result.callId }), content: result.text },
  ];
}

function cleanContent(content: JsonValue | undefined, clean: CleanText): JsonValue | undefined {
  if (typeof content === "string") {
    const text = clean(content, MAX_TEXT).trim();
    return text === "" ? undefined : text;
  }
  if (!isArray(content)) return undefined;
  const blocks = content
    .map((block) => (isRecord(block) ? cleanBlock(block, clean) : undefined))
    .filter((block) => block !== undefined);
  return blocks.length === 0 ? undefined : blocks;
}

function cleanBlock(block: JsonRecord, clean: CleanText): JsonRecord | undefined {
  switch (stringAt(block, "type") ?? "") {
    case "text": {
      const text = clean(stringAt(block, "text") ?? "", MAX_TEXT).trim();
      return text === "" ? undefined : { type: "text", text };
    }
    case "tool_use":
      return {
        type: "tool_use",
        ...idAt(block, "id"),
        name: stringAt(block, "name") ?? "tool",
        input: cleanDeep(recordAt(block, "input") ?? {}, clean),
      };
    case "tool_result":
      return {
        type: "tool_result",
        ...idAt(block, "tool_use_id"),
        content: clean(textOf(block["content"]), MAX_TOOL_TEXT),
        ...(block["is_error"] === true && { is_error: true }),
      };
    default:
      // Thoughts and images are not part of what was agreed.
      return undefined;
  }
}

/** What pairs a call with its result. */
function idAt(record: JsonRecord, name: string): JsonRecord {
  const id = stringAt(record, name);
  return id === undefined ? {} : { [name]: storable(id.slice(0, MAX_ID_LENGTH)) };
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (!isArray(content)) return "";
  return content.map((block) => (isRecord(block) ? (stringAt(block, "text") ?? "") : "")).join("\n");
}

function cleanDeep(record: JsonRecord, clean: CleanText, depth = 0): JsonRecord {
  const cleanValue = (value: JsonValue, level: number): JsonValue => {
    if (typeof value === "string") return clean(value, depth === 0 ? MAX_TOOL_TEXT * 4 : MAX_TOOL_TEXT);
    if (level > 8 || typeof value !== "object" || value === null) return typeof value === "object" ? null : value;
    if (isArray(value)) return value.slice(0, 200).map((item) => cleanValue(item, level + 1));
    return cleanDeep(value, clean, level + 1);
  };
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanValue(value ?? null, depth)]));
}
