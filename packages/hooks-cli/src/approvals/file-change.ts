import * as fs from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { HookTool } from "../harness/harness.ts";
import { type JsonRecord, arrayAt, isRecord, stringAt } from "../json/json-value.ts";

const MAX_FILE_BYTES = 512 * 1024;
const DIFF_MS = 300;
/** What these contain already is not shown, only what the call adds. */
const SECRET_FILE = /(?:^|\.)env(?:\.|$)|^id_|secret|credential|\.(?:pem|key|p12|pfx)$|^\.(?:netrc|pgpass|npmrc)$/i;

interface Edit {
  readonly from: string;
  readonly to: string;
  readonly isEverywhere: boolean;
}

/** What a tool that writes or edits a file would change in it, as a unified diff; undefined for another tool. */
export function fileChange({ input }: HookTool, cwd: string): string | undefined {
  const named = stringAt(input, "file_path") ?? stringAt(input, "filePath") ?? stringAt(input, "path");
  const content = stringAt(input, "content");
  const edits = editsOf(input);
  if (named === undefined || (content === undefined && edits.length === 0)) return undefined;
  const before = SECRET_FILE.test(basename(named)) ? undefined : readText(isAbsolute(named) ? named : join(cwd, named));
  if (content !== undefined) return diff(named, before ?? "", content);
  const after = before === undefined ? undefined : applied(before, edits);
  if (before !== undefined && after !== undefined) return diff(named, before, after);
  return edits.map(({ from, to }) => diff(named, from, to)).join("\n");
}

function editsOf(input: JsonRecord): readonly Edit[] {
  const all = [input, ...(arrayAt(input, "edits") ?? []).filter(isRecord)];
  return all.flatMap((edit) => {
    const from = stringAt(edit, "old_string") ?? stringAt(edit, "oldString");
    const to = stringAt(edit, "new_string") ?? stringAt(edit, "newString");
    return from === undefined || to === undefined ? [] : [{ from, to, isEverywhere: edit["replace_all"] === true }];
  });
}

/** Undefined if an edit does not apply. */
function applied(text: string, edits: readonly Edit[]): string | undefined {
  let result = text;
  for (const { from, to, isEverywhere } of edits) {
    if (from === "" || !result.includes(from)) return undefined;
    result = isEverywhere ? result.replaceAll(from, () => to) : result.replace(from, () => to);
  }
  return result;
}

/** The lines of a diff without its heading. A text that takes too long to compare is replaced as a whole. */
function diff(name: string, from: string, to: string): string {
  const patch = createTwoFilesPatch(name, name, from, to, undefined, undefined, { context: 3, timeout: DIFF_MS });
  if (patch === undefined) return [...prefixed("-", from), ...prefixed("+", to)].join("\n");
  const lines = patch.split("\n");
  return lines
    .slice(lines.findIndex((line) => line.startsWith("@@")))
    .join("\n")
    .trimEnd();
}

function prefixed(mark: string, text: string): string[] {
  return text === "" ? [] : text.split("\n").map((line) => mark + line);
}

/** Undefined for what is no ordinary file, is too long or cannot be read. */
function readText(path: string): string | undefined {
  try {
    const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const status = fs.fstatSync(descriptor);
      return status.isFile() && status.size <= MAX_FILE_BYTES ? fs.readFileSync(descriptor, "utf8") : undefined;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
