import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir, tryReadRecord, tryStat, writeFileAtomic } from "../files/atomic-file.ts";
import { type JsonRecord, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { sessionFile } from "../memory/session-record.ts";

/** How much of the usage of a session the server has. */
export interface UsageRecord {
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly project: string;
  /** By file: the transcript, and those of its subagents. */
  readonly sentBytes: Readonly<Record<string, number>>;
  /** By file: the last line that names a model, for the lines after it. */
  readonly models: JsonRecord;
}

type UsageSession = Pick<UsageRecord, "sessionId" | "transcriptPath" | "project">;

/** Records that a session uses tokens. */
export function recordUsage(directory: string, session: UsageSession): void {
  const path = sessionFile(directory, session.sessionId);
  const known = readUsage(path);
  if (known?.transcriptPath === session.transcriptPath && known.project === session.project) return;
  writeUsage(directory, { sentBytes: {}, models: {}, ...known, ...session });
}

export function writeUsage(directory: string, record: UsageRecord): void {
  ensurePrivateDir(directory);
  writeFileAtomic(sessionFile(directory, record.sessionId), JSON.stringify(record));
}

function readUsage(path: string): UsageRecord | undefined {
  const record = tryReadRecord(path);
  const sessionId = record && stringAt(record, "sessionId");
  const transcriptPath = record && stringAt(record, "transcriptPath");
  const project = record && stringAt(record, "project");
  if (record === undefined || sessionId === undefined || transcriptPath === undefined || project === undefined)
    return undefined;
  const sent = recordAt(record, "sentBytes") ?? {};
  const sentBytes = Object.fromEntries(Object.keys(sent).map((file) => [file, numberAt(sent, file) ?? 0]));
  return { sessionId, transcriptPath, project, sentBytes, models: recordAt(record, "models") ?? {} };
}

export interface DueUsage {
  readonly record: UsageRecord;
  /** The files that have grown, with their sizes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The sessions of which the server does not have all usage. */
export function findDueUsage(directory: string): readonly DueUsage[] {
  return namesIn(directory).flatMap((name) => {
    const record = readUsage(join(directory, name));
    if (record === undefined) return [];
    const files = filesOf(record.transcriptPath).flatMap((path) => {
      const size = tryStat(path)?.size ?? 0;
      return size === 0 || size === record.sentBytes[path] ? [] : [{ path, size }];
    });
    return files.length === 0 ? [] : [{ record, files }];
  });
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
