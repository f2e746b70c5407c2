import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { sha256 } from "../files/sha256.ts";
import type { HookTool } from "../harness/harness.ts";
import type { JsonRecord, JsonValue } from "../json/json-value.ts";
import { interpretTool } from "../policy/tool-call.ts";
import { findProject } from "../project/project.ts";
import { redactText, storable } from "../redaction/redact.ts";
import { fileChange } from "./file-change.ts";

/** A text as a person sees it. */
export interface SeenText {
  readonly text: string;
  /** Whether it is the text itself: nothing in it is replaced as a secret or as private, or cut off. */
  readonly isWhole: boolean;
}

/** A call as a person sees it, without secrets: all of its input, except what only describes it. */
export interface AskedCall {
  readonly call: SeenText;
  readonly diff: SeenText | undefined;
}

const MAX_CALL_LENGTH = 7_900;
const MAX_DIFF_LENGTH = 39_900;
/** What the assistant adds to a command in explanation. */
const DESCRIPTIONS = new Set(["description", "explanation", "justification"]);

/**
 * The SHA-256 of a call: of the tool and all its input, which may say on which machine a command runs, except what only describes it;
 * and of the folder that it runs in.
 */
export function callDigest(tool: HookTool, folder: string): string {
  return sha256(JSON.stringify([tool.name, sorted(interpretShell(tool).input), folder]));
}

/**
 * A folder as all clones of a project have it: relative to the root of the project's repository, wherever in it the assistant was
 * started. A folder outside is another one in each clone.
 */
export function folderInRepository(cwd: string, projectDir: string): string {
  const folder = realPathOf(cwd);
  const within = relative(findProject(projectDir).root, folder);
  return isAbsolute(within) || within.split(sep)[0] === ".." ? folder : within;
}

/** `known` are secrets to search for literally. */
export function describeCall(tool: HookTool, cwd: string, known: readonly string[]): AskedCall {
  const { script, input } = interpretShell(tool);
  const change = script === undefined ? fileChange(tool, cwd) : undefined;
  let call = JSON.stringify(input, null, 2);
  if (script !== undefined) call = withOthers(script, othersThan(script, tool.name, input));
  else if (change !== undefined) call = withOthers(change.path, change.others);
  return {
    call: seenText(call, MAX_CALL_LENGTH, known),
    diff: change && seenText(change.diff, MAX_DIFF_LENGTH, known),
  };
}

/** A text without secrets; what is cut off is said. */
export function seenText(text: string, limit: number, known: readonly string[]): SeenText {
  const clean = storable(redactText(text, known).value);
  if (clean.length <= limit) return { text: clean, isWhole: clean === text };
  const left = `\n… [${clean.length - limit} more characters are not shown]`;
  return { text: clean.slice(0, limit).toWellFormed() + left, isWhole: false };
}

/** The script of a call of a shell, and its input without descriptions; of another tool, all of its input. */
function interpretShell({ name, input }: HookTool): { script: string | undefined; input: JsonRecord } {
  const { script, commonName } = interpretTool(name, input);
  if (script === undefined || commonName !== "Bash") return { script: undefined, input };
  const isDescription = (field: string, value: unknown) => DESCRIPTIONS.has(field) && typeof value === "string";
  return {
    script,
    input: Object.fromEntries(Object.entries(input).filter(([field, value]) => !isDescription(field, value))),
  };
}

/** What a shell is given besides its script, such as that it runs outside the sandbox. */
function othersThan(script: string, name: string, input: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(input).filter(
      ([field, value]) => value !== undefined && interpretTool(name, { [field]: value }).script !== script,
    ),
  );
}

/** First, where they are seen. */
function withOthers(text: string, others: JsonRecord): string {
  const named = Object.entries(others).map(
    ([field, value]) => `${/^\w+$/.test(field) ? field : JSON.stringify(field)}: ${JSON.stringify(value)}`,
  );
  return named.length === 0 ? text : `With ${named.join(", ")}\n${text}`;
}

/** With the members of objects in one order. */
function sorted(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => sorted(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
