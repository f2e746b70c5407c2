import { compute } from "../../browser/compute-in-slices.ts";
import { compareTexts, diffRows } from "../documents/merge/diff-rows.ts";
import type { SessionStep } from "./session-steps.ts";

/** What a call changed in a file. */
export interface StepEdit {
  readonly path: string;
  /** Lines that begin with a sign, as in a unified diff. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

type Input = Readonly<Record<string, unknown>>;

const PATH_FIELDS = ["file_path", "filePath", "path", "notebook_path", "absolute_path"];
const WHOLE_FIELDS = ["content", "contents", "file_text"];
const OLD_FIELDS = ["old_string", "oldString", "old_str", "old_text"];
const NEW_FIELDS = ["new_string", "newString", "new_str", "new_text", "new_source"];
const PATCH_FIELDS = ["input", "patch", "patchText"];
const SIGNS = { same: " ", removed: "-", added: "+" };

const known = new WeakMap<SessionStep, readonly StepEdit[]>();

/** What a call changed in files, by its input; empty for a tool that edits none. The tool is recognised by its fields. */
export function editsOf(step: SessionStep): readonly StepEdit[] {
  const edits = known.get(step) ?? (step.input === null ? [] : editsIn(step.input));
  known.set(step, edits);
  return edits;
}

function editsIn(text: string): readonly StepEdit[] {
  const input = parseRecord(text) ?? { patch: text };
  const patch = textAt(input, PATCH_FIELDS);
  if (patch?.includes("*** Begin Patch") === true) return editsOfPatch(patch);
  const path = textAt(input, PATH_FIELDS);
  if (path === undefined) return [];
  const whole = textAt(input, WHOLE_FIELDS);
  if (whole !== undefined) return [toEdit(path, diffOf("", whole))];
  const listed = Array.isArray(input["edits"]) ? input["edits"].map(recordIn) : [];
  const diffs = [input, ...listed].flatMap((edit) => {
    const after = edit === undefined ? undefined : textAt(edit, NEW_FIELDS);
    return after === undefined || edit === undefined ? [] : [diffOf(textAt(edit, OLD_FIELDS) ?? "", after)];
  });
  return diffs.length === 0 ? [] : [toEdit(path, diffs.join("\n"))];
}

/** The format of Codex: headings that name files, and lines that begin with a sign. */
function editsOfPatch(patch: string): readonly StepEdit[] {
  return patch
    .split(/^\*\*\* (?:Add|Update|Delete) File: /m)
    .slice(1)
    .map((section) => {
      const [path = "", ...lines] = section.split("\n");
      return toEdit(path.trim(), lines.filter((line) => !line.startsWith("***")).join("\n"));
    });
}

function toEdit(path: string, diff: string): StepEdit {
  const lines = diff.split("\n");
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { path, diff, added: count("+"), removed: count("-") };
}

function diffOf(before: string, after: string): string {
  const rows = [...diffRows(compute(compareTexts(before, after)))];
  return rows.map((row) => (row.kind === "gap" ? "@@" : `${SIGNS[row.kind]}${row.text}`)).join("\n");
}

function parseRecord(text: string): Input | undefined {
  try {
    return recordIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function recordIn(value: unknown): Input | undefined {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

function textAt(input: Input, fields: readonly string[]): string | undefined {
  return fields.map((field) => input[field]).find((value) => typeof value === "string");
}
