import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ENSURE_BUILT = join(import.meta.dirname, "../../scripts/ensure-built.mjs");

/** The tests of the command run the bundle that users run, so it must be built from the current source. */
export default function setup(): void {
  execFileSync(process.execPath, [ENSURE_BUILT, "hooks"], { stdio: "inherit" });
}
