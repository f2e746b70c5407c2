import * as fs from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { HookTool } from "../harness/harness.ts";
import { type JsonRecord, arrayAt, isArray, isRecord, stringAt } from "../json/json-value.ts";

const MAX_FILE_BYTES = 512 * 1024;
const DIFF_MS = 300;
/** What these contain already is not shown, only what the call adds. */
const SECRET_FILE = /(?:^|\.)env(?:\.|$)|^id_|secret|credential|\.(?:pem|key|p12|pfx)$|^\.(?:netrc|pgpass|npmrc)$/i;

const NAME_FIELDS = ["file_path", "filePath", "path"];

interface Edit {
  readonly from: string;
  readonly to: string;
  readonly isEverywhere: boolean;
  /** What else it has. */
  readonly others: JsonRecord;
}

export interface FileChange {
  readonly path: string;
  /** A unified diff. */
  readonly diff: string;
  /** What the path and the diff do not show of the tool's input. */
  readonly others: JsonRecord;
}

/** What a tool that writes or edits a file would change in it; undefined for another tool. */
export function fileChange({ input }: HookTool, cwd: string): FileChange | undefined {
  const field = NAME_FIELDS.find((name) => stringAt(input, name) !== undefined);
  const path = field === undefined ? undefined : stringAt(input, field);
  if (field === undefined || path === undefined) return undefined;
  const { [field]: _path, ...rest } = input;
  const before = SECRET_FILE.test(basename(path)) ? undefined : readText(isAbsolute(path) ? path : join(cwd, path));
  const { content, ...others } = rest;
  if (typeof content === "string") return { path, diff: diff(path, before ?? "", content), others };
  const change = editsOf(rest);
  if (change === undefined) return undefined;
  const after = before === undefined ? undefined : applied(before, change.edits);
  const isApplied = before !== undefined && after !== undefined;
  const separate = () => change.edits.map(({ from, to }) => diff(path, from, to)).join("\n");
  return { path, diff: isApplied ? diff(path, before, after) : separate(), others: change.others };
}

/** Undefined if there are none. An edit with more than the diff shows is one of the others too. */
function editsOf(input: JsonRecord): { edits: readonly Edit[]; others: JsonRecord } | undefined {
  const own = editOf(input);
  const listed = (arrayAt(input, "edits") ?? []).map((edit) => (isRecord(edit) ? editOf(edit) : undefined));
  const edits = [own, ...listed].filter((edit) => edit !== undefined);
  if (edits.length === 0) return undefined;
  const rest = own?.others ?? input;
  const { edits: list, ...others } = rest;
  const isShown = listed.every((edit) => edit !== undefined && Object.keys(edit.others).length === 0);
  return { edits, others: isArray(list) && isShown ? others : rest };
}

function editOf(edit: JsonRecord): Edit | undefined {
  const named = [
    ["old_string", "new_string"],
    ["oldString", "newString"],
  ] as const;
  for (const [fromField, toField] of named) {
    const { [fromField]: from, [toField]: to, ...more } = edit;
    if (typeof from !== "string" || typeof to !== "string") continue;
    const { replace_all: everywhere, ...others } = more;
    return { from, to, isEverywhere: everywhere === true, others: everywhere === false ? others : more };
  }
  return undefined;
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
