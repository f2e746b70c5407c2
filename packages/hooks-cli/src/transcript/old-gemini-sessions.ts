import * as fs from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import { tryReadRecord } from "../files/atomic-file.ts";
import { sha256 } from "../files/sha256.ts";
import { recordAt, stringAt } from "../json/json-value.ts";
import type { ExportedSession } from "./opencode-sessions.ts";

/**
 * Sessions that earlier releases of Gemini CLI kept in one JSON document each, in a folder named after the hash of the project's.
 * What has become a transcript of lines since, or cannot be read, is left out.
 */
export function* readOldGeminiSessions({ userHome = "" }: Environment): Generator<ExportedSession> {
  const root = join(userHome, ".gemini");
  const known = Object.keys(recordAt(tryReadRecord(join(root, "projects.json")) ?? {}, "projects") ?? {});
  for (const name of namesIn(join(root, "tmp"))) {
    const chats = join(root, "tmp", name, "chats");
    for (const file of namesIn(chats)) {
      if (!file.endsWith(".json") || fs.existsSync(join(chats, `${file}l`))) continue;
      const session = tryReadRecord(join(chats, file)) ?? {};
      const id = stringAt(session, "sessionId");
      if (id === undefined) continue;
      const folder = known.find((path) => sha256(path) === name);
      yield { id, parentId: undefined, folder, messages: session["messages"] };
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
