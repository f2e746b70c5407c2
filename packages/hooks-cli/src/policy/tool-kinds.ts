import { matchesGlob } from "../shell/path-glob.ts";
import type { DetectorName, Policy, RuleConditions } from "./policy.ts";

/** Kinds of an assistant's tools, by what may have to be done before a call; each has hooks of its own in the settings. */
export const TOOL_KINDS = ["shell", "edit", "read", "other"] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The tools of each kind in Claude Code; all tools that are not named here, also those of MCP servers, are of the kind `other`. */
export const TOOLS_OF_KINDS: Readonly<Record<Exclude<ToolKind, "other">, readonly string[]>> = {
  shell: ["Bash", "Monitor"],
  edit: ["Edit", "MultiEdit", "Write", "NotebookEdit"],
  read: ["Read"],
};

/** The detectors that find something in calls of tools that run no commands. */
const DETECTORS: Readonly<Record<"edit" | "read", readonly DetectorName[]>> = {
  edit: ["write-outside-project", "read-secret-file"],
  read: ["read-secret-file"],
};

/** The kind of a tool by its name in Claude Code. */
export function kindOfTool(name: string): ToolKind {
  return TOOL_KINDS.find((kind) => kind !== "other" && TOOLS_OF_KINDS[kind].includes(name)) ?? "other";
}

/** Whether a policy may have something to say about some call of a tool of this kind. In doubt it may. */
export function mayConcern({ rules, effects }: Policy, kind: ToolKind): boolean {
  const runsCommands = kind === "shell" || kind === "other";
  return (runsCommands && effects !== undefined) || rules.some(({ when }) => mayMatch(when, kind));
}

function mayMatch({ prompt, tool, command, detect }: RuleConditions, kind: ToolKind): boolean {
  if (prompt !== undefined) return false;
  if (kind === "other") return true;
  if (tool !== undefined && !tool.some((glob) => isOfKind(glob, kind))) return false;
  return kind === "shell" || (command === undefined && (detect === undefined || DETECTORS[kind].includes(detect.name)));
}

function isOfKind(glob: string, kind: Exclude<ToolKind, "other">): boolean {
  return TOOLS_OF_KINDS[kind].some((name) => matchesGlob(glob, name));
}
