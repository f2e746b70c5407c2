import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir, tryReadRecord, tryStat, writeFileAtomic } from "../files/atomic-file.ts";
import { type JsonRecord, arrayAt, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { sessionFile } from "../memory/session-record.ts";

/** How much of the usage of a session the server has. */
export interface UsageRecord {
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly project: string;
  /** The transcripts of subagents that are not beside its own, such as Codex's. */
  readonly subagents: readonly string[];
  /** By file: the transcript, and those of its subagents. */
  readonly sentBytes: Readonly<Record<string, number>>;
  /** By file: the last line that names a model, for the lines after it. */
  readonly models: JsonRecord;
  /** By file: how far the calls of tools have been recorded; undefined if hooks after the tools record them. */
  readonly callBytes: Readonly<Record<string, number>> | undefined;
  /** The calls without a result until there, each by its id with its file and the position of its line. */
  readonly openCalls: JsonRecord;
}

type UsageSession = Pick<UsageRecord, "sessionId" | "transcriptPath" | "project">;

/**
 * Records that a session uses tokens, and whether its transcript has the calls of tools: those that it has already are not
 * recorded, because they are a former session's or hooks have recorded them. `subagent` is the transcript of one that has ended, if it
 * has its own elsewhere.
 */
export function recordUsage(directory: string, session: UsageSession, hasCalls: boolean, subagent?: string): void {
  const path = sessionFile(directory, session.sessionId);
  const known = readUsage(path);
  const isKnown = known?.transcriptPath === session.transcriptPath && known.project === session.project;
  const isNew = subagent !== undefined && known?.subagents.includes(subagent) !== true;
  if (isKnown && !isNew && (known.callBytes !== undefined || !hasCalls)) return;
  const callBytes = known?.callBytes ?? (hasCalls ? sizesOf(session.transcriptPath) : undefined);
  const subagents = [...(known?.subagents ?? []), ...(isNew ? [subagent] : [])];
  writeUsage(directory, { sentBytes: {}, models: {}, openCalls: {}, ...known, subagents, callBytes, ...session });
}

/** Forgets a session in which nothing is recorded any more. */
export function forgetUsage(directory: string, sessionId: string): void {
  fs.rmSync(sessionFile(directory, sessionId), { force: true });
}

export function writeUsage(directory: string, record: UsageRecord): void {
  ensurePrivateDir(directory);
  writeFileAtomic(sessionFile(directory, record.sessionId), JSON.stringify(record));
}

export function readUsage(path: string): UsageRecord | undefined {
  const record = tryReadRecord(path);
  const sessionId = record && stringAt(record, "sessionId");
  const transcriptPath = record && stringAt(record, "transcriptPath");
  const project = record && stringAt(record, "project");
  if (record === undefined || sessionId === undefined || transcriptPath === undefined || project === undefined)
    return undefined;
  const [sentBytes = {}, callBytes] = ["sentBytes", "callBytes"].map((name) => positionsAt(record, name));
  const [models = {}, openCalls = {}] = ["models", "openCalls"].map((name) => recordAt(record, name));
  const subagents = (arrayAt(record, "subagents") ?? []).filter((path) => typeof path === "string");
  return { sessionId, transcriptPath, project, subagents, sentBytes, models, callBytes, openCalls };
}

function positionsAt(record: JsonRecord, name: string): Readonly<Record<string, number>> | undefined {
  const positions = recordAt(record, name);
  return positions && Object.fromEntries(Object.keys(positions).map((file) => [file, numberAt(positions, file) ?? 0]));
}

function sizesOf(transcriptPath: string): Readonly<Record<string, number>> {
  return Object.fromEntries(filesOf(transcriptPath).map((file) => [file, tryStat(file)?.size ?? 0]));
}

export interface DueUsage {
  readonly record: UsageRecord;
  /** The files that have grown, with their sizes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The sessions of which the server does not have all usage. */
export function findDueUsage(directory: string): readonly DueUsage[] {
  return findGrown(directory, ({ sentBytes }) => sentBytes);
}

/** The sessions of which not all calls are recorded, as far as transcripts have them. */
export function findUnreadCalls(directory: string): readonly DueUsage[] {
  return findGrown(directory, ({ callBytes }) => callBytes, geminiSubagents);
}

function findGrown(
  directory: string,
  positionsOf: (record: UsageRecord) => Readonly<Record<string, number>> | undefined,
  moreFiles?: (record: UsageRecord) => readonly string[],
): readonly DueUsage[] {
  return namesIn(directory).flatMap((name) => {
    const record = readUsage(join(directory, name));
    const positions = record && positionsOf(record);
    if (record === undefined || positions === undefined) return [];
    const files = [...filesOf(record.transcriptPath), ...record.subagents, ...(moreFiles?.(record) ?? [])].flatMap(
      (path) => {
        const size = tryStat(path)?.size ?? 0;
        return size === 0 || size === positions[path] ? [] : [{ path, size }];
      },
    );
    return files.length === 0 ? [] : [{ record, files }];
  });
}

/**
 * Stops reading the calls of sessions of which nothing is recorded any more, and goes on with those of which something is again: what they
 * did in between is not read. `isRecorded`: whether something is recorded in a project.
 */
export function pauseCalls(directory: string, isRecorded: (project: string) => boolean): void {
  for (const name of namesIn(directory)) {
    const record = readUsage(join(directory, name));
    if (record === undefined || isRecorded(record.project) === (record.callBytes !== undefined)) continue;
    const subagents = [...record.subagents, ...geminiSubagents(record)];
    const sizes = subagents.map((path) => [path, tryStat(path)?.size ?? 0] as const);
    const callBytes = { ...sizesOf(record.transcriptPath), ...Object.fromEntries(sizes) };
    writeUsage(directory, { ...record, callBytes: record.callBytes === undefined ? callBytes : undefined });
  }
}

/** Gemini CLI has the transcripts of a session's subagents in a folder beside its own that is named after the session. */
function geminiSubagents({ transcriptPath, sessionId }: UsageRecord): readonly string[] {
  if (!/^[\w-]+$/.test(sessionId)) return [];
  const folder = join(dirname(transcriptPath), sessionId);
  return namesIn(folder, ".jsonl").map((name) => join(folder, name));
}

/** Claude Code has the transcripts of a session's subagents in a folder beside its own. */
function filesOf(transcriptPath: string): readonly string[] {
  const folder = join(
    dirname(transcriptPath),
    transcriptPath.slice(dirname(transcriptPath).length + 1, -".jsonl".length),
  );
  const subagents = join(folder, "subagents");
  return [transcriptPath, ...namesIn(subagents, ".jsonl").map((name) => join(subagents, name))];
}

function namesIn(directory: string, ending = ".json"): readonly string[] {
  try {
    return fs.readdirSync(directory).filter((name) => name.endsWith(ending));
  } catch {
    return [];
  }
}
