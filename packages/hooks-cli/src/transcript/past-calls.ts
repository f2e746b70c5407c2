import {
  type JsonRecord,
  type JsonValue,
  arrayAt,
  isRecord,
  parseRecord,
  recordAt,
  stringAt,
} from "../json/json-value.ts";
import type { Transcript } from "./find-transcripts.ts";
import { readPastSession } from "./past-sessions.ts";
import { readLines } from "./read-lines.ts";

/** A tool call of a past session, with its input as a hook would have received it. */
export interface PastCall {
  readonly id: string;
  readonly payload: JsonRecord;
}

/** Most lines have no call, and parsing them is the most expensive part. */
const HAS_CALL = /"(?:tool_use|function_call|custom_tool_call|toolCalls)"/;

/**
 * The tool calls of a transcript of Claude Code, Codex or Gemini CLI since a time; those that are recorded repeatedly have the same
 * id. A file that cannot be read has none.
 */
export function* pastCalls(transcript: Transcript, sinceMs: number): Generator<PastCall> {
  try {
    let folder: string | undefined;
    for (const { text } of readLines(transcript.path, 0)) {
      if (!HAS_CALL.test(text)) continue;
      const line = parseRecord(text);
      if (line === undefined || Date.parse(stringAt(line, "timestamp") ?? "") < sinceMs) continue;
      for (const { id, name, input } of callsIn(line)) {
        const cwd = stringAt(line, "cwd") ?? (folder ??= readPastSession(transcript).folder) ?? null;
        yield {
          id: id ?? text,
          payload: { hook_event_name: "PreToolUse", cwd, tool_name: name ?? null, tool_input: input },
        };
      }
    }
  } catch {
    // It has just been deleted, or belongs to somebody else.
  }
}

interface Call {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly input: JsonRecord;
}

function callsIn(line: JsonRecord): readonly Call[] {
  const payload = recordAt(line, "payload") ?? {};
  const blocks = arrayAt(recordAt(line, "message") ?? {}, "content") ?? [];
  return [
    ...blocks.filter(isRecord).flatMap(claudeCall),
    ...(arrayAt(line, "toolCalls") ?? []).filter(isRecord).map((call) => callOf(call, recordAt(call, "args"))),
    ...codexCall(payload),
  ];
}

function claudeCall(block: JsonRecord): readonly Call[] {
  return block["type"] === "tool_use" ? [callOf(block, recordAt(block, "input"))] : [];
}

/** Codex has the input of a function as JSON in a text, and that of another tool as it is. */
function codexCall(payload: JsonRecord): readonly Call[] {
  if (payload["type"] === "function_call")
    return [callOf(payload, parseRecord(stringAt(payload, "arguments") ?? ""), payload["call_id"])];
  const input = payload["type"] === "custom_tool_call" ? stringAt(payload, "input") : undefined;
  return input === undefined ? [] : [callOf(payload, { input }, payload["call_id"])];
}

function callOf(call: JsonRecord, input: JsonRecord | undefined, id: JsonValue | undefined = call["id"]): Call {
  return { id: typeof id === "string" ? id : undefined, name: stringAt(call, "name"), input: input ?? {} };
}
