import * as fs from "node:fs";
import { readBreaker } from "../delivery/breaker-file.ts";
import { allowsAttempt, isTrialDue } from "../delivery/circuit-breaker.ts";
import { describeError } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import type { Config } from "../files/config.ts";
import {
  type Injection,
  type InjectionReason,
  claimMemories,
  givenFile,
  recordGiven,
} from "../memory/given-memories.ts";
import { citationFile, indexAgeMs } from "../memory/index-file.ts";
import {
  findDueSessions,
  sessionFile,
  recordActivity,
  recordSessionEnd,
  recordSessionStart,
} from "../memory/session-record.ts";
import { serverPolicyAgeMs } from "../policy/policy-store.ts";
import { findDueUsage, forgetUsage, readUsage, recordUsage } from "../usage/usage-record.ts";
import { hasCallsInTranscript } from "../harness/harness.ts";
import { isChildSession } from "./child-session.ts";
import { startHelper } from "./helper-process.ts";
import { isContinued } from "./hook-context.ts";
import type { HookCall, Report } from "./hook-session.ts";
import { spoolOf } from "./record-event.ts";

export const SETTINGS_MAX_AGE_MS = 5 * 60_000;
const INDEX_MAX_AGE_MS = 60_000;
const CITATIONS_MS = 30;

/** Whether this session takes part in memory. */
export function usesMemory(call: HookCall): boolean {
  return call.switches.memory && call.config.kind === "ready" && !isChildSession(call.input, call.environment);
}

/** Records that a session uses tokens and tools, so that a helper sends what its transcript says about them. */
export function recordTokens(call: HookCall, report: Report): void {
  const { home, harness, input, project, switches } = call;
  const { sessionId, transcriptPath, agentId, agentTranscriptPath } = input;
  if (sessionId === undefined || transcriptPath === undefined) return;
  if (agentId !== undefined && agentTranscriptPath === undefined) return;
  try {
    const session = { sessionId, transcriptPath, project: project.identity };
    if (switches.events) recordUsage(home.usage, session, hasCallsInTranscript(harness), agentTranscriptPath);
    else forgetUsage(home.usage, sessionId);
  } catch (error) {
    report(`its usage could not be recorded (${describeError(error)})`);
  }
}

/** Whether a helper reads the calls of this session from its transcript. */
export function isReadFromTranscript({ home, event, input }: HookCall): boolean {
  if (event.isInTranscript !== true || input.sessionId === undefined) return false;
  return readUsage(sessionFile(home.usage, input.sessionId))?.callBytes !== undefined;
}

/** Records that a session started, went on, was or will be compacted, or ended, so that its transcript is uploaded, now or at the next start. */
export function recordSession(call: HookCall, report: Report): void {
  const { home, input, project, now } = call;
  const { sessionId, transcriptPath } = input;
  if (sessionId === undefined || transcriptPath === undefined || !usesMemory(call)) return;
  const session = { sessionId, transcriptPath, project: project.identity };
  try {
    if (input.event === "SessionEnd") recordSessionEnd(home.sessions, session, now());
    else if (input.event === "SessionStart")
      recordSessionStart(home.sessions, { ...session, isCompacted: input.source === "compact" }, now());
    else recordActivity(home.sessions, { ...session, isCompacted: input.event === "PreCompact" }, now());
  } catch (error) {
    report(`the session could not be recorded (${describeError(error)})`);
  }
}

/**
 * Records which memories a session was given. Those that it is given at its start, and those that are withheld from it, are not
 * given to it later; others have been claimed before. A session that starts, or whose context is cleared or compacted, has none
 * left of those that it was given before.
 */
export function recordInjection(
  { home, input, now }: HookCall,
  reason: InjectionReason,
  injection: Injection | undefined,
  report: Report,
  withheld: readonly string[] = [],
): void {
  if (input.sessionId === undefined) return;
  try {
    if (reason === "session_start") {
      if (!isContinued(input)) fs.rmSync(givenFile(home.given, input.sessionId), { force: true });
      const memoryIds = [...(injection?.memoryIds ?? []), ...withheld];
      if (memoryIds.length > 0) claimMemories(home, input.sessionId, { memoryIds });
    }
    if (injection !== undefined) recordGiven(home, input.sessionId, reason, injection, now());
  } catch (error) {
    report(`what it was given could not be recorded (${describeError(error)})`);
  }
}

/**
 * The memories of the project that rest on lines which are not in its files any more, as far as that can be found out while the
 * assistant waits. The server is informed by a helper, and withholds them.
 */
export async function findWithheld(call: HookCall, report: Report): Promise<readonly string[]> {
  const { home, project } = call;
  if (!usesMemory(call) || !fs.existsSync(citationFile(home, project.identity))) return [];
  try {
    const { findBrokenMemories, readCitations } = await import("./seldom-needed.ts");
    return findBrokenMemories(readCitations(home, project.identity), project.root, CITATIONS_MS);
  } catch (error) {
    report(`citations could not be checked (${describeError(error)})`);
    return [];
  }
}

/**
 * Starts a helper if there is something to send, memories to fetch, or a new Node version to compile for: it has more time
 * than a hook. One that watches stays while a person may have something for the session. `hasBroken`: lines that
 * memories rest on are gone, which the server has to be informed of.
 */
export async function startHelperIfNeeded(
  call: HookCall,
  report: Report,
  watches = false,
  hasBroken = false,
): Promise<void> {
  const { home, config, input, project, cwd, now } = call;
  if (config.kind !== "ready") return;
  const breaker = readBreaker(home.breaker);
  const isAllowed = allowsAttempt(breaker, now(), false) || isTrialDue(breaker, now());
  const needsIndex = isAllowed && (hasBroken || isIndexOld(call));
  const hasToSend = (): boolean =>
    isAllowed &&
    (spoolOf(call).availableLength > 0 ||
      findDueSessions(home.sessions, config.config, now()).length > 0 ||
      (fs.existsSync(home.calls) && fs.readdirSync(home.calls).length > 0) ||
      findDueUsage(home.usage).length > 0);
  const watch = watches && isAllowed && call.switches.events ? ["--watch", input.sessionId ?? ""] : [];
  if (!lacksCompiledCode(home) && !needsIndex && watch.length === 0 && !hasToSend()) return;
  const index = needsIndex ? ["--project", project.identity, "--folder", cwd, "--root", project.root] : [];
  await startFlush(call, [...watch, ...index], report);
}

async function startFlush({ home }: HookCall, args: readonly string[], report: Report): Promise<void> {
  if (!(await startHelper(process.argv[1] ?? home.launcher, ["flush", "--background", ...args])))
    report("no helper could be started; the next session catches up");
}

/** Starts a helper that finds out whether the server is back, unless that was done within the last seconds. */
export async function startTrialIfDue(call: HookCall, report: Report): Promise<void> {
  if (isTrialDue(readBreaker(call.home.breaker), call.now())) await startFlush(call, [], report);
}

/** Whether a session starts whose project has no recent index of its memories. */
function isIndexOld(call: HookCall): boolean {
  return (
    call.input.event === "SessionStart" &&
    usesMemory(call) &&
    indexAgeMs(call.home, call.project.identity, call.now()) > INDEX_MAX_AGE_MS
  );
}

/** Fetches what is set in the dashboard, unless that was done within the last minutes. */
export async function refreshSettings(
  call: HookCall,
  { connection }: Config,
  deadlineMs: number,
  report: Report,
): Promise<void> {
  const { home, now } = call;
  if (serverPolicyAgeMs(home, now()) < SETTINGS_MAX_AGE_MS || !allowsAttempt(readBreaker(home.breaker), now(), false))
    return;
  try {
    const { fetchServerSettings } = await import("./seldom-needed.ts");
    await fetchServerSettings(home, connection, deadlineMs);
  } catch (error) {
    report(`the settings could not be stored (${describeError(error)})`);
  }
}
