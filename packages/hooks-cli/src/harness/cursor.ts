import { type JsonRecord, arrayAt, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { lengthOf } from "./claude-code.ts";
import {
  type Harness,
  type HarnessEvent,
  type HookInput,
  type HookOutcome,
  type HookReply,
  NO_OUTPUT,
  definedOnly,
  refusedInsteadOfAsked,
} from "./harness.ts";

export const cursor: Harness = {
  id: "cursor",
  title: "Cursor",
  events: [
    { name: "sessionStart", event: "SessionStart" },
    { name: "beforeSubmitPrompt", event: "UserPromptSubmit" },
    { name: "preToolUse", event: "PreToolUse" },
    { name: "postToolUse", event: "PostToolUse" },
    { name: "postToolUseFailure", event: "PostToolUseFailure" },
    { name: "sessionEnd", event: "SessionEnd" },
  ],
  readInput: readCursorInput,
  reply: replyToCursor,
};

function readCursorInput({ event }: HarnessEvent, payload: JsonRecord): HookInput {
  const toolName = stringAt(payload, "tool_name");
  const [root] = arrayAt(payload, "workspace_roots") ?? [];
  return {
    event,
    sessionId: stringAt(payload, "session_id") ?? stringAt(payload, "conversation_id"),
    cwd: stringAt(payload, "cwd") ?? (typeof root === "string" ? root : undefined),
    transcriptPath: stringAt(payload, "transcript_path"),
    tool:
      toolName === undefined
        ? undefined
        : { name: toolName, input: recordAt(payload, "tool_input") ?? {}, useId: stringAt(payload, "tool_use_id") },
    prompt: stringAt(payload, "prompt"),
    source: stringAt(payload, "source"),
    agentId: undefined,
    details: definedOnly({
      reason: stringAt(payload, "reason"),
      model: stringAt(payload, "model"),
      error: stringAt(payload, "error_message"),
      failureType: stringAt(payload, "failure_type"),
      toolDurationMs: numberAt(payload, "duration"),
      responseLength: lengthOf(payload["tool_output"]),
    }),
  };
}

/** Cursor does not enforce "ask" before a tool, so it becomes a refusal. */
function replyToCursor({ event }: HarnessEvent, outcome: HookOutcome): HookReply {
  const { decision, reason, context } = refusedInsteadOfAsked(outcome);
  if (decision !== "allow" && event === "PreToolUse") {
    const stdout = JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason });
    return { stdout, stderr: `${reason}\n`, exitCode: 2 };
  }
  if (decision !== "allow" && event === "UserPromptSubmit") {
    return { stdout: JSON.stringify({ continue: false, user_message: reason }), stderr: `${reason}\n`, exitCode: 2 };
  }
  return context === undefined ? NO_OUTPUT : { ...NO_OUTPUT, stdout: JSON.stringify({ additional_context: context }) };
}
