import type { Connection } from "../delivery/api-call.ts";
import { postUsageLines } from "../delivery/workspace-api.ts";
import { describeError } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { recordAt } from "../json/json-value.ts";
import { lockSession, sessionFile } from "../memory/session-record.ts";
import { readUsage } from "./usage-line.ts";
import { type DueUsage, findDueUsage, writeUsage } from "./usage-record.ts";

export interface UsageDeps {
  readonly home: Home;
  readonly connection: Connection;
  readonly now: () => number;
}

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
    const { parts, model, position } = readUsage(path, isContinued ? sent : 0, recordAt(record.models, path));
    for (const transcript of parts) {
      if (end - deps.now() < MIN_REQUEST_MS) return "the time ran out";
      const { sessionId, project: projectPath } = record;
      const usage = { sessionId, projectPath, transcript };
      const result = await postUsageLines(deps.connection, usage, Math.max(1, end - deps.now()));
      if (result.kind !== "ok") return result.message;
    }
    const models = model === undefined ? current.models : { ...current.models, [path]: model };
    current = { ...current, models, sentBytes: { ...current.sentBytes, [path]: position } };
    writeUsage(deps.home.usage, current);
  }
  return undefined;
}
