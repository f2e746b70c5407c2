import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../environment.ts";
import {
  SELDOM_FILE,
  COMMANDS_FILE,
  type Home,
  LAUNCHER_FILE,
  GUARD_FILE,
  PACKAGED_PROGRAM_FILE,
  PARSER_FILE,
  UNDO_FILE,
} from "../files/home.ts";
import type { Harness } from "../harness/harness.ts";
import { PLUGIN_FILE } from "../harness/opencode-plugin.ts";
import { HARNESSES, findHarness } from "../harness/registry.ts";
import type { InstallRequest } from "../settings/installer.ts";
import { type LedgerEntry, type Scope, readLedger } from "../settings/ledger.ts";
import { type TargetPaths, isUsed, settingsTarget } from "../settings/settings-target.ts";
import { type Arguments, UsageError } from "../terminal/arguments.ts";

/** Every command needs a home; without one, there is nothing it could do. */
export function requireHome({ home }: Environment): Home {
  if (home === undefined) throw new UsageError("There is no home directory. Set HOME or WORKSPACE_HOOKS_HOME.");
  return home;
}

/** The folder of this program's files, even if the launcher started it. */
function runningFolder(): string {
  return realpathSync(__dirname);
}

/** The files of this program to install, each with its destination. None if the installed copy itself is running. */
export function installedCopies(home: Home): readonly (readonly [file: string, copy: string])[] {
  const source = runningFolder();
  const target = dirname(home.program);
  if (existsSync(target) && realpathSync(target) === source) return [];
  return [
    ...[PARSER_FILE, PLUGIN_FILE, COMMANDS_FILE, GUARD_FILE, UNDO_FILE, SELDOM_FILE].map(
      (name) => [join(source, name), join(target, name)] as const,
    ),
    [join(source, PACKAGED_PROGRAM_FILE), home.program],
    [join(source, LAUNCHER_FILE), home.launcher],
  ];
}

export function targetPaths(environment: Environment, home: Home, projectDir = process.cwd()): TargetPaths {
  return {
    userHome: environment.userHome ?? home.root,
    projectDir: resolve(projectDir),
    claudeConfigDir: environment.claudeConfigDir,
    node: process.execPath,
    launcher: home.launcher,
    passes: home.passes,
    policy: home.policy,
    calls: home.calls,
    programFolder: runningFolder(),
  };
}

export function readScope(values: Arguments["values"]): Scope {
  const scope = values["scope"] ?? "user";
  if (scope === "user" || scope === "project" || scope === "local") return scope;
  throw new UsageError("--scope must be user, project or local.");
}

/** The assistants named on the command line; otherwise those that this user has used, or in a project's settings Claude Code. */
export function readHarnesses(values: Arguments["values"], paths: TargetPaths): readonly Harness[] {
  if (values["for"] === undefined) {
    const used = Object.values(HARNESSES).filter(({ id }) => isUsed(id, paths));
    return readScope(values) === "user" && used.length > 0 ? used : [HARNESSES["claude-code"]];
  }
  return values["for"].split(",").map((name) => {
    const harness = findHarness(name.trim());
    if (harness === undefined)
      throw new UsageError(`--for must be one or more of ${Object.keys(HARNESSES).join(", ")}.`);
    return harness;
  });
}

export function requestFor(harness: Harness, scope: Scope, paths: TargetPaths, home: Home): InstallRequest {
  const target = settingsTarget(harness, scope, paths);
  if (target === undefined) throw new UsageError(`${harness.title} has no settings with the scope "${scope}".`);
  return { harness, scope, target, home, now: new Date() };
}

/** The request for inspecting, repairing or removing an installation recorded in the ledger. */
export function requestOf({ harness, scope, file }: LedgerEntry, environment: Environment, home: Home): InstallRequest {
  const request = requestFor(HARNESSES[harness], scope, targetPaths(environment, home), home);
  return { ...request, target: { ...request.target, file } };
}

/** Every installation recorded in the ledger. */
export function knownRequests(environment: Environment, home: Home): readonly InstallRequest[] {
  return readLedger(home.ledger).map((entry) => requestOf(entry, environment, home));
}
