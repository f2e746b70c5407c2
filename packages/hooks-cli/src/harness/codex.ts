import * as fs from "node:fs";
import { type JsonRecord, numberAt, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { claudeCode, readClaudeInput } from "./claude-code.ts";
import { type Harness, type HarnessEvent, type HookInput, asFailure, refusedInsteadOfAsked } from "./harness.ts";

/** At the end of a transcript, the command that has just ended is recorded within them. */
const PART_BYTES = 256 * 1024;

/** Codex uses Claude Code's format and does not ask: "ask" becomes a refusal. It has no hooks in the background. */
export const codex: Harness = {
  id: "codex",
  title: "Codex",
  events: [
    { name: "SessionStart", event: "SessionStart" },
    { name: "UserPromptSubmit", event: "UserPromptSubmit", takesContext: true },
    { name: "PreToolUse", event: "PreToolUse" },
    { name: "PostToolUse", event: "PostToolUse" },
    { name: "Stop", event: "Stop" },
    { name: "SubagentStop", event: "SubagentStop" },
    { name: "PreCompact", event: "PreCompact" },
    { name: "SessionEnd", event: "SessionEnd" },
    { name: "PermissionRequest", event: "Wait" },
  ],
  readInput: readCodexInput,
  reply: (event, outcome) => claudeCode.reply(event, refusedInsteadOfAsked(outcome)),
};

/** What a hook receives about a command does not include its exit code, the transcript does. */
function readCodexInput(event: HarnessEvent, payload: JsonRecord): HookInput {
  const agentTranscriptPath = stringAt(payload, "agent_transcript_path");
  const input = { ...readClaudeInput(event, payload), agentTranscriptPath };
  const { tool, transcriptPath } = input;
  if (
    event.event !== "PostToolUse" ||
    tool?.name !== "Bash" ||
    tool.useId === undefined ||
    transcriptPath === undefined
  )
    return input;
  const exitCode = exitCodeOf(tool.useId, transcriptPath);
  return exitCode === undefined || exitCode === 0 ? input : asFailure(input, `exit code ${exitCode}`);
}

function exitCodeOf(useId: string, transcriptPath: string): number | undefined {
  for (const line of readPart(transcriptPath, "end").split("\n").toReversed()) {
    const ended = line.includes(useId) ? exitCodeIn(line) : undefined;
    if (ended?.ids.includes(useId) === true) return ended.exitCode;
  }
  // Without a transcript, the command counts as successful.
  return undefined;
}

/** The exit code in a line of a transcript, with what may be the id of its call; undefined if there is none. */
export function exitCodeIn(line: string): { ids: readonly unknown[]; exitCode: number | undefined } | undefined {
  if (!line.includes('"exit_code"')) return undefined;
  const payload = recordAt(parseRecord(line) ?? {}, "payload") ?? {};
  const item = recordAt(payload, "item") ?? payload;
  return { ids: [item["id"], item["call_id"]], exitCode: numberAt(item, "exit_code") };
}

/** The start or the end of a transcript; nothing if it cannot be read. */
export function readPart(path: string | undefined, part: "start" | "end"): string {
  try {
    const descriptor = fs.openSync(path ?? "", fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const { size } = fs.fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, PART_BYTES));
      fs.readSync(descriptor, bytes, 0, bytes.length, part === "end" ? size - bytes.length : 0);
      return bytes.toString();
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return "";
  }
}
