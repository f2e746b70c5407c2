import { fileEdits, packKeys, pathFromRoot, writtenKeys } from "@workspace/core/written-lines";
import { sinceStartMs } from "../clock.ts";
import type { HookInput } from "../harness/harness.ts";
import type { JsonRecord } from "../json/json-value.ts";
import { findRoot } from "../project/project.ts";
import { redactText } from "../redaction/redact.ts";

/** Secrets are looked for in so much at once, until the time is over: what follows is not reported. */
const PART_LENGTH = 16 * 1024;
const BUDGET_MS = 30;
const MAX_KEYS = 1_000;

/**
 * The keys of the lines that a tool wrote to files, by which the server finds the session that wrote a line: the texts of an event
 * are cut, these are not. Lines with secrets count as they are recorded, without them. Undefined if nothing was written.
 */
export function writtenLines(
  { event, tool }: HookInput,
  directory: string,
  knownSecrets: readonly string[],
): JsonRecord | undefined {
  if (event !== "PostToolUse" || tool === undefined) return undefined;
  const edits = fileEdits(tool.input, tool.response);
  if (edits.length === 0) return undefined;
  const root = findRoot(directory);
  const end = sinceStartMs() + BUDGET_MS;
  const clean = (text: string): string => {
    const parts: string[] = [];
    for (let at = 0; at < text.length && sinceStartMs() < end; at += PART_LENGTH)
      parts.push(redactText(text.slice(at, at + PART_LENGTH), knownSecrets).value);
    return parts.join("");
  };
  let keysLeft = MAX_KEYS;
  const files = edits.map((edit) => {
    const written = clean(edit.written);
    const replaced = edit.isDiff ? written : clean(edit.replaced);
    const keys = writtenKeys({ ...edit, written, replaced }, keysLeft);
    keysLeft -= keys.length;
    const path = redactText(pathFromRoot(edit.path, root, directory), knownSecrets).value;
    return { path, lines: packKeys(keys), ...(edit.isWhole && { whole: true }) };
  });
  return { root, files };
}
