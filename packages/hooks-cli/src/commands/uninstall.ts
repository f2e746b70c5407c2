import * as fs from "node:fs";
import { dirname } from "node:path";
import { revokeKey } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { readConfig } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { installedEvents } from "../harness/harness.ts";
import { HARNESSES } from "../harness/registry.ts";
import { type InstallRequest, missingEvents, planUninstall, uninstall } from "../settings/installer.ts";
import { readLedger } from "../settings/ledger.ts";
import { SettingsFileError } from "../settings/settings-file.ts";
import { settingsTarget } from "../settings/settings-target.ts";
import { Spool } from "../spool/spool.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { describeChange, print } from "../terminal/terminal.ts";
import { knownRequests, targetPaths, requestFor, requireHome } from "./targets.ts";

/**
 * Removes our entries from every settings file that has them. Keeps what belongs to the user: rules, and unsent events.
 */
export async function runUninstall(args: readonly string[], environment: Environment): Promise<number> {
  const { values, flags } = parseArguments(args, { values: ["for", "scope", "project"], flags: ["dry-run", "purge"] });
  const home = requireHome(environment);
  const requests = allRequests(environment, home, values["project"]).filter(
    ({ harness, scope }) => (values["for"] ?? harness.id) === harness.id && (values["scope"] ?? scope) === scope,
  );
  let failures = 0;
  for (const request of requests) {
    try {
      const { before, after } = flags.has("dry-run") ? planUninstall(request) : uninstall(request);
      print(`${request.harness.title}, ${request.scope} settings: ${request.target.file}`);
      for (const line of describeChange(before, after)) print(`  ${line}`);
    } catch (error) {
      if (!(error instanceof SettingsFileError)) throw error;
      failures += 1;
      print(error.message);
    }
  }
  if (requests.length === 0) print("No settings file calls the hooks.");
  if (!flags.has("dry-run") && failures === 0 && readLedger(home.ledger).length === 0) {
    if (flags.has("purge")) await revokeOwnKey(home);
    removeOwnFiles(home, flags.has("purge"));
  }
  return failures === 0 ? 0 : 1;
}

/** The installations in the ledger, and others found in the default locations. */
function allRequests(environment: Environment, home: Home, projectDir: string | undefined): readonly InstallRequest[] {
  const known = knownRequests(environment, home);
  const paths = targetPaths(environment, home, projectDir);
  const others = Object.values(HARNESSES).flatMap((harness) =>
    (["user", "project", "local"] as const).flatMap((scope) => {
      const target = settingsTarget(harness, scope, paths);
      const isKnown = target === undefined || known.some((request) => request.target.file === target.file);
      return isKnown || !hasEntries(target, harness) ? [] : [requestFor(harness, scope, paths, home)];
    }),
  );
  return [...known, ...others];
}

function hasEntries(...[target, harness]: Parameters<typeof missingEvents>): boolean {
  try {
    return missingEvents(target, harness).length < installedEvents(harness).length;
  } catch {
    // A file that cannot be read contains nothing that we could remove.
    return false;
  }
}

/** Revokes the key if `install` created it; one that was given may serve others too. */
async function revokeOwnKey(home: Home): Promise<void> {
  const config = readConfig(home.config);
  if (config.kind !== "ready") return;
  const { connection, ownsKey } = config.config;
  if (!ownsKey) {
    print("The key was given to install, so it stays valid; revoke it in the dashboard if nothing else uses it.");
    return;
  }
  const revoked = await revokeKey(connection);
  const isGone = revoked.kind === "ok" || revoked.kind === "unauthorized";
  print(
    isGone
      ? "The key has been revoked."
      : `The key could not be revoked (${revoked.message}); revoke it in the dashboard.`,
  );
}

function removeOwnFiles(home: Home, isPurge: boolean): void {
  // A hook or a helper may be writing into a folder while it is removed.
  const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 };
  if (isPurge) {
    fs.rmSync(home.root, removal);
    print(`${home.root} has been removed.`);
    return;
  }
  fs.rmSync(dirname(home.launcher), removal);
  fs.rmSync(home.ledger, { force: true });
  if (!fs.existsSync(home.root)) return;
  const waiting = new Spool(home, { maxEvents: Infinity }, Date.now).length;
  print(
    `Your settings and rules${waiting > 0 ? `, and ${waiting} unsent events,` : ""} stay in ${home.root}; --purge removes them too.`,
  );
}
