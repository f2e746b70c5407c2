import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../delivery/api-call.ts";
import { readBreaker, writeBreaker } from "../delivery/breaker-file.ts";
import { afterFailure, allowsAttempt, isTripped } from "../delivery/circuit-breaker.ts";
import { describeError, ensurePrivateDir, tryStat } from "../files/atomic-file.ts";
import { sessionFileName } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";
import { isSteered } from "../steering/is-steered.ts";
import { type SteeringMoment, momentOf } from "../steering/steering-moment.ts";
import type { HookCall, Report } from "./hook-session.ts";

/** A call after what a person had for its session. */
export interface SteeredCall {
  readonly call: HookCall;
  /** Whether a person had something: a later hook may have to deliver it, which a pass would prevent. */
  readonly hadInstructions?: true;
  /** Reports what was delivered; to be called once the hook has replied. */
  readonly finish?: () => Promise<void>;
}

/** A file that is there, with a time in the future, while a helper watches whether a person has something for the session. */
export function watchPath({ steering }: Home, sessionId: string): string {
  return join(steering, sessionFileName(sessionId));
}

/** A file that is there once a helper has seen that a person has something for the session, until a hook has asked for it. */
function duePath({ steering }: Home, sessionId: string): string {
  return join(steering, `${sessionFileName(sessionId)}.due`);
}

/** Has the next hook of the session ask for what a person has for it, with as much time as a slow server needs. */
export function markDue(home: Home, sessionId: string): void {
  ensurePrivateDir(home.steering);
  writeFileSync(duePath(home, sessionId), "", { mode: 0o600 });
}

/** Records until when a session is watched. A time that is over says when its turn ended, also to a helper that has just begun. */
export function setWatchEnd(home: Home, sessionId: string, endMs: number): void {
  const path = watchPath(home, sessionId);
  ensurePrivateDir(home.steering);
  writeFileSync(path, "", { mode: 0o600 });
  utimesSync(path, endMs / 1_000, endMs / 1_000);
}

/** Whether this hook need not ask: a helper watches, or nobody could have anything for the session. */
export function isWatched({ home, config, switches, input, now }: HookCall): boolean {
  const { sessionId } = input;
  if (sessionId === undefined || config.kind !== "ready" || !switches.events) return true;
  return (tryStat(watchPath(home, sessionId))?.mtimeMs ?? 0) > now();
}

/** A session that may be steered at a hook. */
export interface Steerable {
  readonly connection: Connection;
  readonly sessionId: string;
  readonly at: SteeringMoment;
}

/** The assistant waits for it, so a server that takes longer is left alone for a while. */
const ASK_MS = 300;

/** Asks at once whether a person has anything for the session, unless this is asked already, and does it. */
export async function steered(
  call: HookCall,
  isAsked: Promise<boolean> | undefined,
  extend: (byMs: number) => void,
  report: Report,
): Promise<SteeredCall> {
  try {
    const steerable = steerableAt(call);
    if (steerable === undefined) return { call };
    const due = duePath(call.home, steerable.sessionId);
    const isDue = tryStat(due) !== undefined;
    // In any case: a server that hangs from now on delays one call.
    if (isDue) rmSync(due, { force: true });
    else if (isBroken(call) || !(await (isAsked ?? hasInstructions(call, steerable)))) return { call };
    const { steer } = await import("./seldom-needed.ts");
    return { ...(await steer(call, steerable, extend)), hadInstructions: true };
  } catch (error) {
    report(`not steered (${describeError(error)})`);
    return { call };
  }
}

/** Undefined if there is no need to ask. */
function steerableAt(call: HookCall): Steerable | undefined {
  const { config, harness, event, input } = call;
  const { sessionId } = input;
  const at = event.isAsync === true ? undefined : momentOf(harness.id, input.event);
  if (at === undefined || sessionId === undefined || config.kind !== "ready" || isWatched(call)) return undefined;
  return { connection: config.config.connection, sessionId, at };
}

/** After several failures the server is left to hooks that nobody waits for. */
function isBroken({ home, now }: HookCall): boolean {
  const breaker = readBreaker(home.breaker);
  return isTripped(breaker) || !allowsAttempt(breaker, now(), false);
}

async function hasInstructions({ home, now }: HookCall, { connection, sessionId }: Steerable): Promise<boolean> {
  const result = await isSteered(connection, sessionId, { waitMs: 0, graceMs: ASK_MS });
  if (result.kind === "unavailable") writeBreaker(home.breaker, afterFailure(readBreaker(home.breaker), now(), result));
  return result.kind === "ok" && result.value;
}
