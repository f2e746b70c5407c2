import { sinceStartMs } from "../clock.ts";
import { type SessionTurn, awaitsChanges } from "../undo/turn-state.ts";
import type { HookCall } from "./hook-session.ts";

/** Since the start of the process, which has a second in all. */
const KNOWN_MS = 600;
const LOOK_MS = 10;

/**
 * Waits, within the time that the hook of a session's end has, until it is known what the last turn changed: no later event could
 * report that, and the calls in a transcript may all have been reported before. Never throws.
 */
export async function untilChangesAreKnown({ home, switches }: HookCall, turn: SessionTurn | undefined): Promise<void> {
  if (turn === undefined || !switches.events) return;
  try {
    while (awaitsChanges(home, turn) && sinceStartMs() < KNOWN_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  } catch {
    // The undo command finds them.
  }
}
