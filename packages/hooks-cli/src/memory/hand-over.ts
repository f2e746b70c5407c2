import * as fs from "node:fs";
import type { Home } from "../files/home.ts";
import { type ApiResult, type Connection, postTranscript } from "../delivery/workspace-api.ts";
import { cleanTranscriptLine } from "../transcript/clean-transcript.ts";
import { readLines } from "../transcript/read-lines.ts";
import {
  type DueSession,
  type SessionRecord,
  findDueSessions,
  lockSession,
  readSession,
  writeSession,
} from "./session-record.ts";

export interface HandOverDeps {
  readonly home: Home;
  readonly connection: Connection;
  readonly now: () => number;
  readonly knownSecrets: readonly string[];
}

export interface HandOverReport {
  readonly handedOver: number;
  /** Sessions that wait for a later time. */
  readonly left: number;
  readonly failure: string | undefined;
}

/** The server takes 32 MiB; what is said in a session is far less than its transcript. */
const MAX_TRANSCRIPT_BYTES = 24 * 1024 * 1024;
/** A session in which nothing was said is not worth a request. */
const MIN_TRANSCRIPT_LENGTH = 200;
const MIN_REQUEST_MS = 200;

/**
 * Hands the transcripts of ended and cut-off sessions over, as long as there is time. `isAsked`: a person asks for it, so
 * those that failed a moment ago are tried again too.
 */
export async function handOverSessions(
  deps: HandOverDeps,
  deadlineMs: number,
  isAsked = false,
): Promise<HandOverReport> {
  const end = deps.now() + deadlineMs;
  const due = findDueSessions(deps.home.sessions, deps.now(), isAsked);
  let handedOver = 0;
  let failure: string | undefined;
  for (const [index, session] of due.entries()) {
    if (end - deps.now() < MIN_REQUEST_MS)
      return { handedOver, left: due.length - index, failure: "there was no more time" };
    const unlock = lockSession(session.path, deps.now());
    if (unlock === undefined) continue;
    try {
      const problem = await handOver(deps, session, end);
      if (problem === undefined) handedOver += 1;
      else failure = problem;
    } finally {
      unlock();
    }
  }
  return { handedOver, left: due.length - handedOver, failure };
}

/** Undefined: the server has it, or there was nothing to learn. */
async function handOver(
  deps: HandOverDeps,
  { path, record, size }: DueSession,
  end: number,
): Promise<string | undefined> {
  const transcript = readCleaned(record.transcriptPath, deps, end);
  if (transcript === undefined) {
    noteAttempt(deps, path);
    return "a transcript could not be read in time";
  }
  if (transcript.length < MIN_TRANSCRIPT_LENGTH) {
    noteExtracted(deps, path, record, size);
    return undefined;
  }
  // Written down before it is sent: a process that is killed while it waits has had its attempt.
  noteAttempt(deps, path);
  const { sessionId, project: projectPath } = record;
  const result = await postTranscript(
    deps.connection,
    { transcript, sessionId, projectPath },
    Math.max(1, end - deps.now()),
  );
  if (result.kind === "ok" || isHopeless(result)) {
    noteExtracted(deps, path, record, size);
    return result.kind === "ok" ? undefined : result.message;
  }
  return result.message;
}

/** A transcript that the server does not take today will not be taken tomorrow; but a budget is there again then. */
function isHopeless(result: ApiResult<string>): boolean {
  return result.kind === "refused" && result.status !== 402;
}

function readCleaned(path: string, { now, knownSecrets }: HandOverDeps, end: number): string | undefined {
  const lines: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const { text } of readLines(path, 0)) {
    count += 1;
    if (count % 64 === 0 && now() > end) return undefined;
    const cleaned = cleanTranscriptLine(text, knownSecrets);
    if (cleaned === undefined) continue;
    bytes += Buffer.byteLength(cleaned) + 1;
    if (bytes > MAX_TRANSCRIPT_BYTES) break;
    lines.push(cleaned);
  }
  return lines.join("\n");
}

function noteAttempt(deps: HandOverDeps, path: string): void {
  const known = readSession(path);
  if (known !== undefined)
    writeSession(deps.home.sessions, { ...known, attempts: known.attempts + 1, lastAttemptAtMs: deps.now() });
}

function noteExtracted(deps: HandOverDeps, path: string, before: SessionRecord, size: number): void {
  const known = readSession(path);
  // The session may have begun again meanwhile; then it is kept, to learn the rest when it ends.
  if (known?.endedAtMs !== undefined && known.endedAtMs === before.endedAtMs) fs.rmSync(path, { force: true });
  else if (known !== undefined) writeSession(deps.home.sessions, { ...known, extractedBytes: size, attempts: 0 });
}
