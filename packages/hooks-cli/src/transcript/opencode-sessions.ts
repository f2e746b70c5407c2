import { spawnSync } from "node:child_process";
import { isArray, isRecord, parseRecord, recordAt, stringAt, type JsonValue } from "../json/json-value.ts";

const TIMEOUT_MS = 60_000;
const MAX_EXPORT_BYTES = 256 * 1024 * 1024;

/** A session whose assistant does not keep it as lines in a file. */
export interface ExportedSession {
  readonly id: string;
  /** A subagent's session belongs to the one that started it. */
  readonly parentId: string | undefined;
  readonly folder: string | undefined;
  readonly messages: JsonValue | undefined;
}

/**
 * opencode keeps sessions in a database, and exports them by its own command: those of the project in which it is run. Yields
 * none if opencode is not installed; a session that it does not export is left out.
 */
export function* exportOpencodeSessions(folder: string): Generator<ExportedSession> {
  for (const id of listSessions(folder)) {
    const session = parseRecord(runOpencode(folder, ["export", id]));
    if (session === undefined) continue;
    const info = recordAt(session, "info") ?? {};
    const directory = stringAt(info, "directory");
    yield { id, parentId: stringAt(info, "parentID"), folder: directory, messages: session["messages"] };
  }
}

function listSessions(folder: string): readonly string[] {
  const listed = parseRecord(`{"sessions": ${runOpencode(folder, ["session", "list", "--format", "json"]) || "[]"}}`);
  const sessions = listed?.["sessions"];
  if (!isArray(sessions)) return [];
  return sessions.flatMap((session) => (isRecord(session) ? (stringAt(session, "id") ?? []) : []));
}

/** What it prints; nothing if it fails. Our own plugin is not loaded, since this is no session. */
function runOpencode(cwd: string, args: readonly string[]): string {
  const options = { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_EXPORT_BYTES, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync("opencode", [...args, "--pure"], options);
  return status === 0 ? stdout : "";
}
