import type { Connection } from "../delivery/api-call.ts";
import { postUsageLines } from "../delivery/workspace-api.ts";
import { describeError } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { type JsonRecord, recordAt } from "../json/json-value.ts";
import { lockSession, sessionFile } from "../memory/session-record.ts";
import { readLines } from "../transcript/read-lines.ts";
import { namesModel, usageLine } from "./usage-line.ts";
import { type DueUsage, type UsageRecord, findDueUsage, writeUsage } from "./usage-record.ts";

export interface UsageDeps {
  readonly home: Home;
  readonly connection: Connection;
  readonly now: () => number;
}

/** As much as the server stores at once. */
const MAX_LINES = 1_000;
const MIN_REQUEST_MS = 100;

/**
 * Sends what sessions have used since the last time, until the time runs out. Returns the first problem. What is sent again,
 * because it has been cut off before it was recorded, counts once.
 */
export async function sendUsage(deps: UsageDeps, deadlineMs: number): Promise<string | undefined> {
  const end = deps.now() + deadlineMs;
  for (const due of findDueUsage(deps.home.usage)) {
    const unlock = lockSession(sessionFile(deps.home.usage, due.record.sessionId), deps.now());
    if (unlock === undefined) continue;
    try {
      const problem = await sendSession(deps, due, end);
      if (problem !== undefined) return problem;
    } catch (error) {
      return `the usage of a session could not be read: ${describeError(error)}`;
    } finally {
      unlock();
    }
  }
  return undefined;
}

async function sendSession(deps: UsageDeps, { record, files }: DueUsage, end: number): Promise<string | undefined> {
  let current = record;
  for (const { path, size } of files) {
    // A file of our own is rewritten each time, and one that has become shorter is another one.
    const sent = record.sentBytes[path] ?? 0;
    const isContinued = sent < size && !path.startsWith(deps.home.transcripts);
    const { lines, model, position } = readUsageLines(path, isContinued ? sent : 0, recordAt(record.models, path));
    for (let start = 0; start < lines.length; start += MAX_LINES) {
      if (end - deps.now() < MIN_REQUEST_MS) return "the time ran out";
      const problem = await post(deps, record, lines.slice(start, start + MAX_LINES), end);
      if (problem !== undefined) return problem;
    }
    const models = model === undefined ? current.models : { ...current.models, [path]: model };
    current = { ...current, models, sentBytes: { ...current.sentBytes, [path]: position } };
    writeUsage(deps.home.usage, current);
  }
  return undefined;
}

async function post(
  { connection, now }: UsageDeps,
  { sessionId, project: projectPath }: UsageRecord,
  lines: readonly JsonRecord[],
  end: number,
): Promise<string | undefined> {
  const transcript = lines.map((line) => JSON.stringify(line)).join("\n");
  const result = await postUsageLines(connection, { sessionId, projectPath, transcript }, Math.max(1, end - now()));
  return result.kind === "ok" ? undefined : result.message;
}

interface UsageLines {
  readonly lines: readonly JsonRecord[];
  readonly model: JsonRecord | undefined;
  /** How far the file has been read. */
  readonly position: number;
}

/** The lines about tokens from a position on, each batch of which begins with the model of its first line, if that is named. */
function readUsageLines(path: string, from: number, knownModel: JsonRecord | undefined): UsageLines {
  const lines: JsonRecord[] = [];
  let model = knownModel;
  let position = from;
  for (const { text, end } of readLines(path, from)) {
    position = end;
    const line = usageLine(text);
    if (line === undefined) continue;
    if (lines.length % MAX_LINES === 0 && model !== undefined && !namesModel(line)) lines.push(model);
    lines.push(line);
    if (namesModel(line)) model = line;
  }
  return { lines: lines.every(namesModel) ? [] : lines, model, position };
}
