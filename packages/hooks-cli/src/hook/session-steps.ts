import { getPolicy } from "../delivery/workspace-api.ts";
import { readBreaker } from "../delivery/breaker-file.ts";
import { mayTry } from "../delivery/circuit-breaker.ts";
import { describeError } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import type { Config } from "../files/config.ts";
import { findDueSessions, noteSessionEnd, noteSessionStart } from "../memory/session-record.ts";
import { keepServerPolicy, markServerPolicyFetched, serverPolicyAgeMs } from "../policy/policy-store.ts";
import { isChildSession } from "./child-session.ts";
import { startHelper } from "./helper-process.ts";
import type { HookCall } from "./hook-session.ts";
import { type Report, spoolOf } from "./record-event.ts";

const POLICY_MAX_AGE_MS = 5 * 60_000;

/** Whether memory has anything to do with this session. */
export function usesMemory(call: HookCall): boolean {
  return call.switches.memory && call.config.kind === "ready" && !isChildSession(call.input, call.environment);
}

/** Remembers that a session began or ended, so that what was said in it is learnt from, now or at the next start. */
export function noteSession(call: HookCall, report: Report): void {
  const { home, input, project, now } = call;
  const { sessionId, transcriptPath } = input;
  if (sessionId === undefined || transcriptPath === undefined || !usesMemory(call)) return;
  const session = { sessionId, transcriptPath, project: project.identity };
  try {
    if (input.event === "SessionEnd") noteSessionEnd(home.sessions, session, now());
    else noteSessionStart(home.sessions, session, now());
  } catch (error) {
    report(`the session could not be noted (${describeError(error)})`);
  }
}

/** Starts a helper where there is something to send, or another Node to compile for: it has the time that a hook has not. */
export async function startHelperIfNeeded(call: HookCall, report: Report): Promise<void> {
  const { home, config, now } = call;
  if (config.kind !== "ready") return;
  const hasToSend = (): boolean =>
    mayTry(readBreaker(home.breaker), now(), false) &&
    (spoolOf(call).availableLength > 0 || findDueSessions(home.sessions, now()).length > 0);
  if (!lacksCompiledCode(home.program, home.compiledCode) && !hasToSend()) return;
  if (!(await startHelper(process.argv[1] ?? home.launcher)))
    report("the helper process could not be started; the next session catches up");
}

/** Fetches the policy that is set in the dashboard, if that was not done in the last minutes. */
export async function refreshPolicy(
  call: HookCall,
  { connection }: Config,
  deadlineMs: number,
  report: Report,
): Promise<void> {
  const { home, now } = call;
  if (serverPolicyAgeMs(home, now()) < POLICY_MAX_AGE_MS || !mayTry(readBreaker(home.breaker), now(), false)) return;
  const result = await getPolicy(connection, deadlineMs);
  if (result.kind !== "ok") return;
  try {
    keepServerPolicy(home, result.value.document, result.value.version);
    markServerPolicyFetched(home);
  } catch (error) {
    report(`the server's policy could not be kept (${describeError(error)})`);
  }
}
