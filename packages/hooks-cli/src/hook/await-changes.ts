import { sinceStartMs } from "../clock.ts";
import { hasCallsInTranscript } from "../harness/harness.ts";
import { type SessionTurn, awaitsChanges } from "../undo/turn-state.ts";
import type { HookCall } from "./hook-session.ts";

/** Since the start of the process, which has a second in all. */
const KNOWN_MS = 600;
const LOOK_MS = 10;

/**
 * Waits, within the time that the hook of a session's end has, until it is known what the last turn changed: no later event could
 * report that. What Claude Code has done is reported by a helper, which reads it from the transcript. Never throws.
 */
export async function untilChangesAreKnown(
  { home, harness, switches }: HookCall,
  turn: SessionTurn | undefined,
): Promise<void> {
  if (turn === undefined || !switches.events || hasCallsInTranscript(harness)) return;
  try {
    while (awaitsChanges(home, turn) && sinceStartMs() < KNOWN_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  } catch {
    // The undo command finds them.
  }
}
