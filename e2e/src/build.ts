import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the server and the dashboard from the current source, unless they are built. */
export function buildWorkspace(): void {
  const program = join(import.meta.dirname, "../../scripts/ensure-built.mjs");
  execFileSync(process.execPath, [program, "server", "dashboard"], { stdio: "inherit" });
}
