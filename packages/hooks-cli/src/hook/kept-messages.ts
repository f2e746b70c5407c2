import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Switches } from "../files/config.ts";
import { sessionFileName } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";
import { type JsonValue, isArray } from "../json/json-value.ts";

/**
 * Keeps the messages of a session whose assistant has no transcript but passes them on, without private parts and secrets, and
 * returns the file's path. Undefined if there is none.
 */
export async function keepMessages(
  home: Home,
  sessionId: string | undefined,
  messages: JsonValue | undefined,
  switches: Switches,
): Promise<string | undefined> {
  if (sessionId === undefined || (!switches.memory && !switches.events)) return undefined;
  const path = join(home.transcripts, `${sessionFileName(sessionId)}.jsonl`);
  if (isArray(messages)) (await import("./seldom-needed.ts")).writeMessages(path, messages);
  return existsSync(path) ? path : undefined;
}
