import type { RecordHookEvent } from "@workspace/core";
import { readClaudeInput } from "../../../packages/hooks-cli/src/harness/claude-code.ts";
import { toEvent } from "../../../packages/hooks-cli/src/hook/event-record.ts";
import type { Step } from "./history.ts";

/** A step as the hooks CLI sends it. */
export function toRecorded({ event, payload, folder: projectDir }: Step, atMs: number): RecordHookEvent {
  return toEvent({
    id: crypto.randomUUID(),
    occurredAt: new Date(atMs),
    harness: "claude-code",
    input: readClaudeInput({ event }, payload),
    projectDir,
    project: projectDir,
    verdict: undefined,
    exitCode: 0,
    turn: undefined,
    durationMs: 10,
    hookScript: "",
    health: undefined,
    knownSecrets: [],
  });
}
