import { join } from "node:path";
import type { Harness, HarnessEvent, HarnessId } from "../harness/harness.ts";
import { opencodePlugin } from "../harness/opencode-plugin.ts";
import type { EntryPlan } from "./hook-entries.ts";
import type { JsonDialect } from "./json-tree.ts";
import type { Scope } from "./ledger.ts";

/** What to write where, so that an assistant calls our hooks. */
export type SettingsTarget =
  | { readonly kind: "entries"; readonly file: string; readonly plan: EntryPlan }
  /** A file that is entirely ours. */
  | { readonly kind: "plugin"; readonly file: string; readonly source: string };

export interface TargetPaths {
  readonly userHome: string;
  readonly projectDir: string;
  readonly claudeConfigDir: string | undefined;
  /**
   * The Node binary that runs us, and the launcher of our copy of this program: absolute, so that they do not depend on
   * PATH.
   */
  readonly node: string;
  readonly launcher: string;
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

/** The longest that an assistant waits for one of our hooks. They take milliseconds; this is for a stuck machine. */
const TIMEOUT_S = 10;
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

export function settingsTarget(harness: Harness, scope: Scope, places: TargetPaths): SettingsTarget | undefined {
  const file = settingsFileOf(harness.id, scope, places);
  if (file === undefined) return undefined;
  if (harness.id === "opencode") {
    const command = scope === "project" ? ["workspace-hooks", "run"] : [places.node, places.launcher, "run"];
    return { kind: "plugin", file, source: opencodePlugin(places.programFolder, command) };
  }
  const entries = harness.events.map((event) => ({
    event: event.name,
    value: entryFor(harness.id, event, scope, places),
  }));
  const required = harness.id === "cursor" ? { version: 1 } : {};
  return { kind: "entries", file, plan: { dialect: DIALECTS[harness.id], required, entries } };
}

function entryFor(harness: HarnessId, event: HarnessEvent, scope: Scope, places: TargetPaths): unknown {
  const command = hookCommand(harness, event, scope, places);
  if (harness === "cursor") return { command, timeout: TIMEOUT_S };
  const isToolEvent = event.event.includes("Tool");
  const hook = {
    type: "command",
    command,
    ...(harness === "gemini-cli" && { name: "workspace-hooks" }),
    timeout: timeoutOf(harness, event),
    ...(event.isAsync === true && { async: true }),
  };
  return { ...(isToolEvent && { matcher: harness === "gemini-cli" ? ".*" : "*" }), hooks: [hook] };
}

function timeoutOf(harness: HarnessId, { event }: HarnessEvent): number {
  if (harness === "gemini-cli") return TIMEOUT_S * 1_000;
  return harness === "codex" && event === "SessionEnd" ? MAX_CODEX_END_S : TIMEOUT_S;
}

/** A file shared by a team contains no path of this machine, and does nothing where the command is not installed. */
function hookCommand(harness: HarnessId, event: HarnessEvent, scope: Scope, { node, launcher }: TargetPaths): string {
  const args = `run ${event.name} --for ${harness}`;
  if (scope === "project") {
    return `command -v workspace-hooks >/dev/null 2>&1 || exit 0; NODE_OPTIONS= exec workspace-hooks ${args}`;
  }
  return launchCommand(node, launcher, args);
}

/**
 * A command line for a shell. `exec` leaves no shell behind that would outlive us or swallow a signal. NODE_OPTIONS is
 * cleared, since loaders and debuggers meant for the user's own programs would slow down every tool call.
 */
export function launchCommand(node: string, launcher: string, args: string): string {
  return `NODE_OPTIONS= exec ${quoteForShell(node)} ${quoteForShell(launcher)} ${args}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
