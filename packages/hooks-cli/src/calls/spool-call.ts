import type { Home } from "../files/home.ts";
import type { HarnessId, HookInput } from "../harness/harness.ts";
import { toEvent } from "../hook/event-record.ts";
import { turnOfSession } from "../hook/undo-steps.ts";
import { lockSession } from "../memory/session-record.ts";
import type { Spool } from "../spool/spool.ts";

export interface CallDeps {
  readonly home: Home;
  readonly spool: Spool;
  readonly maxSpooledEvents: number;
  readonly now: () => number;
  readonly knownSecrets: readonly string[];
}

/** A call that has ended, for which no hook runs this program. */
export interface EndedCall {
  /** The event's, the same whenever and by whom the call is read. */
  readonly id: string;
  readonly occurredAt: Date;
  readonly harness: HarnessId;
  readonly input: HookInput<"PostToolUse" | "PostToolUseFailure">;
  /** The project's identity. */
  readonly project: string;
}

/** Each event is released at once, so that whoever sends next sends it. */
const LEASE_MS = 1_000;
const POLL_MS = 50;

/** Puts the event of a call into the spool. */
export function spoolCall(
  { home, spool, knownSecrets }: CallDeps,
  { id, occurredAt, harness, input, project }: EndedCall,
): void {
  const event = toEvent({
    id,
    occurredAt,
    harness,
    input,
    projectDir: input.cwd,
    project,
    verdict: undefined,
    exitCode: 0,
    turn: input.sessionId === undefined ? undefined : turnOfSession(home, input.sessionId),
    durationMs: 0,
    hookScript: process.argv[1] ?? "",
    health: undefined,
    knownSecrets,
  });
  const body = JSON.stringify(event);
  const claimed = spool.add({ id, occurredAtMs: occurredAt.getTime(), body, isImportant: false }, LEASE_MS);
  if (claimed !== undefined) spool.release(claimed);
}

/** Waits for another helper that reads the calls of the session, since it may have begun before the last ones. */
export async function waitForSession({ now }: CallDeps, path: string, end: number): Promise<(() => void) | undefined> {
  for (;;) {
    const unlock = lockSession(path, now());
    if (unlock !== undefined || now() > end) return unlock;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A UUID of version 8, of one's own making, that begins with 15 of these hexadecimal digits and is as unique as the others. */
export function uuid(hex: string): string {
  const variant = (8 + (Number.parseInt(hex.charAt(15), 16) % 4)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}-${hex.slice(19, 31)}`;
}
