import { basename, dirname, join } from "node:path";
import type { Environment } from "../environment.ts";
import { tryReadRecord } from "../files/atomic-file.ts";
import { isRecord, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { type Transcript, findTranscripts } from "./find-transcripts.ts";
import { readLines } from "./read-lines.ts";

/** Gemini CLI's name for what is not a person's session. Not read as a field, since the build shortens our fields of that name. */
const OTHER_KIND = /\bkind":"(?!main")/;

/** A session, or a subagent's part of one, that an assistant has recorded in a file. */
export interface PastSession extends Transcript {
  /** In which it began; undefined if the transcript names none. */
  readonly folder: string | undefined;
}

/** Where Claude Code keeps the transcripts of its sessions. */
function claudeTranscripts({ claudeConfigDir, userHome }: Environment): string {
  return join(claudeConfigDir ?? join(userHome ?? "", ".claude"), "projects");
}

/** The transcripts of all assistants that keep their sessions in files. */
export function findAllTranscripts(environment: Environment): readonly Transcript[] {
  const userHome = environment.userHome ?? "";
  const codex = environment.variables["CODEX_HOME"] ?? join(userHome, ".codex");
  const roots = [
    claudeTranscripts(environment),
    join(codex, "sessions"),
    join(codex, "archived_sessions"),
    join(userHome, ".gemini/tmp"),
  ];
  return roots.flatMap((root) => findTranscripts(root));
}

/**
 * Whose session a transcript is and where it began. Claude Code has the session in the file's name and a folder in most lines;
 * Codex and Gemini CLI begin with a line about the session. Throws if the file cannot be read.
 */
export function readPastSession(transcript: Transcript): PastSession {
  for (const { text } of readLines(transcript.path, 0)) {
    // Most lines have none, and parsing them is the most expensive part.
    if (!text.includes('"cwd"') && !text.includes('"projectHash"')) continue;
    const record = parseRecord(text) ?? {};
    const folder = stringAt(record, "cwd");
    if (folder !== undefined) return { ...transcript, folder };
    if (record["projectHash"] !== undefined) {
      const isSubagent = OTHER_KIND.test(text);
      return { ...transcript, ...sessionNamed(record, "sessionId"), isSubagent, folder: geminiFolder(transcript.path) };
    }
    const meta = record["type"] === "session_meta" ? recordAt(record, "payload") : undefined;
    if (meta === undefined) continue;
    const isSubagent = meta["thread_source"] === "subagent" || isRecord(meta["source"]);
    const session = { ...sessionNamed(meta, "id"), ...sessionNamed(meta, "session_id") };
    return { ...transcript, ...session, isSubagent, folder: stringAt(meta, "cwd") };
  }
  return { ...transcript, folder: undefined };
}

function sessionNamed(record: Parameters<typeof stringAt>[0], field: string): { sessionId?: string } {
  const sessionId = stringAt(record, field);
  return sessionId === undefined ? {} : { sessionId };
}

/** Gemini CLI keeps the chats of a folder under a short name, which it records with the folder in a file of its own. */
export function geminiFolder(path: string): string | undefined {
  const chats = dirname(path);
  const name = basename(dirname(chats));
  const projects = recordAt(tryReadRecord(join(chats, "../../../projects.json")) ?? {}, "projects") ?? {};
  return Object.keys(projects).find((folder) => projects[folder] === name);
}
