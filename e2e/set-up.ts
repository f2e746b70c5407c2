import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The tests run the server and dashboard built from the current source. */
export function setup(): void {
  const program = join(import.meta.dirname, "../scripts/ensure-built.mjs");
  execFileSync(process.execPath, [program, "server", "dashboard"], { stdio: "inherit" });
}
