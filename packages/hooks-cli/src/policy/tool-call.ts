import { type JsonRecord, type JsonValue, isArray, isRecord, stringAt } from "../json/json-value.ts";
import type { PathAccess } from "./policy.ts";

/** A tool call in a common form, whichever assistant makes it. */
export interface ToolCall {
  readonly name: string;
  /** Claude Code's name for a tool of this kind, so that one rule covers all assistants. */
  readonly commonName: string;
  readonly input: JsonRecord;
  /** The shell script that it would run. */
  readonly script: string | undefined;
  readonly files: readonly { readonly path: string; readonly access: PathAccess }[];
}

/** Assistants' names for the same kind of tool, ignoring case and underscores. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  Bash: "bash shell sh runshellcommand runterminalcmd execcommand localshell terminal executecommand shellcommand powershell monitor container.exec",
  Read: "read readfile readmanyfiles view viewimage cat notebookread",
  Write: "write writefile create createfile",
  Edit: "edit multiedit replace strreplace editfile searchreplace applypatch patch notebookedit strreplaceeditor strreplacebasededittool",
  Delete: "delete deletefile removefile",
  Grep: "grep searchfilecontent grepsearch codebasesearch",
  Glob: "glob listdirectory listdir ls list filesearch",
  WebFetch: "webfetch fetch",
};

function commonNameOf(name: string): string {
  const plain = name.toLowerCase().replaceAll("_", "");
  return Object.entries(COMMON_NAMES).find(([, names]) => names.split(" ").includes(plain))?.[0] ?? name;
}

const PATH_FIELDS = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "notebook_path",
  "target_file",
  "relative_path",
  "filename",
  "destination",
  "source",
];
const PATH_LISTS = ["paths", "files", "file_paths"];
const COMMAND_FIELDS = ["command", "cmd"];
/** `chars` is what Codex's `write_stdin` types into a shell that is running. */
const SCRIPT_FIELDS = [...COMMAND_FIELDS, "script", "chars"];

export function interpretTool(name: string, input: JsonRecord): ToolCall {
  const commonName = commonNameOf(name);
  const patch = patchOf(name, input);
  if (patch !== undefined) return { name, commonName, input, script: undefined, files: filesOfPatch(patch) };
  const script = scriptOf(name, commonName, input);
  const files = filesOf(name, commonName, input);
  // Codex applies a patch itself that a command line would apply.
  const isPatching = script?.includes("apply") === true && /\bapply_?patch\b/.test(script);
  return { name, commonName, input, script, files: isPatching ? [...files, ...filesOfPatch(script)] : files };
}

function scriptOf(name: string, commonName: string, input: JsonRecord): string | undefined {
  // A tool of a known other kind runs none. Any other does if its name says so, or if it is given a command.
  const isShell = commonName === "Bash" || /(?:bash|shell|exec|terminal|command|stdin)/i.test(name);
  if (!isShell && Object.hasOwn(COMMON_NAMES, commonName)) return undefined;
  for (const field of isShell ? SCRIPT_FIELDS : COMMAND_FIELDS) {
    const value = input[field];
    // Whoever types nothing only waits for output.
    if (typeof value === "string" && value !== "") return value;
    if (isArray(value) && value.every((item) => typeof item === "string")) return scriptOfWords(value);
  }
  return undefined;
}

/** `["bash", "-lc", "script"]`: the words of a command, not yet joined into a script. */
function scriptOfWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}

function filesOf(name: string, commonName: string, input: JsonRecord): ToolCall["files"] {
  const paths = [
    ...PATH_FIELDS.map((field) => stringAt(input, field)),
    ...PATH_LISTS.flatMap((field) => textsOf(input[field])),
    // A search that selects files by a pattern reads whatever the pattern matches.
    ...(commonName === "Grep" ? [stringAt(input, "glob"), stringAt(input, "include")] : []),
  ].filter((path) => path !== undefined);
  return paths.flatMap((path) => accessesOf(name, commonName).map((access) => ({ path, access })));
}

function accessesOf(name: string, commonName: string): readonly PathAccess[] {
  switch (commonName) {
    case "Read":
    case "Grep":
      return ["read"];
    case "Glob":
      return [];
    case "Write":
    case "Edit":
      return ["write"];
    case "Delete":
      return ["delete"];
    default:
      return accessesByName(name);
  }
}

/** MCP tools: by their names, or all kinds of access if the name says nothing. */
function accessesByName(name: string): readonly PathAccess[] {
  const action = name.slice(name.lastIndexOf("__") + 1).toLowerCase();
  if (/delete|remove|unlink/.test(action)) return ["delete"];
  if (/write|create|edit|update|save|append|upload|move|rename|copy|put/.test(action)) return ["write"];
  if (/list|tree|stat|info|exists|search/.test(action)) return [];
  return ["read"];
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (!isArray(value)) return [];
  return value
    .map((item) => (typeof item === "string" ? item : isRecord(item) ? stringAt(item, "path") : undefined))
    .filter((item) => item !== undefined);
}

/** Codex edits files through a patch in a text, whose headings name them. */
function patchOf(name: string, input: JsonRecord): string | undefined {
  const text = stringAt(input, "command") ?? stringAt(input, "patch") ?? stringAt(input, "input");
  return name.toLowerCase().includes("patch") && text?.includes("*** ") === true ? text : undefined;
}

function filesOfPatch(patch: string): ToolCall["files"] {
  return [...patch.matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm)].map(([, action, path]) => ({
    path: (path ?? "").trim(),
    access: action === "Delete File" ? "delete" : "write",
  }));
}

/** The value of a field, given by its path such as `edits.0.new_string`, as text. */
export function inputText(input: JsonRecord, field: string): string | undefined {
  let value: JsonValue | undefined = input;
  for (const key of field.split(".")) {
    if (isArray(value)) value = value[Number(key)];
    else if (isRecord(value)) value = Object.hasOwn(value, key) ? value[key] : undefined;
    else return undefined;
  }
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
