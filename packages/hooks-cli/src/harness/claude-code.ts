import { type JsonRecord, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { TOOL_KINDS } from "../policy/tool-kinds.ts";
import { ownWords } from "./own-words.ts";
import {
  type Harness,
  type HarnessEvent,
  type HookInput,
  type HookOutcome,
  type HookReply,
  NO_OUTPUT,
  definedOnly,
} from "./harness.ts";

/** Claude Code's events have the same names as ours. What its tools did is read from its transcripts. */
export const claudeCode: Harness = {
  id: "claude-code",
  title: "Claude Code",
  events: [
    { name: "SessionStart", event: "SessionStart" },
    { name: "UserPromptSubmit", event: "UserPromptSubmit", takesContext: true },
    { name: "PreToolUse", event: "PreToolUse", takesContext: true, toolKinds: TOOL_KINDS },
    // Former versions had hooks for them, in the background.
    { name: "PostToolUse", event: "PostToolUse", isInTranscript: true, isAsync: true },
    { name: "PostToolUseFailure", event: "PostToolUseFailure", isInTranscript: true, isAsync: true },
    // Not in the background: an older version loses the end of a session while such a hook runs.
    { name: "Stop", event: "Stop" },
    { name: "PreCompact", event: "PreCompact" },
    { name: "SessionEnd", event: "SessionEnd" },
    // Comes when nobody has answered for a moment, so also in releases that have no hook for each question.
    { name: "Notification", event: "Wait" },
  ],
  readInput: readClaudeInput,
  reply: replyToClaude,
};

export function readClaudeInput<E>({ event }: { readonly event: E }, payload: JsonRecord): HookInput<E> {
  const prompt = stringAt(payload, "prompt");
  const toolName = stringAt(payload, "tool_name");
  const useId = stringAt(payload, "tool_use_id");
  const input = recordAt(payload, "tool_input") ?? {};
  return {
    event,
    sessionId: stringAt(payload, "session_id"),
    cwd: stringAt(payload, "cwd"),
    transcriptPath: stringAt(payload, "transcript_path"),
    tool: toolName === undefined ? undefined : { name: toolName, input, useId, response: payload["tool_response"] },
    prompt: prompt && ownWords(prompt),
    source: stringAt(payload, "source"),
    version: stringAt(payload, "version"),
    agentId: stringAt(payload, "agent_id"),
    details: definedOnly({
      reason: stringAt(payload, "reason"),
      model: stringAt(payload, "model"),
      permissionMode: stringAt(payload, "permission_mode"),
      agentType: stringAt(payload, "agent_type"),
      error: stringAt(payload, "error"),
      message: stringAt(payload, "message"),
      notification: stringAt(payload, "notification_type"),
      isInterrupt: payload["is_interrupt"] === true ? true : undefined,
      toolDurationMs: numberAt(payload, "duration_ms"),
      responseLength: lengthOf(payload["tool_response"]),
    }),
  };
}

/** The output of a tool is not recorded, only its length. */
export function lengthOf(response: JsonRecord[string]): number | undefined {
  if (response === undefined || response === null) return undefined;
  return typeof response === "string" ? response.length : JSON.stringify(response).length;
}

/**
 * A refusal is expressed twice: by exit code 2 with the reason on stderr, and as JSON, so that it is effective whichever of
 * the two the assistant reads. `hookEventName` is required; without it the decision is ignored.
 */
function replyToClaude({ event }: HarnessEvent, outcome: HookOutcome): HookReply {
  const { decision, reason, warnings, context } = outcome;
  const message = warnings.length > 0 ? { systemMessage: warnings.join("\n") } : {};
  if (event === "UserPromptSubmit" && decision !== "allow") {
    return { stdout: JSON.stringify({ decision: "block", reason, ...message }), stderr: `${reason}\n`, exitCode: 2 };
  }
  if (event === "PreToolUse" && (decision !== "allow" || outcome.isApproved === true)) {
    const hookSpecificOutput = {
      hookEventName: event,
      permissionDecision: decision,
      permissionDecisionReason: reason,
      ...(context !== undefined && { additionalContext: context }),
    };
    return {
      stdout: JSON.stringify({ hookSpecificOutput, ...message }),
      stderr: decision === "deny" ? `${reason}\n` : "",
      exitCode: decision === "deny" ? 2 : 0,
    };
  }
  if (context !== undefined) {
    return {
      ...NO_OUTPUT,
      stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: context }, ...message }),
    };
  }
  return warnings.length > 0 ? { ...NO_OUTPUT, stdout: JSON.stringify(message) } : NO_OUTPUT;
}
