import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { claudeCode } from "../../src/harness/claude-code.ts";
import { geminiCli } from "../../src/harness/gemini-cli.ts";
import { homeAt } from "../../src/files/home.ts";
import { install, uninstall } from "../../src/settings/installer.ts";
import { settingsTarget } from "../../src/settings/settings-target.ts";
import { settingsDocument } from "../../src/settings/settings-documents.testing.ts";
import { PROGRAM, TemporaryHome } from "./temporary-home.ts";

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

const MAX_DURATION_MS = 160;

/** Kills install and uninstall at various moments, and then runs them to completion. */
export async function settingsKills(kills: number): Promise<KillReport> {
  const report = { damaged: 0, different: 0, inTheMiddle: 0, leftBehind: 0 };
  for (const [index, original] of fc.sample(settingsDocument("json"), kills).entries()) {
    const home = new TemporaryHome();
    const file = home.write(".claude/settings.json", original);
    const doing = ["install", "--server", "http://localhost:9", "--key", "wk_x"];
    const undoing = ["uninstall"];
    const isUndoing = index % 2 === 1;
    if (isUndoing) await home.run(doing);
    const before = readFileSync(file, "utf8");
    const wasKilled = await killAfter(home, isUndoing ? undoing : doing, (index / kills) * MAX_DURATION_MS);
    if (wasKilled) report.inTheMiddle += 1;
    const between = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    await home.run(doing);
    const installed = readFileSync(file, "utf8");
    if (between !== before && between !== installed && between !== original) report.damaged += 1;
    await home.run(undoing);
    if (!existsSync(file) || readFileSync(file, "utf8") !== original) report.different += 1;
    if (readdirSync(dirname(file)).length > 1) report.leftBehind += 1;
    home.close();
  }
  return report;
}

async function killAfter(home: TemporaryHome, args: readonly string[], delayMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: home.project, env: home.env, stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), delayMs);
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearTimeout(timer);
  return signal === "SIGKILL";
}
