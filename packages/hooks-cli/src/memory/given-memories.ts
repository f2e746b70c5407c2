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
  /** Whether the server does not know of it yet. */
  readonly isLocal?: boolean;
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

/** The ids of the memories that a session has been given, and the paths of the files about which it was given some. */
export function readGiven(path: string): ReadonlySet<string> {
  const lines = (tryRead(path) ?? "").split("\n");
  const names = lines.flatMap((line) => {
    const record = parseRecord(line) ?? {};
    return [...(arrayAt(record, "memoryIds") ?? []), record["subject"]];
  });
  return new Set(names.filter((name) => typeof name === "string"));
}

/** Records what a session is given. */
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
  if (injection.isLocal === true) fs.appendFileSync(home.injections, line, { mode: PRIVATE_FILE_MODE });
}

/** Removes the files of sessions and projects in which nobody works any longer. */
export function removeOldFiles(directory: string, nowMs: number): void {
  for (const name of statIfExists(directory)?.isDirectory() === true ? fs.readdirSync(directory) : []) {
    const path = join(directory, name);
    if (Math.abs(nowMs - (statIfExists(path)?.mtimeMs ?? nowMs)) > KEPT_MS) fs.rmSync(path, { force: true });
  }
}
