import * as fs from "node:fs";
import { PRIVATE_FILE_MODE, tryRead, statIfExists } from "./atomic-file.ts";
import { parseRecord, stringAt } from "../json/json-value.ts";

export interface Problem {
  readonly at: string;
  readonly message: string;
}

const MAX_BYTES = 64 * 1024;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Logs a problem in a hook for `status` to show: a hook must not disturb the assistant, so nobody would see it otherwise.
 * Never throws. The file is restarted when it has grown too large.
 */
export function logProblem(path: string, message: string, now: Date): void {
  const line = `${JSON.stringify({ at: now.toISOString(), message: message.slice(0, MAX_MESSAGE_LENGTH) })}\n`;
  try {
    const isFull = (statIfExists(path)?.size ?? 0) > MAX_BYTES;
    if (isFull) fs.writeFileSync(path, line, { mode: PRIVATE_FILE_MODE });
    else fs.appendFileSync(path, line, { mode: PRIVATE_FILE_MODE });
  } catch {
    // There is nowhere else to report it; stderr has it too.
  }
}

/** The logged problems, oldest first. */
export function readProblems(path: string): readonly Problem[] {
  const text = tryRead(path) ?? "";
  return text.split("\n").flatMap((line) => {
    const record = parseRecord(line);
    return record === undefined
      ? []
      : [{ at: stringAt(record, "at") ?? "", message: stringAt(record, "message") ?? "" }];
  });
}
