import { relative } from "node:path";
import { sha256 } from "../files/sha256.ts";
import type { HookTool } from "../harness/harness.ts";
import type { JsonValue } from "../json/json-value.ts";
import { interpretTool } from "../policy/tool-call.ts";
import { redactText, storable } from "../redaction/redact.ts";
import { fileChange } from "./file-change.ts";

/** A call as a person sees it, without secrets. */
export interface AskedCall {
  /** The same for the same call in the same folder of the project, whatever the assistant adds in explanation. */
  readonly digest: string;
  readonly call: string;
  readonly diff: string | undefined;
}

const MAX_CALL_LENGTH = 7_900;
const MAX_DIFF_LENGTH = 39_900;

export interface CallPlace {
  readonly cwd: string;
  readonly root: string;
}

/**
 * The digest of a call: of a shell's script, or of the tool's name and input, which may say on which machine a command runs; and of
 * where it runs in the project.
 */
export function callDigest({ name, input }: HookTool, { cwd, root }: CallPlace): string {
  const { script, commonName } = interpretTool(name, input);
  const what = script === undefined || commonName !== "Bash" ? [name, sorted(input)] : [commonName, script];
  return sha256(JSON.stringify([...what, relative(root, cwd)]));
}

/** `known` are secrets to search for literally. */
export function describeCall(tool: HookTool, place: CallPlace, known: readonly string[]): AskedCall {
  const { script: command, commonName, files } = interpretTool(tool.name, tool.input);
  const script = commonName === "Bash" ? command : undefined;
  const change = script === undefined ? fileChange(tool, place.cwd) : undefined;
  const [file] = files;
  const call = script ?? (change !== undefined && file !== undefined ? file.path : JSON.stringify(tool.input, null, 2));
  return {
    digest: callDigest(tool, place),
    call: withoutSecrets(call, MAX_CALL_LENGTH, known),
    diff: change === undefined ? undefined : withoutSecrets(change, MAX_DIFF_LENGTH, known),
  };
}

/** A text that a person may see; what is cut off is said, since it would be run too. */
export function withoutSecrets(text: string, limit: number, known: readonly string[]): string {
  const clean = storable(redactText(text, known).value);
  return clean.length <= limit
    ? clean
    : `${clean.slice(0, limit).toWellFormed()}\n… [${clean.length - limit} more characters are not shown]`;
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
