import { type JsonRecord, isRecord, recordAt, stringAt } from "../json/json-value.ts";
import { readClaudeInput } from "./claude-code.ts";
import { TOOL_KINDS } from "../policy/tool-kinds.ts";
import { geminiExitCode } from "./gemini-exit-code.ts";
import {
  type Harness,
  type HarnessEvent,
  type HookInput,
  type HookOutcome,
  type HookReply,
  NO_OUTPUT,
  asFailure,
  refusedInsteadOfAsked,
} from "./harness.ts";

/** Gemini CLI has other names for the same events. What its tools did is read from its transcripts. */
export const geminiCli: Harness = {
  id: "gemini-cli",
  title: "Gemini CLI",
  events: [
    { name: "SessionStart", event: "SessionStart" },
    { name: "BeforeAgent", event: "UserPromptSubmit", takesContext: true },
    { name: "BeforeTool", event: "PreToolUse", toolKinds: TOOL_KINDS },
    // Former versions had a hook for it.
    { name: "AfterTool", event: "PostToolUse", isInTranscript: true },
    { name: "AfterAgent", event: "Stop" },
    { name: "SessionEnd", event: "SessionEnd" },
  ],
  readInput: readGeminiInput,
  reply: replyToGemini,
};

function readGeminiInput(event: HarnessEvent, payload: JsonRecord): HookInput {
  const input = readClaudeInput(event, payload);
  const response = recordAt(payload, "tool_response");
  if (event.event !== "PostToolUse" || response === undefined) return input;
  const failure = response["error"];
  if (failure !== undefined && failure !== null)
    return asFailure(input, isRecord(failure) ? stringAt(failure, "message") : JSON.stringify(failure));
  const exitCode = geminiExitCode(stringAt(response, "llmContent"));
  return exitCode === undefined ? input : asFailure(input, `exit code ${exitCode}`);
}

function replyToGemini({ name, event }: HarnessEvent, outcome: HookOutcome): HookReply {
  const { decision, reason, warnings, context } = refusedInsteadOfAsked(outcome);
  const message = warnings.length > 0 ? { systemMessage: warnings.join("\n") } : {};
  const canRefuse = event === "PreToolUse" || event === "UserPromptSubmit";
  if (canRefuse && decision !== "allow") {
    return { stdout: JSON.stringify({ decision: "deny", reason, ...message }), stderr: `${reason}\n`, exitCode: 2 };
  }
  if (context !== undefined) {
    return {
      ...NO_OUTPUT,
      stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: context }, ...message }),
    };
  }
  return warnings.length > 0 ? { ...NO_OUTPUT, stdout: JSON.stringify(message) } : NO_OUTPUT;
}
