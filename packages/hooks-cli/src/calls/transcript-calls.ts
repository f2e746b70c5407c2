import type { HarnessId, HookInput } from "../harness/harness.ts";
import { geminiExitCode } from "../harness/gemini-exit-code.ts";
import { definedOnly } from "../harness/harness.ts";
import { lengthOf } from "../harness/claude-code.ts";
import { type JsonRecord, arrayAt, isRecord, parseRecord, recordAt, stringAt } from "../json/json-value.ts";

/** A call that a transcript records, without its result. */
export interface StartedCall {
  readonly useId: string;
  readonly name: string;
  readonly input: JsonRecord;
}

/** The result of a call. */
export interface CallResult {
  readonly useId: string;
  /** Whether no tool ran: an assistant's user, a rule or a hook refused the call, or there is no such tool. */
  readonly isRefused: boolean;
  readonly error: string | undefined;
  /** What the tool returned: a structure, or what the model was shown. */
  readonly response: JsonRecord[string];
  /** Names the result, also in the transcript of a session that continues this one and begins with a copy of it. */
  readonly lineId: string;
  readonly occurredAt: Date;
  readonly cwd: string | undefined;
  readonly agentId: string | undefined;
}

/** The same in Gemini CLI: our hooks, its own policy, and tools that do not exist. */
const GEMINI_REFUSALS =
  /^(?:Tool execution blocked: |Agent execution stopped by hook: |Tool execution denied by policy|Tool "[^"]*" not found)/;

export interface CallsInLine {
  readonly harness: HarnessId;
  readonly started: readonly StartedCall[];
  readonly results: readonly CallResult[];
}

const NOTHING: CallsInLine = { harness: "claude-code", started: [], results: [] };

/** How results begin of calls for which no tool ran; newer versions name the reason beside the result. */
const REFUSALS =
  /^(?:PreToolUse:\S+ hook error: |Claude requested permissions to |The user doesn't want to proceed|Permission to use |<tool_use_error>(?:Error: No such tool|InputValidationError))|\(rule [\w.-]+, on: /;

/** The calls of tools in a line of a transcript of Claude Code or of Gemini CLI. */
export function callsInLine(text: string): CallsInLine {
  if (text.includes('"toolCalls"')) return geminiCalls(text);
  // Most lines have none, and parsing them is the most expensive part.
  if (!text.includes('"tool_use') && !text.includes('"tool_result"')) return NOTHING;
  const line = parseRecord(text);
  const type = line && stringAt(line, "type");
  if (line === undefined || (type !== "assistant" && type !== "user")) return NOTHING;
  const blocks = (arrayAt(recordAt(line, "message") ?? {}, "content") ?? []).filter(isRecord);
  return {
    harness: "claude-code",
    started: type === "assistant" ? blocks.flatMap(startedCall) : [],
    results: type === "user" ? blocks.flatMap((block) => callResult(block, line)) : [],
  };
}

/** Gemini CLI has the calls that a response of the model asks for in one line with their results, once all have ended. */
function geminiCalls(text: string): CallsInLine {
  const line = parseRecord(text) ?? {};
  const lineId = stringAt(line, "id");
  if (line["type"] !== "gemini" || lineId === undefined) return NOTHING;
  const calls = (arrayAt(line, "toolCalls") ?? []).filter(isRecord).flatMap((call) => {
    const useId = stringAt(call, "id");
    const name = stringAt(call, "name");
    const occurredAt = new Date(stringAt(call, "timestamp") ?? "");
    if (useId === undefined || name === undefined || Number.isNaN(occurredAt.getTime())) return [];
    const started = { useId, name, input: recordAt(call, "args") ?? {} };
    return [
      { started, result: { ...geminiResult(call), useId, lineId, occurredAt, cwd: undefined, agentId: undefined } },
    ];
  });
  return {
    harness: "gemini-cli",
    started: calls.map(({ started }) => started),
    results: calls.map(({ result }) => result),
  };
}

/** It calls every command a success; the model is told otherwise. */
function geminiResult(call: JsonRecord): Pick<CallResult, "isRefused" | "error" | "response"> {
  const parts = (arrayAt(call, "result") ?? []).filter(isRecord);
  const responses = parts.map((part) => recordAt(recordAt(part, "functionResponse") ?? {}, "response") ?? {});
  const error = responses.map((response) => stringAt(response, "error")).find((text) => text !== undefined);
  const exitCode = responses.map((response) => geminiExitCode(stringAt(response, "output"))).find(Boolean);
  return {
    // What a person has cancelled has not run, or not to its end.
    isRefused: call["status"] === "cancelled" || GEMINI_REFUSALS.test(error ?? ""),
    error: error ?? (exitCode === undefined ? undefined : `exit code ${exitCode}`),
    response: call["result"],
  };
}

function startedCall(block: JsonRecord): readonly StartedCall[] {
  const useId = stringAt(block, "id");
  const name = stringAt(block, "name");
  if (block["type"] !== "tool_use" || useId === undefined || name === undefined) return [];
  return [{ useId, name, input: recordAt(block, "input") ?? {} }];
}

function callResult(block: JsonRecord, line: JsonRecord): readonly CallResult[] {
  const useId = stringAt(block, "tool_use_id");
  const lineId = stringAt(line, "uuid");
  const occurredAt = new Date(stringAt(line, "timestamp") ?? "");
  if (block["type"] !== "tool_result" || useId === undefined || lineId === undefined) return [];
  if (Number.isNaN(occurredAt.getTime())) return [];
  const shown = textOf(block["content"]);
  const isError = block["is_error"] === true;
  return [
    {
      useId,
      isRefused: isError && (line["toolDenialKind"] !== undefined || REFUSALS.test(shown)),
      error: isError ? shown : undefined,
      response: line["toolUseResult"] ?? block["content"],
      lineId,
      occurredAt,
      cwd: stringAt(line, "cwd"),
      agentId: stringAt(line, "agentId"),
    },
  ];
}

function textOf(content: JsonRecord[string]): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  return parts.map((part) => stringAt(part, "text") ?? "").join("\n");
}

/** A finished call in the form in which a hook after the tool would have received it. */
export function toHookInput(
  { name, input, useId }: StartedCall,
  { error, response, cwd, agentId }: CallResult,
  session: { readonly sessionId: string; readonly transcriptPath: string },
): HookInput<"PostToolUse" | "PostToolUseFailure"> {
  return {
    event: error === undefined ? "PostToolUse" : "PostToolUseFailure",
    ...session,
    cwd,
    tool: { name, input, useId, response },
    prompt: undefined,
    source: undefined,
    agentId,
    details: definedOnly({ error, responseLength: lengthOf(response) }),
  };
}
