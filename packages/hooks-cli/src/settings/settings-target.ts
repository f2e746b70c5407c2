import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Harness, type HarnessEvent, type HarnessId, installedEvents } from "../harness/harness.ts";
import { opencodePlugin } from "../harness/opencode-plugin.ts";
import { TOOL_KINDS, toolsOfKind } from "../policy/tool-kinds.ts";
import type { EntryPlan } from "./hook-entries.ts";
import { type CommandPaths, type HookOfEvent, hookCommand, timeoutSeconds } from "./hook-command.ts";
import type { JsonDialect } from "./json-tree.ts";
import type { Scope } from "./ledger.ts";

/** What to write where, so that an assistant calls our hooks. */
export type SettingsTarget =
  | { readonly kind: "entries"; readonly file: string; readonly plan: EntryPlan }
  /** A file that is entirely ours. */
  | { readonly kind: "plugin"; readonly file: string; readonly source: string };

export interface TargetPaths extends CommandPaths {
  readonly userHome: string;
  readonly projectDir: string;
  readonly claudeConfigDir: string | undefined;
  /** The folder of the running program's files. */
  readonly programFolder: string;
}

const FILES: Readonly<Record<HarnessId, Readonly<Record<Scope, readonly string[]>>>> = {
  "claude-code": {
    user: [".claude", "settings.json"],
    project: [".claude", "settings.json"],
    local: [".claude", "settings.local.json"],
  },
  codex: { user: [".codex", "hooks.json"], project: [".codex", "hooks.json"], local: [] },
  "gemini-cli": { user: [".gemini", "settings.json"], project: [".gemini", "settings.json"], local: [] },
  cursor: { user: [".cursor", "hooks.json"], project: [".cursor", "hooks.json"], local: [] },
  opencode: {
    user: [".config", "opencode", "plugins", "workspace-hooks.js"],
    project: [".opencode", "plugins", "workspace-hooks.js"],
    local: [],
  },
};

const DIALECTS: Readonly<Record<HarnessId, JsonDialect>> = {
  "claude-code": "json",
  codex: "json",
  "gemini-cli": "jsonc",
  cursor: "jsonc",
  opencode: "json",
};

/** Codex complains about more at the end of a session. */
const MAX_CODEX_END_S = 3;

/** Undefined if the assistant has no settings with this scope. */
export function settingsFileOf(harness: HarnessId, scope: Scope, places: TargetPaths): string | undefined {
  const parts = FILES[harness][scope];
  if (parts.length === 0) return undefined;
  if (scope !== "user") return join(places.projectDir, ...parts);
  if (harness === "claude-code" && places.claudeConfigDir !== undefined)
    return join(places.claudeConfigDir, "settings.json");
  return join(places.userHome, ...parts);
}

/** Whether the assistant has been used here, so that its folder for a user's settings exists. */
export function isUsed(harness: HarnessId, places: TargetPaths): boolean {
  const file = settingsFileOf(harness, "user", places);
  if (file === undefined) return false;
  // opencode has a folder for plugins in its own.
  return existsSync(harness === "opencode" ? dirname(dirname(file)) : dirname(file));
}

export function settingsTarget(harness: Harness, scope: Scope, places: TargetPaths): SettingsTarget | undefined {
  const file = settingsFileOf(harness.id, scope, places);
  if (file === undefined) return undefined;
  if (harness.id === "opencode") {
    const { node, launcher, passes, policy, calls } = places;
    const isShared = scope === "project";
    const command = isShared ? ["workspace-hooks", "run"] : [node, launcher, "run"];
    const own = isShared ? [] : [passes, policy, calls];
    return { kind: "plugin", file, source: opencodePlugin(places.programFolder, command, own) };
  }
  const entries = installedEvents(harness).flatMap((event) =>
    (event.toolKinds ?? [undefined]).map((kind) => ({
      event: event.name,
      value: entryFor({ harness: harness.id, event, kind }, scope, places),
    })),
  );
  const required = harness.id === "cursor" ? { version: 1 } : {};
  return { kind: "entries", file, plan: { dialect: DIALECTS[harness.id], required, entries } };
}

function entryFor(hook: HookOfEvent, scope: Scope, places: TargetPaths): unknown {
  const { harness, event } = hook;
  const command = hookCommand(hook, scope, places);
  if (harness === "cursor") return { command, timeout: timeoutOf(harness, event) };
  const isToolEvent = event.event.includes("Tool");
  const value = {
    type: "command",
    command,
    ...(harness === "gemini-cli" && { name: "workspace-hooks" }),
    timeout: timeoutOf(harness, event),
    ...(event.isAsync === true && { async: true }),
  };
  return { ...(isToolEvent && { matcher: matcherOf(hook) }), hooks: [value] };
}

/** A list of names, which Claude Code compares as they are, or a regular expression. */
function matcherOf({ harness, kind }: HookOfEvent): string {
  if (kind === undefined) return "*";
  const isGemini = harness === "gemini-cli";
  // The names of Claude Code's own tools begin with a capital letter, of those of Gemini CLI none.
  const isOwn = (name: string): boolean => /^[A-Z]/.test(name) !== isGemini;
  const [named = [], all = []] = [[kind], TOOL_KINDS].map((kinds) =>
    kinds.flatMap((each) => (each === "other" ? [] : toolsOfKind(each).filter(isOwn))),
  );
  if (kind === "other") return `^(?!(?:${all.join("|")})$)`;
  return isGemini ? `^(?:${named.join("|")})$` : named.join("|");
}

/** In the unit of the assistant. */
function timeoutOf(harness: HarnessId, event: HarnessEvent): number {
  if (harness === "gemini-cli") return timeoutSeconds(event) * 1_000;
  return harness === "codex" && event.event === "SessionEnd" ? MAX_CODEX_END_S : timeoutSeconds(event);
}
