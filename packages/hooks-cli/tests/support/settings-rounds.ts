import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { claudeCode } from "../../src/harness/claude-code.ts";
import { geminiCli } from "../../src/harness/gemini-cli.ts";
import { homeAt } from "../../src/files/home.ts";
import { requestFor } from "../../src/commands/targets.ts";
import { type InstallRequest, install, uninstall } from "../../src/settings/installer.ts";
import { settingsTarget } from "../../src/settings/settings-target.ts";
import { settingsDocument } from "../../src/settings/settings-documents.testing.ts";
import { PROGRAM, TemporaryHome, eventually } from "./temporary-home.ts";

/** Installs into and uninstalls from generated settings files. Returns how many differed afterwards. */
export function settingsRoundTrips(count: number): number {
  let different = 0;
  for (const harness of [claudeCode, geminiCli]) {
    const home = new TemporaryHome();
    const places = { userHome: home.path, projectDir: home.project, claudeConfigDir: undefined };
    const program = {
      node: "/node",
      launcher: "/program",
      passes: "/passes",
      calls: "/calls",
      policy: "/policy",
      programFolder: dirname(PROGRAM),
    };
    const target = settingsTarget(harness, "user", { ...places, ...program });
    if (target?.kind !== "entries") throw new Error("Expected settings with entries.");
    home.write(target.file.slice(home.path.length + 1), "");
    for (const document of fc.sample(settingsDocument(target.plan.dialect), Math.ceil(count / 2))) {
      const original = Buffer.from(document);
      writeFileSync(target.file, original);
      const request = { harness, scope: "user", target, home: homeAt(home.root), now: new Date() } as const;
      install(request);
      const isInstalled = !readFileSync(target.file).equals(original);
      uninstall(request);
      if (!isInstalled || !readFileSync(target.file).equals(original)) different += 1;
    }
    home.close();
  }
  return different;
}

export interface KillReport {
  /** Files that were neither the old nor the new text at some moment after a kill. */
  readonly damaged: number;
  /** Files that differed from the original after install and uninstall had completed. */
  readonly different: number;
  /** How many kills hit the command while it was running. */
  readonly inTheMiddle: number;
  /** Temporary files left beside the settings at the end. */
  readonly leftBehind: number;
}

/** How long after its start, or after it has written the configuration, a command changes the settings at the latest. */
const DURATIONS_MS = { install: 40, uninstall: 160 } as const;
const INSTALL_DEADLINE_MS = 30_000;

/**
 * Kills install and uninstall at various moments, and then has them completed, in this process: the program would be compiled
 * for each install.
 */
export async function settingsKills(kills: number): Promise<KillReport> {
  const report = { damaged: 0, different: 0, inTheMiddle: 0, leftBehind: 0 };
  for (const [index, original] of fc.sample(settingsDocument("json"), kills).entries()) {
    const home = new TemporaryHome();
    const file = home.write(".claude/settings.json", original);
    const request = requestIn(home);
    const isUndoing = index % 2 === 1;
    if (isUndoing) install(request);
    const before = readFileSync(file, "utf8");
    if (await killAt(home, isUndoing ? "uninstall" : "install", index / kills)) report.inTheMiddle += 1;
    const between = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    install(request);
    const installed = readFileSync(file, "utf8");
    if (between !== before && between !== installed && between !== original) report.damaged += 1;
    uninstall(request);
    if (!existsSync(file) || readFileSync(file, "utf8") !== original) report.different += 1;
    if (readdirSync(dirname(file)).length > 1) report.leftBehind += 1;
    home.close();
  }
  return report;
}

/** The same as that of the command. */
function requestIn({ path, project, root }: TemporaryHome): InstallRequest {
  const home = homeAt(root);
  const { launcher, passes, policy, calls } = home;
  const places = { userHome: path, projectDir: project, claudeConfigDir: undefined };
  const program = { node: process.execPath, launcher, passes, policy, calls, programFolder: dirname(PROGRAM) };
  return requestFor(claudeCode, "user", { ...places, ...program }, home);
}

/** Kills the command at a fraction of the time in which it may change the settings. Returns whether it was running. */
async function killAt(home: TemporaryHome, command: "install" | "uninstall", fraction: number): Promise<boolean> {
  const args = command === "install" ? ["install", "--server", "http://localhost:9", "--key", "wk_x"] : [command];
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: home.project, env: home.env, stdio: "ignore" });
  const exited = once(child, "exit");
  // Before it changes the settings, install compiles the program for most of a second, and then writes this file.
  if (command === "install")
    await eventually(() => home.list(".workspace-hooks").includes("config.json"), INSTALL_DEADLINE_MS);
  const timer = setTimeout(() => child.kill("SIGKILL"), fraction * DURATIONS_MS[command]);
  const [, signal] = (await exited) as [number | null, string | null];
  clearTimeout(timer);
  return signal === "SIGKILL";
}
