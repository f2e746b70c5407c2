import { matchesGlob } from "../shell/path-glob.ts";
import type { DetectorName, Policy, Rule } from "./policy.ts";

/** Kinds of an assistant's tools, by what may have to be done before a call; each has hooks of its own in the settings. */
export const TOOL_KINDS = ["shell", "edit", "read", "other"] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The tools of each kind in Claude Code; all tools that are not named here, also those of MCP servers, are of the kind `other`. */
export const TOOLS_OF_KINDS: Readonly<Record<Exclude<ToolKind, "other">, readonly string[]>> = {
  shell: ["Bash", "Monitor"],
  edit: ["Edit", "MultiEdit", "Write", "NotebookEdit"],
  read: ["Read"],
};

/** They look at commands only. */
const COMMAND_DETECTORS: readonly DetectorName[] = ["force-push", "pipe-to-shell", "unreadable-command"];

/** Whether a policy may have something to say about some call of a tool of this kind. In doubt it may. */
export function mayConcern({ rules, effects }: Policy, kind: ToolKind): boolean {
  const runsCommands = kind === "shell" || kind === "other";
  return (runsCommands && effects !== undefined) || rules.some((rule) => ruleMayConcern(rule, kind, runsCommands));
}

function ruleMayConcern({ when }: Rule, kind: ToolKind, runsCommands: boolean): boolean {
  if (when.prompt !== undefined) return false;
  if (when.tool !== undefined && kind !== "other" && !when.tool.some((glob) => isOfKind(glob, kind))) return false;
  const isAboutCommands =
    when.command !== undefined || (when.detect !== undefined && COMMAND_DETECTORS.includes(when.detect.name));
  return runsCommands || !isAboutCommands;
}

function isOfKind(glob: string, kind: Exclude<ToolKind, "other">): boolean {
  return TOOLS_OF_KINDS[kind].some((name) => matchesGlob(glob, name));
}
