import type { Turn } from "../transcripts/transcript-turns.ts";
import { removeContextBlocks } from "./memory-context.ts";

/** What assistants and their hooks put into a session beside what was said. An element that is never closed goes to the end. */
const INJECTED_ELEMENTS = [
  "workspace-memory",
  "hook_context",
  "system-reminder",
  "session_context",
  "task-notification",
  "environment_context",
  "environment_details",
  "user_instructions",
  "user-memory-input",
  "session-start-hook",
  "user-prompt-submit-hook",
  "local-command-stdout",
  "local-command-caveat",
  "command-name",
  "command-message",
  "command-args",
];
/** Its attributes are bounded, so that text made to look like many openings is not read again and again. */
const INJECTED = new RegExp(
  String.raw`<(${INJECTED_ELEMENTS.join("|")})\b[^<>]{0,200}>(?:[\s\S]*?<\/\1>|[\s\S]*$)`,
  "gi",
);

/**
 * The turns without what was not said or done in this session: reminders of the assistant's harness, and memories, whether
 * they were injected or looked up. Otherwise memories would be taken from memories, session after session.
 */
export function removeInjectedText(turns: readonly Turn[]): Turn[] {
  return turns.flatMap((turn) => {
    if (turn.kind === "tool_result" && isMemoryLookUp(turn.text)) return [];
    const own = removeContextBlocks(turn.text.replaceAll(INJECTED, ""));
    // The first line of a result aligns with the second.
    const text = turn.kind === "tool_result" ? own.trimEnd() : own.trim();
    return text.trim() === "" && turn.toolName === undefined ? [] : [{ ...turn, text }];
  });
}

/** The answer of our own search, as tools print it. */
function isMemoryLookUp(text: string): boolean {
  return text.includes('"chunkType"') && text.includes('"sourceExcerpt"');
}
