import * as fs from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE_MODE, ensurePrivateDir, statIfExists, tryRead } from "../files/atomic-file.ts";
import { MAX_SESSION_ID_LENGTH } from "../delivery/workspace-api.ts";
import { sessionFileName } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";
import { arrayAt, parseRecord } from "../json/json-value.ts";

/** Memories as they are added to a session. */
export interface Injection {
  readonly context: string;
  readonly memoryIds: readonly string[];
  readonly tokens: number;
  /** The prompt or the path of the file for which they are given. */
  readonly subject?: string;
}

/** What made a hook add memories to a session. */
export type InjectionReason = "session_start" | "prompt" | "file";

/** Assistants delete their transcripts after a month. */
const KEPT_MS = 35 * 24 * 3_600_000;

/** The file in which a line is kept for each time that a hook claimed memories, in order to give them to a session. */
export function givenFile(directory: string, sessionId: string): string {
  return join(directory, sessionFileName(sessionId));
}

export interface Given {
  readonly memoryIds: ReadonlySet<string>;
  /** The prompts and the paths of the files for which they were given. */
  readonly subjects: ReadonlySet<string>;
}

/** What a session has been given, or is just being given, in that order. */
export function readGiven(path: string): Given {
  return parseGiven(tryRead(path) ?? "");
}

function parseGiven(text: string): Given {
  const records = text.split("\n").map((line) => parseRecord(line) ?? {});
  const texts = (values: readonly unknown[]) => new Set(values.filter((value) => typeof value === "string"));
  return {
    memoryIds: texts(records.flatMap((record) => arrayAt(record, "memoryIds") ?? [])),
    subjects: texts(records.map((record) => record["subject"])),
  };
}

/**
 * Has no other hook of a session give it these memories. Returns those that none has claimed before: hooks of one session may run
 * at once, and choose the same.
 */
export function claimMemories(
  { given }: Home,
  sessionId: string,
  { memoryIds, subject }: Pick<Injection, "memoryIds" | "subject">,
): ReadonlySet<string> {
  const path = givenFile(given, sessionId);
  // Unlike the line of any other hook.
  const line = JSON.stringify({ memoryIds, subject, claim: Math.random() });
  ensurePrivateDir(given);
  // A short line is appended as a whole, so all hooks see the same order.
  fs.appendFileSync(path, `${line}\n`, { mode: PRIVATE_FILE_MODE });
  const earlier = parseGiven((tryRead(path) ?? "").split(line, 1).join(""));
  return new Set(memoryIds.filter((id) => !earlier.memoryIds.has(id)));
}

/** Records what a session was given for the server, which is informed later. */
export function recordGiven(
  home: Home,
  sessionId: string,
  reason: InjectionReason,
  injection: Injection,
  nowMs: number,
): void {
  const { memoryIds, subject, tokens } = injection;
  const session = sessionId.slice(0, MAX_SESSION_ID_LENGTH);
  const line = `${JSON.stringify({ sessionId: session, reason, memoryIds, subject, tokens, givenAt: new Date(nowMs) })}\n`;
  fs.appendFileSync(home.injections, line, { mode: PRIVATE_FILE_MODE });
}

/** Removes the files of sessions and projects in which nobody works any longer. */
export function removeOldFiles(directory: string, nowMs: number): void {
  for (const name of statIfExists(directory)?.isDirectory() === true ? fs.readdirSync(directory) : []) {
    const path = join(directory, name);
    if (Math.abs(nowMs - (statIfExists(path)?.mtimeMs ?? nowMs)) > KEPT_MS)
      fs.rmSync(path, { recursive: true, force: true });
  }
}
