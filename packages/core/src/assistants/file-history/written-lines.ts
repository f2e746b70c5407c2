/**
 * Which lines a tool's call writes to which files. Used by the server and, through an export of its own, by the hooks CLI: the
 * keys of both have to agree. It has no dependencies.
 */

/** A change to a file, as far as the call of a tool and its response show. */
export interface FileEdit {
  /** As the tool was given it. */
  readonly path: string;
  readonly written: string;
  /** What the written text replaced: lines that are in both were there before. */
  readonly replaced: string;
  /** Whether both are a diff, in which the lines that were written begin with `+` and those that were replaced with `-`. */
  readonly isDiff: boolean;
  /** Whether the text is the whole file, so that it is unknown which of its lines are new. */
  readonly isWhole: boolean;
}

type Input = Readonly<Record<string, unknown>>;

const MAX_FILES = 20;
const MAX_TEXT_LENGTH = 64 * 1024;
const MAX_PARTS = 1000;

const PATH_FIELDS = ["file_path", "filePath", "notebook_path", "absolute_path", "target_file", "relative_path", "path"];
const NEW_FIELDS = ["new_string", "newString", "new_str", "new_source", "insert_text"];
const OLD_FIELDS = ["old_string", "oldString", "old_str"];
const WHOLE_FIELDS = ["content", "contents", "file_text"];
const PATCH_FIELDS = ["command", "patch", "patchText", "input"];

/**
 * The files that a tool changes, at most 20 of them, with the first 64 Ki characters of what is written to each. The tool of any
 * assistant is recognised by the fields of its input; empty for one that changes no files.
 */
export function fileEdits(input: Input, response?: unknown): FileEdit[] {
  const patch = textAt(input, PATCH_FIELDS);
  if (patch?.includes("*** Begin Patch") === true) return editsOfPatch(patch);
  const path = textAt(input, PATH_FIELDS);
  if (path === undefined) return [];
  const diff = diffOf(response);
  if (diff !== undefined) return [toEdit(path, { written: diff, replaced: diff, isDiff: true })];
  const whole = textAt(input, WHOLE_FIELDS);
  if (whole !== undefined) return [toEdit(path, { written: whole, isWhole: !isCreation(response) })];
  const edits = [input, ...listOf(input["edits"])].filter(isRecord);
  const written = edits.flatMap((edit) => textAt(edit, NEW_FIELDS) ?? []);
  const replaced = edits.flatMap((edit) => textAt(edit, OLD_FIELDS) ?? []);
  return written.length === 0 ? [] : [toEdit(path, { written: written.join("\n"), replaced: replaced.join("\n") })];
}

function toEdit(path: string, { written = "", replaced = "", isDiff = false, isWhole = false }: Partial<FileEdit>) {
  const cut = (text: string) => text.slice(0, MAX_TEXT_LENGTH);
  return { path, written: cut(written), replaced: cut(replaced), isDiff, isWhole };
}

/** The format of Codex: headings that name files, and lines that begin with a sign. */
function editsOfPatch(patch: string): FileEdit[] {
  const sections = patch.split(/^\*\*\* (?:Add|Update) File: /m, MAX_FILES + 1).slice(1);
  return sections.map((section) => {
    const path =
      /^\*\*\* Move to: (.+)/m.exec(section)?.[1] ?? section.slice(0, section.indexOf("\n") + 1 || undefined);
    return toEdit(path.trim(), { written: section, replaced: section, isDiff: true });
  });
}

/** The diff that Claude Code reports in a tool's response. */
function diffOf(response: unknown): string | undefined {
  const hunks = isRecord(response) ? listOf(response["structuredPatch"]) : [];
  const lines = hunks.flatMap((hunk) => (isRecord(hunk) ? listOf(hunk["lines"]) : []));
  return lines.length === 0 ? undefined : lines.filter((line) => typeof line === "string").join("\n");
}

function isCreation(response: unknown): boolean {
  return isRecord(response) && response["type"] === "create";
}

function textAt(input: Input, fields: readonly string[]): string | undefined {
  return fields.map((field) => input[field]).find((value) => typeof value === "string");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_PARTS) : [];
}

function isRecord(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The keys of the lines that an edit wrote, each once, at most so many: those of lines that it only kept or moved are not. */
export function writtenKeys({ written, replaced, isDiff }: FileEdit, limit: number): number[] {
  const kept = new Map<number, number>();
  for (const key of lineKeys(replaced, isDiff ? "-" : "")) kept.set(key, (kept.get(key) ?? 0) + 1);
  const keys = new Set<number>();
  for (const key of lineKeys(written, isDiff ? "+" : "")) {
    const count = kept.get(key) ?? 0;
    if (count > 0) kept.set(key, count - 1);
    else if (keys.size < limit) keys.add(key);
  }
  return [...keys];
}

const MIN_SIGNIFICANT = 3;

/**
 * A key of 32 bits for each line of a text, in order, by which it is recognised however it is indented, quoted and separated; with
 * a sign, for each line that begins with it. Lines with fewer than three letters and digits, such as those of brackets, have none.
 */
export function lineKeys(text: string, sign = ""): number[] {
  const keys: number[] = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const key = text.startsWith(sign, start) ? lineKey(text, start + sign.length, end) : undefined;
    if (key !== undefined) keys.push(key);
    start = end + 1;
  }
  return keys;
}

function lineKey(text: string, start: number, end: number): number | undefined {
  let [hash, significant] = [OFFSET, 0];
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (isInsignificant(code)) continue;
    hash = Math.imul(hash ^ code, PRIME);
    if (isLetterOrDigit(code)) significant += 1;
  }
  return significant < MIN_SIGNIFICANT ? undefined : mixed(hash);
}

/** FNV-1a, and the last step of MurmurHash3, which spreads what differs only in the last characters. */
const OFFSET = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}

/** Spacing, quotes, commas and semicolons, which formatters change. */
function isInsignificant(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 34 || code === 39 || code === 96 || code === 44 || code === 59;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127;
}

/** Keys as text, which takes a quarter of the room of their numbers in JSON. */
export function packKeys(keys: readonly number[]): string {
  const bytes = Buffer.alloc(keys.length * 4);
  for (const [index, key] of keys.entries()) bytes.writeInt32LE(key, index * 4);
  return bytes.toString("base64");
}

/** The inverse of {@link packKeys}, at most so many; of any other text, meaningless keys. */
export function unpackKeys(text: string, limit: number): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: Math.min(limit, Math.floor(bytes.length / 4)) }, (_, index) =>
    bytes.readInt32LE(index * 4),
  );
}

export function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path);
}

/**
 * A path from the root of its project, given the directory that it may be relative to, empty if that is unknown. A path that is
 * not below the root stays absolute.
 */
export function pathFromRoot(path: string, root: string, directory: string): string {
  const whole = plainPath(isAbsolute(path) || directory === "" ? path : `${directory}/${path}`);
  const top = `${plainPath(root)}/`;
  return root !== "" && whole.startsWith(top) ? whole.slice(top.length) : whole;
}

/** With slashes, and without `.` and `..`. */
function plainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.replaceAll("\\", "/").split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && (name !== "" || names.length === 0)) names.push(name);
  }
  return names.join("/");
}
