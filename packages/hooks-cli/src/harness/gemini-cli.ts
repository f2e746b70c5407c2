import { isRecord, stringAt } from "../json/json-value.ts";
import { readClaudeInput } from "./claude-code.ts";
import {
  type Harness,
  type HarnessEvent,
  type HookOutcome,
  type HookReply,
  NO_OUTPUT,
  definedOnly,
} from "./harness.ts";

/** Gemini CLI has other names for the same events, and reports a tool's failure in the tool's response. */
export const geminiCli: Harness = {
  id: "gemini-cli",
  title: "Gemini CLI",
  events: [
    { name: "SessionStart", event: "SessionStart" },
    { name: "BeforeAgent", event: "UserPromptSubmit", takesContext: true },
    { name: "BeforeTool", event: "PreToolUse" },
    { name: "AfterTool", event: "PostToolUse" },
    { name: "SessionEnd", event: "SessionEnd" },
  ],
  readInput: (event, payload) => {
    const input = readClaudeInput(event, payload);
    const response = payload["tool_response"];
    const failure = event.event === "PostToolUse" && isRecord(response) ? response["error"] : undefined;
    if (failure === undefined || failure === null) return input;
    const error = isRecord(failure) ? stringAt(failure, "message") : JSON.stringify(failure);
    return { ...input, event: "PostToolUseFailure", details: definedOnly({ ...input.details, error }) };
  },
  reply: replyToGemini,
};

function replyToGemini({ name, event }: HarnessEvent, { decision, reason, warnings, context }: HookOutcome): HookReply {
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
