/**
 * What the dependencies of the product, without those of its development, are licensed under, and whether vulnerabilities of them
 * are known: `npm run bench -- dependencies`. Ends with 1 if a licence does not allow everyone to run and pass on the product, or if
 * something is vulnerable; a registry that does not tell is no failure.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const { packageManager } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
  readonly packageManager: string;
};
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Anything may be done with the code, as long as its authors are named. */
const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT and ISC",
  "MIT-0",
  "Unlicense",
]);
/** As far as the files themselves are not changed, they oblige to nothing else; fonts may be used as they are. */
const PER_FILE = new Set(["(MPL-2.0 OR Apache-2.0)", "EPL-2.0", "EPL-2.0 OR GPL-3.0-or-later", "MPL-2.0", "OFL-1.1"]);
/** Packages that name their licence only in a file. */
const NAMED_IN_FILE: Readonly<Record<string, string>> = { khroma: "MIT" };

interface Package {
  readonly name: string;
}

const byLicence = new Map<string, string[]>();
for (const [licence, packages] of Object.entries(await list()))
  for (const { name } of packages) {
    const named = NAMED_IN_FILE[name] ?? licence;
    byLicence.set(named, [...(byLicence.get(named) ?? []), name]);
  }
const rank = (licence: string): number => (PERMISSIVE.has(licence) ? 0 : PER_FILE.has(licence) ? 1 : 2);
const sorted = [...byLicence].toSorted(([a, of], [b, others]) => rank(a) - rank(b) || others.length - of.length);
for (const [licence, names] of sorted) {
  const kind = ["", "by file: ", "NOT ALLOWED: "][rank(licence)] ?? "";
  const listed = rank(licence) === 0 ? "" : ` ${names.toSorted().join(", ")}`;
  console.log(`${String(names.length).padStart(4)} ${kind}${licence}${listed}`);
}
const vulnerable = await audit();
if (vulnerable || sorted.some(([licence]) => rank(licence) === 2)) process.exitCode = 1;

async function list(): Promise<Readonly<Record<string, readonly Package[]>>> {
  const args = ["--yes", packageManager, "licenses", "list", "--prod", "--json"];
  const { stdout } = await run("npx", args, { cwd: ROOT, maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout);
}

/** Prints what is known; returns whether something is. */
async function audit(): Promise<boolean> {
  const args = ["--yes", packageManager, "audit", "--prod"];
  try {
    const { stdout } = await run("npx", args, { cwd: ROOT, maxBuffer: MAX_OUTPUT });
    console.log(stdout.trim());
    return false;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    const printed = `${stdout}${stderr}`.trim();
    const refusal = /ERR_PNPM_AUDIT_\w+.*responded with (\d+)/s.exec(printed);
    if (refusal !== null) {
      console.log(`vulnerabilities: not known, the registry responds to the question with ${refusal[1]}`);
      return false;
    }
    console.log(printed);
    return true;
  }
}
