import { describeError } from "../files/atomic-file.ts";
import { sha256 } from "../files/sha256.ts";
import type { HarnessId } from "../harness/harness.ts";
import { type JsonValue, isArray } from "../json/json-value.ts";
import { sessionFile } from "../memory/session-record.ts";
import { geminiFolder } from "../transcript/past-sessions.ts";
import { readLines } from "../transcript/read-lines.ts";
import { type UsageRecord, findUnreadCalls, readUsage, writeUsage } from "../usage/usage-record.ts";
import { recordKeptCalls } from "./record-kept-calls.ts";
import { type CallDeps, spoolCall, uuid, waitForSession } from "./spool-call.ts";
import { type CallResult, type StartedCall, callsInLine, toHookInput } from "./transcript-calls.ts";

/**
 * Records the calls of tools that transcripts have, and those that have been kept instead, until the time runs out or the spool is
 * full: the rest is read the next time. An event's id follows from the transcript or the file, so what is read twice counts once.
 * Returns the first problem.
 */
export async function recordCalls(deps: CallDeps, deadlineMs: number): Promise<string | undefined> {
  const end = deps.now() + deadlineMs;
  const problem = await recordKeptCalls(deps, end);
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
  return problem;
}

/** Reads on in a file of a session. The record is read again, since another process may have read on before the session was locked. */
function readCalls(deps: CallDeps, recordPath: string, file: string, end: number): void {
  const record = readUsage(recordPath);
  if (record === undefined) return;
  let position = record.callBytes?.[file] ?? 0;
  let room = deps.maxSpooledEvents - deps.spool.length;
  const openCalls: { [useId: string]: JsonValue | undefined } = { ...record.openCalls };
  let folder: string | undefined;
  for (const line of readLines(file, position)) {
    if (room <= 0 || deps.now() > end) break;
    const { harness, started, results } = callsInLine(line.text);
    for (const { useId } of started) openCalls[useId] = [file, position];
    for (const result of results) {
      const call = findCall(openCalls[result.useId], result.useId);
      delete openCalls[result.useId];
      if (call === undefined || result.isRefused) continue;
      // Gemini CLI's transcripts do not name it at every call.
      const cwd = result.cwd ?? (folder ??= geminiFolder(record.transcriptPath));
      spoolResult(deps, record, { harness, call, result: { ...result, cwd } });
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

interface FoundCall {
  readonly harness: HarnessId;
  readonly call: StartedCall;
  readonly result: CallResult;
}

function spoolResult(deps: CallDeps, record: UsageRecord, { harness, call, result }: FoundCall): void {
  const { sessionId, transcriptPath, project } = record;
  spoolCall(deps, {
    id: uuid(sha256(`${result.lineId} ${result.useId}`)),
    occurredAt: result.occurredAt,
    harness,
    input: toHookInput(call, result, { sessionId, transcriptPath }),
    project,
  });
}
