import type {
  Harness,
  HarnessEvent,
  HarnessId,
  HookEvent,
  HookOutcome,
  HookReply,
  InnerEvent,
} from "../harness/harness.ts";
import { NO_OUTPUT } from "../harness/harness.ts";
import { parseRecord } from "../json/json-value.ts";
import type { SteeringRequest } from "./steering-api.ts";

type Moment = Pick<SteeringRequest, "moment" | "takesMessages">;

/** When each assistant can be told something: as its releases do, which differ from what they document. */
const TAKES: Readonly<Record<HarnessId, readonly SteeringRequest["moment"][]>> = {
  "claude-code": ["prompt", "call", "end"],
  codex: ["prompt", "call", "end"],
  "gemini-cli": ["prompt", "result", "end"],
  cursor: ["result"],
  opencode: ["call"],
};

const MOMENTS: Readonly<Partial<Record<HookEvent | InnerEvent, SteeringRequest["moment"]>>> = {
  UserPromptSubmit: "prompt",
  PreToolUse: "call",
  PostToolUse: "result",
  PostToolUseFailure: "result",
  Stop: "end",
};

/** What an event is to whoever steers the session; undefined if it is nothing. */
export function momentOf(harness: HarnessId, event: HookEvent | InnerEvent): Moment | undefined {
  const moment = MOMENTS[event];
  if (moment === undefined) return undefined;
  const takesMessages = TAKES[harness].includes(moment);
  // After a tool there is nothing to do but to tell something.
  return moment === "result" && !takesMessages ? undefined : { moment, takesMessages };
}

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
