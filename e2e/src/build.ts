import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ENSURE_BUILT = join(import.meta.dirname, "../../scripts/ensure-built.mjs");

/** Builds the server and the dashboard from the current source, unless they are built. */
export function buildWorkspace(): void {
  ensureBuilt("server", "dashboard");
}

/** Builds the hooks, which some tests run, unless they are built from the current source. */
export function buildHooks(): void {
  ensureBuilt("hooks");
}

function ensureBuilt(...names: readonly string[]): void {
  execFileSync(process.execPath, [ENSURE_BUILT, ...names], { stdio: "inherit" });
}
