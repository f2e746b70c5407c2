import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../environment.ts";
import { type Home, LAUNCHER_FILE } from "../files/home.ts";
import type { Harness } from "../harness/harness.ts";
import { PLUGIN_FILE } from "../harness/opencode-plugin.ts";
import { HARNESSES, findHarness } from "../harness/registry.ts";
import type { InstallRequest } from "../settings/installer.ts";
import { type LedgerEntry, type Scope, readLedger } from "../settings/ledger.ts";
import { type TargetPlaces, settingsTarget } from "../settings/settings-target.ts";
import { type Arguments, UsageError } from "../terminal/arguments.ts";

/** Everything needs a home; without one there is nothing that a command could do. */
export function requireHome({ home }: Environment): Home {
  if (home === undefined) throw new UsageError("There is no home directory. Set HOME or WORKSPACE_HOOKS_HOME.");
  return home;
}

/** The file of this program, also where the launcher started it. What comes with it lies beside it. */
export function runningProgram(): string {
  return realpathSync(__filename);
}

/** The files of this program that are installed, each with its copy. None where the installed copy is what runs. */
export function installedCopies(home: Home): readonly (readonly [file: string, copy: string])[] {
  const own = runningProgram();
  if (existsSync(home.program) && realpathSync(home.program) === own) return [];
  const beside = (name: string): string => join(dirname(own), name);
  return [
    [own, home.program],
    [beside(LAUNCHER_FILE), home.launcher],
    [beside(PLUGIN_FILE), join(dirname(home.program), PLUGIN_FILE)],
  ];
}

export function placesOf(environment: Environment, home: Home, projectDir = process.cwd()): TargetPlaces {
  return {
    userHome: environment.userHome ?? home.root,
    projectDir: resolve(projectDir),
    claudeConfigDir: environment.claudeConfigDir,
    node: process.execPath,
    launcher: home.launcher,
    self: runningProgram(),
  };
}

export function readScope(values: Arguments["values"]): Scope {
  const scope = values["scope"] ?? "user";
  if (scope === "user" || scope === "project" || scope === "local") return scope;
  throw new UsageError("--scope is user, project or local.");
}

/** The assistants that were named; Claude Code by default. */
export function readHarnesses(values: Arguments["values"]): readonly Harness[] {
  return (values["for"] ?? "claude-code").split(",").map((name) => {
    const harness = findHarness(name.trim());
    if (harness === undefined) throw new UsageError(`--for is one or more of ${Object.keys(HARNESSES).join(", ")}.`);
    return harness;
  });
}

export function requestFor(harness: Harness, scope: Scope, places: TargetPlaces, home: Home): InstallRequest {
  const target = settingsTarget(harness, scope, places);
  if (target === undefined) throw new UsageError(`${harness.title} has no settings of the scope "${scope}".`);
  return { harness, scope, target, home, now: new Date() };
}

/** What is needed to look at, repair or take back an installation that the ledger knows. */
export function requestOf({ harness, scope, file }: LedgerEntry, environment: Environment, home: Home): InstallRequest {
  const request = requestFor(HARNESSES[harness], scope, placesOf(environment, home), home);
  return { ...request, target: { ...request.target, file } };
}

/** Every installation that the ledger knows. */
export function knownRequests(environment: Environment, home: Home): readonly InstallRequest[] {
  return readLedger(home.ledger).map((entry) => requestOf(entry, environment, home));
}
