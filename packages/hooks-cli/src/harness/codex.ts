import { claudeCode, readClaudeInput } from "./claude-code.ts";
import type { Harness } from "./harness.ts";

/** Codex uses Claude Code's format, has no end of a session, and does not ask: "ask" becomes a refusal. */
export const codex: Harness = {
  id: "codex",
  title: "Codex",
  events: [
    { name: "SessionStart", event: "SessionStart" },
    { name: "UserPromptSubmit", event: "UserPromptSubmit", takesContext: true },
    { name: "PreToolUse", event: "PreToolUse" },
    { name: "PostToolUse", event: "PostToolUse" },
  ],
  readInput: readClaudeInput,
  reply: (event, outcome) =>
    claudeCode.reply(event, outcome.decision === "ask" ? { ...outcome, decision: "deny" } : outcome),
};
