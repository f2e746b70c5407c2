/**
 * Prepares a checkout for serving or testing: installs dependencies and builds everything. Whatever is up to date, judging
 * by the content of its sources, is left alone, so that an ordinary start does no work here.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const rootDir = join(import.meta.dirname, "..");

export const PNPM = "pnpm@10.34.9";

/** For tools that would otherwise send telemetry or draw progress bars. */
export const quietEnv = {
  ...process.env,
  CI: "true",
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

const stampDir = join(rootDir, "node_modules/.workspace");
const IGNORED = new Set(["node_modules", "dist", "generated", ".turbo", "screenshots"]);

/** Where progress is reported. */
let reports = process.stdout;

/** Installs and builds whatever is missing or outdated. Exits the process on failure. */
export function prepare({ reportsTo = process.stdout } = {}) {
  reports = reportsTo;
  const installStamp = installDependencies();
  const descriptions = ["docs/asyncapi.json", "docs/openapi.json", "docs/openapi.v1.json"];
  const sources = [...listFiles("packages"), ...descriptions].toSorted();
  const outputs = [
    "packages/api-rest/dist/main.js",
    "packages/api-rest/dist/workspace.js",
    "packages/web/dist/index.html",
  ];
  const isBuilt = outputs.every((file) => existsSync(join(rootDir, file)));
  runWhenStale("build", isBuilt ? digest(sources, installStamp) : "", "Building", ["run", "build"], () =>
    digest(sources, installStamp),
  );
}

/** Installs dependencies if they are missing or outdated, and returns a digest of all manifests. */
export function installDependencies() {
  const manifests = [
    "package.json",
    "pnpm-workspace.yaml",
    "pnpm-lock.yaml",
    ...packageDirs().map((dir) => join(dir, "package.json")),
  ];
  const installStamp = digest(manifests.filter((file) => existsSync(join(rootDir, file))));
  runWhenStale("install", installStamp, "Installing dependencies", [
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
  ]);
  return installStamp;
}

/** Runs a pnpm command and exits the process if it fails. */
export function runPnpm(args) {
  const { status, signal } = spawnSync("npx", ["--yes", PNPM, ...args], {
    cwd: rootDir,
    stdio: ["ignore", reports.fd, "inherit"],
    env: quietEnv,
  });
  if (status !== 0) {
    process.stderr.write(`"pnpm ${args.join(" ")}" failed${signal === null ? "" : ` (${signal})`}.\n`);
    process.exit(status ?? 1);
  }
}

function runWhenStale(name, stamp, title, args, stampAfter = () => stamp) {
  const file = join(stampDir, name);
  if (stamp !== "" && existsSync(file) && readFileSync(file, "utf8") === stamp) return;
  reports.write(`${title} …\n`);
  rmSync(file, { force: true });
  runPnpm(args);
  mkdirSync(stampDir, { recursive: true });
  writeFileSync(file, stampAfter());
}

function packageDirs() {
  return [...readdirSync(join(rootDir, "packages")).map((name) => join("packages", name)), "bench", "e2e"];
}

/** A digest of the names and contents of files, including all files in folders that a build reads. */
export function digestOf(paths) {
  return digest(paths.flatMap(listFiles).toSorted());
}

function listFiles(path) {
  const full = join(rootDir, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  const entries = readdirSync(full, { withFileTypes: true, recursive: false });
  return entries.flatMap((entry) => {
    if (IGNORED.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return [];
    const child = join(path, entry.name);
    return entry.isDirectory() ? listFiles(child) : [child];
  });
}

function digest(files, seed = "") {
  const hash = createHash("sha256").update(seed);
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(rootDir, file)));
  return hash.digest("hex");
}
