/** What a server runs on, collected in a folder. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootDir, runPnpm } from "./prepare.mjs";

const FILES = [
  "scripts/require-node.cjs",
  "packages/api-rest/package.json",
  "packages/api-rest/dist",
  "packages/api-v1/skill",
  "packages/hooks-cli/package.json",
  "packages/hooks-cli/dist",
  "packages/web/dist",
];
/** What the database's package brings besides its migrations and its dependencies. */
const SOURCES = [".turbo", "scripts", "src", "tsconfig.json", "vitest.config.ts", "vitest.global-setup.ts"];

/** How the service starts in a release. */
export const START = [
  "node",
  "-r",
  "./scripts/require-node.cjs",
  "--max-semi-space-size=32",
  "--max-old-space-size=1024",
  "packages/api-rest/dist/main.js",
];

/** Copies what `prepare` has built to an empty folder, with the database's package and what that depends on. */
export function collectRelease(target) {
  const database = join(target, "packages/db");
  runPnpm(["--filter", "@workspace/db", "deploy", "--prod", "--legacy", database]);
  for (const name of SOURCES) rmSync(join(database, name), { recursive: true, force: true });
  for (const file of FILES) cpSync(join(rootDir, file), join(target, file), { recursive: true, filter: isNeeded });
  // The server finds the migrations and the embedded database by this name.
  mkdirSync(join(target, "node_modules/@workspace"), { recursive: true });
  symlinkSync("../../packages/db", join(target, "node_modules/@workspace/db"), "junction");
  const { name, version, description, engines } = JSON.parse(readFileSync(join(rootDir, "package.json"), "utf8"));
  const scripts = {
    start: `exec ${START.join(" ")}`,
    workspace: "node -r ./scripts/require-node.cjs packages/api-rest/dist/workspace.js",
  };
  const manifest = { name, version, private: true, description, type: "module", engines, scripts };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function isNeeded(path) {
  return !path.endsWith(".map");
}
