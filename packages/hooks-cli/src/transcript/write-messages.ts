import { dirname } from "node:path";
import { ensurePrivateDir, writeFileAtomic } from "../files/atomic-file.ts";
import type { JsonValue } from "../json/json-value.ts";
import { cleanTranscriptLine } from "./clean-transcript.ts";

/** Writes a session's messages to a transcript of our own, without private parts and secrets. */
export function writeMessages(path: string, messages: readonly JsonValue[]): void {
  const lines = messages.flatMap((message) => cleanTranscriptLine(JSON.stringify(message), []) ?? []);
  ensurePrivateDir(dirname(path));
  writeFileAtomic(path, `${lines.join("\n")}\n`);
}
