import { matchesGlob } from "../shell/path-glob.ts";
import type { DetectorName, Policy, RuleConditions } from "./policy.ts";

/** Kinds of an assistant's tools, by what may have to be done before a call; in Claude Code's settings each has a hook of its own. */
export const TOOL_KINDS = ["shell", "edit", "read", "other"] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The tools of each kind in all assistants; all that are not named here, also those of MCP servers, are of the kind `other`. */
const NAMES: Readonly<Record<Exclude<ToolKind, "other">, string>> = {
  shell: "Bash Monitor bash run_shell_command",
  edit: "Edit MultiEdit Write NotebookEdit edit multiedit write patch apply_patch replace write_file",
  read: "Read read read_file read_many_files view_image",
};

/** The detectors that find something in calls of tools that run no commands. */
const DETECTORS: Readonly<Record<"edit" | "read", readonly DetectorName[]>> = {
  edit: ["write-outside-project", "delete-outside-project", "read-secret-file"],
  read: ["read-secret-file"],
};

/** The names of the tools of a kind in all assistants. */
export function toolsOfKind(kind: Exclude<ToolKind, "other">): readonly string[] {
  return NAMES[kind].split(" ");
}

/** The kind of a tool by its name in any assistant. */
export function kindOfTool(name: string): ToolKind {
  return TOOL_KINDS.find((kind) => kind !== "other" && toolsOfKind(kind).includes(name)) ?? "other";
}

/** Whether a policy may have something to say about some call of a tool of this kind. In doubt it may. */
export function mayConcern({ rules, effects }: Policy, kind: ToolKind): boolean {
  // What is written to some files, such as those of accounts or disks, has effects as commands have.
  return (kind !== "read" && effects !== undefined) || rules.some(({ when }) => mayMatch(when, kind));
}

function mayMatch({ prompt, tool, command, detect }: RuleConditions, kind: ToolKind): boolean {
  if (prompt !== undefined) return false;
  if (kind === "other") return true;
  if (tool !== undefined && !tool.some((glob) => toolsOfKind(kind).some((name) => matchesGlob(glob, name))))
    return false;
  return kind === "shell" || (command === undefined && (detect === undefined || DETECTORS[kind].includes(detect.name)));
}
