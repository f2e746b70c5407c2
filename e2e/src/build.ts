import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the server and the dashboard from the current source, unless they are built. */
export function buildWorkspace(): void {
  run("scripts/ensure-built.mjs", "server", "dashboard");
}

/** Builds the hooks, which some tests run. */
export function buildHooks(): void {
  run("packages/hooks-cli/scripts/build.mjs");
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "../..", program), ...args], { stdio: "inherit" });
}
