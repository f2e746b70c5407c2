import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The tests of the command run the bundle that users run, so it must be built from the current source. */
export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "scripts/build.mjs")], { stdio: "inherit" });
}
