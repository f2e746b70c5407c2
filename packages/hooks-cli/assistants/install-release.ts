import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "./releases.ts";

/** Installs a release from npm into a folder of its own, which is returned. */
export function installRelease({ packageName, version, harness }: Release, packages: string): string {
  const folder = join(packages, `${harness}-${version}`);
  mkdirSync(folder, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--prefix", folder];
  execFileSync("npm", ["install", ...options, `${packageName}@${version}`], { cwd: folder, stdio: "inherit" });
  return folder;
}
