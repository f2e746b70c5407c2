import * as fs from "node:fs";
import { join } from "node:path";
import {
  PRIVATE_FILE_MODE,
  ensurePrivateDir,
  tryReadRecord,
  statIfExists,
  writeFileAtomic,
} from "../files/atomic-file.ts";
import { type Config, isMemoryOn } from "../files/config.ts";
import { sha256 } from "../files/sha256.ts";
import { type JsonRecord, numberAt, stringAt } from "../json/json-value.ts";

/** A session from whose transcript memories are to be extracted, kept until the server has it. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** The project's identity, under which its memories are stored. */
  readonly project: string;
  readonly startedAtMs: number;
  /** Undefined if it is still active, or was cut off. */
  readonly endedAtMs: number | undefined;
  /** Whether its context was compacted since the last upload: what it held before may be gone from the transcript later. */
  readonly isCompacted: boolean;
  /** How much of the transcript the server has. */
  readonly extractedBytes: number;
  readonly attempts: number;
  readonly lastAttemptAtMs: number;
}

/** A session that has been silent for this long has ended without an event. */
const CUT_OFF_AFTER_MS = 30 * 60_000;
/** Assistants delete their transcripts after a month. */
const DISCARD_AFTER_MS = 35 * 24 * 3_600_000;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;

export function sessionFile(directory: string, sessionId: string): string {
  // A session's name is external input and may be anything; its hash is a valid file name.
  return join(directory, `${sha256(sessionId).slice(0, 32)}.json`);
}

export function readSession(path: string): SessionRecord | undefined {
  const record = tryReadRecord(path);
  const sessionId = record && stringAt(record, "sessionId");
  const transcriptPath = record && stringAt(record, "transcriptPath");
  const project = record && stringAt(record, "project");
  if (record === undefined || sessionId === undefined || transcriptPath === undefined || project === undefined)
    return undefined;
  return { sessionId, transcriptPath, project, ...readProgress(record) };
}

function readProgress(record: JsonRecord): Omit<SessionRecord, "sessionId" | "transcriptPath" | "project"> {
  return {
    startedAtMs: numberAt(record, "startedAtMs") ?? 0,
    endedAtMs: numberAt(record, "endedAtMs"),
    isCompacted: record["isCompacted"] === true,
    extractedBytes: numberAt(record, "extractedBytes") ?? 0,
    attempts: numberAt(record, "attempts") ?? 0,
    lastAttemptAtMs: numberAt(record, "lastAttemptAtMs") ?? 0,
  };
}

export function writeSession(directory: string, record: SessionRecord): void {
  ensurePrivateDir(directory);
  writeFileAtomic(sessionFile(directory, record.sessionId), JSON.stringify(record));
}

type SessionNews = Pick<SessionRecord, "sessionId" | "transcriptPath" | "project" | "isCompacted">;

/** Records the start of a session, also after a compaction; how much was extracted before is kept. */
export function recordSessionStart(directory: string, start: SessionNews, nowMs: number): void {
  recordActivity(directory, start, nowMs);
  const known = readSession(sessionFile(directory, start.sessionId));
  if (known?.endedAtMs !== undefined) writeSession(directory, { ...known, endedAtMs: undefined });
}

/** Records that a session goes on. Its end, which another process may just have recorded, stays. */
export function recordActivity(directory: string, { isCompacted, ...news }: SessionNews, nowMs: number): void {
  const known = readSession(sessionFile(directory, news.sessionId));
  const fresh = { startedAtMs: nowMs, endedAtMs: undefined, extractedBytes: 0, attempts: 0, lastAttemptAtMs: 0 };
  const wasCompacted = isCompacted || known?.isCompacted === true;
  writeSession(directory, { ...fresh, ...known, ...news, isCompacted: wasCompacted });
}

export function recordSessionEnd(
  directory: string,
  end: Pick<SessionRecord, "sessionId" | "transcriptPath" | "project">,
  nowMs: number,
): void {
  const known = readSession(sessionFile(directory, end.sessionId));
  const fresh = { isCompacted: false, startedAtMs: nowMs, extractedBytes: 0 };
  writeSession(directory, { ...fresh, ...known, ...end, endedAtMs: nowMs, attempts: 0, lastAttemptAtMs: 0 });
}

/**
 * Whether a session's transcript should be uploaded now. `modifiedAtMs` is when the transcript last grew. After a failure
 * there is a pause, unless a user asks for it.
 */
export function isDue(
  record: SessionRecord,
  transcript: { readonly size: number; readonly modifiedAtMs: number },
  nowMs: number,
  isAsked = false,
): boolean {
  if (transcript.size <= record.extractedBytes) return false;
  const hasEnded = record.endedAtMs !== undefined || nowMs - transcript.modifiedAtMs > CUT_OFF_AFTER_MS;
  const isWorthUploading = hasEnded || record.isCompacted;
  const pauseMs =
    record.attempts === 0 ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(record.attempts - 1, 12));
  // A clock that was set back must not make a session wait for years.
  const sinceMs = Math.abs(nowMs - record.lastAttemptAtMs);
  return isWorthUploading && (isAsked || sinceMs >= pauseMs);
}

export interface DueSession {
  readonly path: string;
  readonly record: SessionRecord;
  readonly size: number;
}

/**
 * The sessions to hand over, oldest first. Those of projects in which memory has been switched off since they began are left
 * out. Obsolete records are removed.
 */
export function findDueSessions(
  directory: string,
  config: Config,
  nowMs: number,
  isAsked = false,
): readonly DueSession[] {
  const due: DueSession[] = [];
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    const record = readSession(path);
    const status = record && statTranscript(record.transcriptPath);
    if (record === undefined || !(status instanceof fs.Stats)) {
      // The transcript may not exist yet: an assistant writes it late.
      const isGone = record?.endedAtMs !== undefined && status === "missing";
      if (record === undefined || isGone || nowMs - record.startedAtMs > DISCARD_AFTER_MS)
        fs.rmSync(path, { force: true });
      continue;
    }
    const transcript = { size: status.size, modifiedAtMs: status.mtimeMs };
    if (isMemoryOn(config, record.project) && isDue(record, transcript, nowMs, isAsked))
      due.push({ path, record, size: status.size });
    else if (nowMs - status.mtimeMs > DISCARD_AFTER_MS) fs.rmSync(path, { force: true });
  }
  return due.toSorted((a, b) => a.record.startedAtMs - b.record.startedAtMs);
}

/** A transcript that cannot be looked at now, for whatever reason, must not keep others from being handed over. */
function statTranscript(path: string): fs.Stats | "missing" | "unreadable" {
  try {
    return statIfExists(path) ?? "missing";
  } catch {
    return "unreadable";
  }
}

const LOCK_MS = 60_000;

/**
 * Locks a session for this process, so that two processes do not hand it over at once. Returns a function that unlocks it.
 */
export function lockSession(path: string, nowMs: number): (() => void) | undefined {
  const lock = `${path}.lock`;
  const unlock = (): void => fs.rmSync(lock, { force: true });
  try {
    fs.closeSync(fs.openSync(lock, "wx", PRIVATE_FILE_MODE));
    return unlock;
  } catch {
    const lockedSince = statIfExists(lock)?.mtimeMs ?? nowMs;
    // The holder of the lock has died; the next process will get it.
    if (Math.abs(nowMs - lockedSince) > LOCK_MS) unlock();
    return undefined;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
