import * as fs from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE_MODE, ensurePrivateDir, statIfExists, tryRead } from "../files/atomic-file.ts";
import { MAX_SESSION_ID_LENGTH } from "../delivery/workspace-api.ts";
import type { Home } from "../files/home.ts";
import { sha256 } from "../files/sha256.ts";
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
/** A token of English text has about so many characters. */
export const CHARACTERS_PER_TOKEN = 4;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The file in which a line is kept for each time that a session was given memories. */
export function givenFile(directory: string, sessionId: string): string {
  // A session's name is external input and may be anything; usually it is a UUID.
  const isPlain = /^[\w-]{1,64}$/.test(sessionId);
  return join(directory, isPlain ? sessionId : sha256(sessionId));
}

export interface Given {
  readonly memoryIds: ReadonlySet<string>;
  /** The prompts and the paths of the files for which they were given. */
  readonly subjects: ReadonlySet<string>;
}

/** What a session has been given, in that order. */
export function readGiven(path: string): Given {
  const records = (tryRead(path) ?? "").split("\n").map((line) => parseRecord(line) ?? {});
  const texts = (values: readonly unknown[]) => new Set(values.filter((value) => typeof value === "string"));
  return {
    memoryIds: texts(records.flatMap((record) => arrayAt(record, "memoryIds") ?? [])),
    subjects: texts(records.map((record) => record["subject"])),
  };
}

/** Records what a session is given, for the next hook of the session and for the server, which is informed later. */
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
  ensurePrivateDir(home.given);
  // Hooks of one session may run at once; a short line is appended as a whole.
  fs.appendFileSync(givenFile(home.given, sessionId), line, { mode: PRIVATE_FILE_MODE });
  fs.appendFileSync(home.injections, line, { mode: PRIVATE_FILE_MODE });
}

/** Has a session not be given some memories, which do not hold any more. */
export function recordWithheld(home: Home, sessionId: string, memoryIds: readonly string[]): void {
  ensurePrivateDir(home.given);
  const line = `${JSON.stringify({ memoryIds })}\n`;
  fs.appendFileSync(givenFile(home.given, sessionId), line, { mode: PRIVATE_FILE_MODE });
}

/** Removes the files of sessions and projects in which nobody works any longer. */
export function removeOldFiles(directory: string, nowMs: number): void {
  for (const name of statIfExists(directory)?.isDirectory() === true ? fs.readdirSync(directory) : []) {
    const path = join(directory, name);
    if (Math.abs(nowMs - (statIfExists(path)?.mtimeMs ?? nowMs)) > KEPT_MS) fs.rmSync(path, { force: true });
  }
}
