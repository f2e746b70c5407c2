import { describeError } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { sha256 } from "../files/sha256.ts";
import { toEvent } from "../hook/event-record.ts";
import { turnOfSession } from "../hook/undo-steps.ts";
import { type JsonValue, isArray } from "../json/json-value.ts";
import { lockSession, sessionFile } from "../memory/session-record.ts";
import type { Spool } from "../spool/spool.ts";
import { readLines } from "../transcript/read-lines.ts";
import { type UsageRecord, findUnreadCalls, readUsage, writeUsage } from "../usage/usage-record.ts";
import { type CallResult, type StartedCall, callsInLine, toHookInput } from "./transcript-calls.ts";

export interface CallDeps {
  readonly home: Home;
  readonly spool: Spool;
  readonly maxSpooledEvents: number;
  readonly now: () => number;
  readonly knownSecrets: readonly string[];
}

/** Each event is released at once, so that whoever sends next sends it. */
const LEASE_MS = 1_000;
const POLL_MS = 50;

/**
 * Records the calls of tools that transcripts have, until the time runs out or the spool is full: the rest is read the next time. An
 * event's id follows from the transcript, so what is read twice counts once. Returns the first problem.
 */
export async function recordCalls(deps: CallDeps, deadlineMs: number): Promise<string | undefined> {
  const end = deps.now() + deadlineMs;
  for (const { record, files } of findUnreadCalls(deps.home.usage)) {
    const path = sessionFile(deps.home.usage, record.sessionId);
    const unlock = await waitForSession(deps, path, end);
    if (unlock === undefined) continue;
    try {
      for (const { path: file } of files) readCalls(deps, path, file, end);
    } catch (error) {
      return `the calls of a session could not be read: ${describeError(error)}`;
    } finally {
      unlock();
    }
  }
  return undefined;
}

/** Waits for another helper that reads the session, since it may have begun before the last calls. */
async function waitForSession({ now }: CallDeps, path: string, end: number): Promise<(() => void) | undefined> {
  for (;;) {
    const unlock = lockSession(path, now());
    if (unlock !== undefined || now() > end) return unlock;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Reads on in a file of a session. The record is read again, since another process may have read on before the session was locked. */
function readCalls(deps: CallDeps, recordPath: string, file: string, end: number): void {
  const record = readUsage(recordPath);
  if (record === undefined) return;
  let position = record.callBytes?.[file] ?? 0;
  let room = deps.maxSpooledEvents - deps.spool.length;
  const openCalls: { [useId: string]: JsonValue | undefined } = { ...record.openCalls };
  for (const line of readLines(file, position)) {
    if (room <= 0 || deps.now() > end) break;
    const { started, results } = callsInLine(line.text);
    for (const { useId } of started) openCalls[useId] = [file, position];
    for (const result of results) {
      const call = findCall(openCalls[result.useId], result.useId);
      delete openCalls[result.useId];
      if (call === undefined || result.isRefused) continue;
      spoolCall(deps, record, call, result);
      room -= 1;
    }
    position = line.end;
  }
  const callBytes = { ...record.callBytes, [file]: position };
  writeUsage(deps.home.usage, { ...record, callBytes, openCalls });
}

/** Reads the line of a call again: results come later, and inputs may be large. */
function findCall(place: JsonValue | undefined, useId: string): StartedCall | undefined {
  const [file, position] = isArray(place) ? place : [];
  if (typeof file !== "string" || typeof position !== "number") return undefined;
  for (const { text } of readLines(file, position))
    return callsInLine(text).started.find((call) => call.useId === useId);
  return undefined;
}

function spoolCall(deps: CallDeps, record: UsageRecord, call: StartedCall, result: CallResult): void {
  const { home, spool, knownSecrets } = deps;
  const { sessionId, transcriptPath, project } = record;
  const id = idOf(result);
  const event = toEvent({
    id,
    occurredAt: result.occurredAt,
    harness: "claude-code",
    input: toHookInput(call, result, { sessionId, transcriptPath }),
    projectDir: result.cwd,
    project,
    verdict: undefined,
    exitCode: 0,
    turn: turnOfSession(home, sessionId),
    durationMs: 0,
    hookScript: process.argv[1] ?? "",
    health: undefined,
    knownSecrets,
  });
  const body = JSON.stringify(event);
  const claimed = spool.add({ id, occurredAtMs: result.occurredAt.getTime(), body, isImportant: false }, LEASE_MS);
  if (claimed !== undefined) spool.release(claimed);
}

/** A UUID of version 8: of one's own making, and the same whenever and by whom the result is read. */
function idOf({ lineId, useId }: CallResult): string {
  const hex = sha256(`${lineId} ${useId}`);
  const variant = (8 + (Number.parseInt(hex.charAt(15), 16) % 4)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}-${hex.slice(19, 31)}`;
}
