import { claudeCode, readClaudeInput } from "./claude-code.ts";
import { type Harness, refusedInsteadOfAsked } from "./harness.ts";

/** opencode loads a plugin of ours, which calls the hooks as Claude Code would; to refuse, it throws an error. */
export const opencode: Harness = {
  id: "opencode",
  title: "opencode",
  events: [
    { name: "SessionStart", event: "SessionStart" },
    { name: "UserPromptSubmit", event: "UserPromptSubmit" },
    { name: "PreToolUse", event: "PreToolUse" },
    { name: "PostToolUse", event: "PostToolUse", isAsync: true },
    { name: "PostToolUseFailure", event: "PostToolUseFailure", isAsync: true },
    { name: "Stop", event: "Stop" },
    { name: "SessionEnd", event: "SessionEnd" },
  ],
  readInput: readClaudeInput,
  reply: (event, outcome) => claudeCode.reply(event, refusedInsteadOfAsked(outcome)),
};
