import * as fs from "node:fs";
import { getPolicy } from "../delivery/workspace-api.ts";
import { readBreaker } from "../delivery/breaker-file.ts";
import { allowsAttempt } from "../delivery/circuit-breaker.ts";
import { describeError } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import type { Config } from "../files/config.ts";
import { type Injection, type InjectionReason, givenFile, recordGiven } from "../memory/given-memories.ts";
import { findDueSessions, recordSessionEnd, recordSessionStart } from "../memory/session-record.ts";
import { storeServerPolicy, markServerPolicyFetched, serverPolicyAgeMs } from "../policy/policy-store.ts";
import { isChildSession } from "./child-session.ts";
import { startHelper } from "./helper-process.ts";
import { isContinued } from "./hook-context.ts";
import type { HookCall } from "./hook-session.ts";
import { type Report, spoolOf } from "./record-event.ts";

const POLICY_MAX_AGE_MS = 5 * 60_000;

/** Whether this session takes part in memory. */
export function usesMemory(call: HookCall): boolean {
  return call.switches.memory && call.config.kind === "ready" && !isChildSession(call.input, call.environment);
}

/** Records that a session started, was compacted or ended, so that its transcript is uploaded, now or at the next start. */
export function recordSession(call: HookCall, report: Report): void {
  const { home, input, project, now } = call;
  const { sessionId, transcriptPath } = input;
  if (sessionId === undefined || transcriptPath === undefined || !usesMemory(call)) return;
  const session = { sessionId, transcriptPath, project: project.identity };
  try {
    if (input.event === "SessionEnd") recordSessionEnd(home.sessions, session, now());
    else recordSessionStart(home.sessions, { ...session, isCompacted: input.source === "compact" }, now());
  } catch (error) {
    report(`the session could not be recorded (${describeError(error)})`);
  }
}

/**
 * Records which memories a session is given, so that it is not given them again. A session that starts, or whose context is
 * cleared or compacted, has none of them left.
 */
export function recordInjection(
  { home, input, now }: HookCall,
  reason: InjectionReason,
  injection: Injection | undefined,
  report: Report,
): void {
  if (input.sessionId === undefined) return;
  const path = givenFile(home.given, input.sessionId);
  try {
    if (reason === "session_start" && !isContinued(input)) fs.rmSync(path, { force: true });
    if (injection !== undefined) recordGiven(path, reason, injection, now());
  } catch (error) {
    report(`what the session was given could not be recorded (${describeError(error)})`);
  }
}

/** Starts a helper if there is something to send, or a new Node version to compile for: it has more time than a hook. */
export async function startHelperIfNeeded(call: HookCall, report: Report): Promise<void> {
  const { home, config, now } = call;
  if (config.kind !== "ready") return;
  const hasToSend = (): boolean =>
    allowsAttempt(readBreaker(home.breaker), now(), false) &&
    (spoolOf(call).availableLength > 0 || findDueSessions(home.sessions, now()).length > 0);
  if (!lacksCompiledCode(home.program, home.compiledCode) && !hasToSend()) return;
  if (!(await startHelper(process.argv[1] ?? home.launcher)))
    report("the helper process could not be started; the next session catches up");
}

/** Fetches the policy set in the dashboard, unless that was done within the last minutes. */
export async function refreshPolicy(
  call: HookCall,
  { connection }: Config,
  deadlineMs: number,
  report: Report,
): Promise<void> {
  const { home, now } = call;
  if (serverPolicyAgeMs(home, now()) < POLICY_MAX_AGE_MS || !allowsAttempt(readBreaker(home.breaker), now(), false))
    return;
  const result = await getPolicy(connection, deadlineMs);
  if (result.kind !== "ok") return;
  try {
    storeServerPolicy(home, result.value.document, result.value.version);
    markServerPolicyFetched(home);
  } catch (error) {
    report(`the server's policy could not be stored (${describeError(error)})`);
  }
}
