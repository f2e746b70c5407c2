import type { Harness, HarnessEvent, HarnessId, HookOutcome, HookReply } from "../harness/harness.ts";
import { NO_OUTPUT } from "../harness/harness.ts";
import { parseRecord } from "../json/json-value.ts";

interface SteeredOutcome {
  readonly outcome: HookOutcome;
  /** What the assistant is told. */
  readonly text: string | undefined;
  readonly endsRun: boolean;
}

/** The assistant's own reply, with what it is told, or so that its run ends. */
export function replyWith(
  harness: Harness,
  event: HarnessEvent,
  { outcome, text, endsRun }: SteeredOutcome,
): HookReply {
  if (event.event === "Stop") return text === undefined ? NO_OUTPUT : goingOn(harness.id, text);
  const context = text === undefined ? outcome.context : [text, outcome.context].filter(Boolean).join("\n\n");
  const reply = harness.reply(event, { ...outcome, context });
  const told = text === undefined || reply.stdout !== "" ? reply : { ...reply, stdout: contextOnly(event, text) };
  if (!endsRun) return told;
  return {
    ...told,
    stdout: JSON.stringify({ ...parseRecord(told.stdout), continue: false, stopReason: outcome.reason }),
  };
}

/** At the end of a run the assistant goes on with what it is told. */
function goingOn(harness: HarnessId, text: string): HookReply {
  return {
    ...NO_OUTPUT,
    stdout: JSON.stringify({ decision: harness === "gemini-cli" ? "deny" : "block", reason: text }),
  };
}

function contextOnly({ name }: HarnessEvent, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } });
}
