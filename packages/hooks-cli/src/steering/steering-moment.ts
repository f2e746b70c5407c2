import type { HarnessId, HookEvent, InnerEvent } from "../harness/harness.ts";

/** What an event is to whoever steers the session. */
export interface SteeringMoment {
  readonly moment: "prompt" | "call" | "result" | "end";
  /** Whether the assistant can be told something at it. */
  readonly takesMessages: boolean;
}

/** When each assistant can be told something: as its releases do, which differ from what they document. */
const TAKES: Readonly<Record<HarnessId, readonly SteeringMoment["moment"][]>> = {
  "claude-code": ["prompt", "call", "end"],
  codex: ["prompt", "call", "end"],
  // Before a call it takes nothing but a refusal.
  "gemini-cli": ["prompt", "call", "end"],
  cursor: ["result"],
  opencode: ["call"],
};

const MOMENTS: Readonly<Partial<Record<HookEvent | InnerEvent, SteeringMoment["moment"]>>> = {
  UserPromptSubmit: "prompt",
  PreToolUse: "call",
  PostToolUse: "result",
  PostToolUseFailure: "result",
  Stop: "end",
};

/** Undefined if the event is nothing to them. */
export function momentOf(harness: HarnessId, event: HookEvent | InnerEvent): SteeringMoment | undefined {
  const moment = MOMENTS[event];
  if (moment === undefined) return undefined;
  const takesMessages = TAKES[harness].includes(moment);
  // After a tool there is nothing to do but to tell something.
  return moment === "result" && !takesMessages ? undefined : { moment, takesMessages };
}
