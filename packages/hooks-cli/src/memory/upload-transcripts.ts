import * as fs from "node:fs";
import { describeError } from "../files/atomic-file.ts";
import type { Config } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { postTranscript } from "../delivery/workspace-api.ts";
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

export interface CleaningDeps {
  readonly now: () => number;
  readonly knownSecrets: readonly string[];
}

export interface UploadDeps extends CleaningDeps {
  readonly home: Home;
  readonly config: Config;
}

export interface UploadReport {
  readonly uploaded: number;
  /** Sessions deferred to a later time. */
  readonly left: number;
  readonly failure: string | undefined;
}

/** Of a request; the server accepts 32 MiB. The conversation is far shorter than its transcript. */
const MAX_REQUEST_BYTES = 31 * 1024 * 1024;
/** A session with hardly any conversation is not worth a request. */
const MIN_TRANSCRIPT_LENGTH = 200;
const MIN_REQUEST_MS = 200;

/**
 * Uploads the transcripts of sessions that have ended, been cut off or been compacted, until the time runs out. `isAsked`: a
 * user asked for it, so recent failures are retried too.
 */
export async function uploadTranscripts(deps: UploadDeps, deadlineMs: number, isAsked = false): Promise<UploadReport> {
  const end = deps.now() + deadlineMs;
  const due = [...findDueSessions(deps.home.sessions, deps.config, deps.now(), isAsked)];
  let uploaded = 0;
  let failure: string | undefined;
  for (const [index, session] of due.entries()) {
    if (end - deps.now() < MIN_REQUEST_MS) return { uploaded, left: due.length - index, failure: "the time ran out" };
    const unlock = lockSession(session.path, deps.now());
    if (unlock === undefined) continue;
    let problem: string | undefined;
    try {
      problem = await uploadTranscript(deps, session, end);
      if (problem === undefined) uploaded += 1;
      else failure = problem;
    } finally {
      unlock();
    }
    // What ended in the meantime was locked for the process that was to upload it.
    if (problem === undefined) due.push(...dueAgain(deps, session, isAsked));
  }
  return { uploaded, left: due.length - uploaded, failure };
}

/** The session, if it has ended or been compacted again while it was uploaded. */
function dueAgain(
  { home, config, now }: UploadDeps,
  { path, size }: DueSession,
  isAsked: boolean,
): readonly DueSession[] {
  return findDueSessions(home.sessions, config, now(), isAsked).filter((due) => due.path === path && due.size > size);
}

/** Returns the problem; undefined if the server has the transcript or there was nothing to learn from it. */
async function uploadTranscript(
  deps: UploadDeps,
  { path, record, size }: DueSession,
  end: number,
): Promise<string | undefined> {
  const { transcript, problem, ...extent } = readCleanTranscript(record.transcriptPath, deps, end);
  if (transcript === undefined) {
    recordAttempt(deps, path);
    return problem;
  }
  if (transcript.length < MIN_TRANSCRIPT_LENGTH) {
    recordExtracted(deps, path, record, size);
    return undefined;
  }
  // Recorded before sending, so that an attempt counts even if this process is killed while waiting.
  recordAttempt(deps, path);
  const { sessionId, project: projectPath } = record;
  const result = await postTranscript(
    deps.config.connection,
    { transcript, sessionId, projectPath, ...extent, extract: true },
    Math.max(1, end - deps.now()),
  );
  // A transcript that the server refuses now will be refused later too.
  if (result.kind === "ok" || result.kind === "refused") {
    recordExtracted(deps, path, record, size);
    return result.kind === "ok" ? undefined : result.message;
  }
  return result.message;
}

/** A transcript in the form in which it may leave this machine, or why it could not be read, as a clause. */
export type CleanTranscript =
  | { readonly transcript: string; readonly isCut?: true; readonly problem?: never }
  | { readonly transcript?: never; readonly problem: string };

/** Reads a transcript until a time. */
export function readCleanTranscript(path: string, deps: CleaningDeps, end: number): CleanTranscript {
  try {
    return cleanLines(path, deps, end) ?? { problem: "a transcript could not be read in time" };
  } catch (error) {
    return { problem: `a transcript could not be read: ${describeError(error)}` };
  }
}

function cleanLines(path: string, { now, knownSecrets }: CleaningDeps, end: number): CleanTranscript | undefined {
  const lines: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const { text } of readLines(path, 0)) {
    count += 1;
    if (count % 64 === 0 && now() > end) return undefined;
    const cleaned = cleanTranscriptLine(text, knownSecrets);
    if (cleaned === undefined) continue;
    // In a request the line is a part of a string, in which quotes and backslashes are escaped once more.
    bytes += Buffer.byteLength(JSON.stringify(cleaned));
    if (bytes > MAX_REQUEST_BYTES) return { transcript: lines.join("\n"), isCut: true };
    lines.push(cleaned);
  }
  return { transcript: lines.join("\n") };
}

function recordAttempt(deps: UploadDeps, path: string): void {
  const known = readSession(path);
  if (known !== undefined)
    writeSession(deps.home.sessions, { ...known, attempts: known.attempts + 1, lastAttemptAtMs: deps.now() });
}

function recordExtracted(deps: UploadDeps, path: string, before: SessionRecord, size: number): void {
  const known = readSession(path);
  // The session may have been resumed in the meantime; it is then kept, to extract the rest when it ends.
  if (known?.endedAtMs !== undefined && known.endedAtMs === before.endedAtMs) fs.rmSync(path, { force: true });
  else if (known !== undefined)
    writeSession(deps.home.sessions, { ...known, isCompacted: false, extractedBytes: size, attempts: 0 });
}
