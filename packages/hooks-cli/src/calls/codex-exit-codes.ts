import { tryStat } from "../files/atomic-file.ts";
import { exitCodeIn } from "../harness/codex.ts";
import { readLines } from "../transcript/read-lines.ts";

/** What a session does in half a minute, which is how long its calls are kept, is less. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The exit codes of the commands at the ends of Codex's transcripts, by the ids of their calls. */
export function exitCodes(transcripts: ReadonlySet<string>): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  for (const path of transcripts) {
    const size = tryStat(path)?.size ?? 0;
    if (size === 0) continue;
    for (const { text } of readLines(path, Math.max(0, size - MAX_BYTES))) {
      const { ids, exitCode } = exitCodeIn(text) ?? { ids: [], exitCode: undefined };
      for (const id of ids) if (typeof id === "string" && exitCode !== undefined) codes.set(id, exitCode);
    }
  }
  return codes;
}
