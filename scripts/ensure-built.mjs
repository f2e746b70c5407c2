/**
 * `node scripts/ensure-built.mjs server dashboard hooks`: builds what the tests run, unless it exists and was built from the
 * current sources. A build removes the record of the sources that its output folder was built from, so a manual build is never
 * mistaken for that of other sources.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, quietEnv, rootDir } from "./prepare.mjs";

const SOURCES_FILE = ".built-from";
const SHARED_SOURCES = ["package.json", "pnpm-lock.yaml"];

const outputs = {
  server: {
    folder: "packages/api-rest/dist",
    sources: [
      "packages/api-rest/src",
      "packages/api-rest/scripts/build.mjs",
      "packages/backup/src",
      "packages/object-store/src",
      "packages/hooks-cli/src",
      "packages/markdown/src",
      "packages/api-v1/src",
      "packages/core/src",
      "packages/db/src",
      "packages/db/prisma",
      "docs/openapi.json",
      "docs/openapi.v1.json",
      "docs/asyncapi.json",
    ],
    cwd: "packages/api-rest",
    program: [process.execPath, "scripts/build.mjs"],
  },
  dashboard: {
    folder: "packages/web/dist",
    sources: [
      "packages/markdown/src",
      ...["src", "build", "public", "index.html", "diagram.html", "vite.config.ts"].map(
        (name) => `packages/web/${name}`,
      ),
    ],
    cwd: "packages/web",
    program: ["node_modules/.bin/vite", "build", "--logLevel", "warn"],
  },
  hooks: {
    folder: "packages/hooks-cli/dist",
    sources: [
      "packages/core/src",
      ...["src", "scripts", "assets", "schema", "package.json", "README.md"].map(
        (name) => `packages/hooks-cli/${name}`,
      ),
    ],
    cwd: "packages/hooks-cli",
    program: [process.execPath, "scripts/build.mjs"],
  },
};

for (const name of process.argv.slice(2)) ensureBuilt(name);

function ensureBuilt(name) {
  const { folder, sources, cwd, program } = outputs[name];
  const record = join(rootDir, folder, SOURCES_FILE);
  const digest = digestOf([...SHARED_SOURCES, ...sources]);
  if (existsSync(record) && readFileSync(record, "utf8") === digest) return;
  const [command, ...args] = program;
  // Tests run in a different environment from the one that users build in.
  const env = { ...quietEnv, NODE_ENV: "production" };
  const { status } = spawnSync(command, args, { cwd: join(rootDir, cwd), stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
  // If a source has been edited in the meantime, the next run builds again.
  writeFileSync(record, digest);
}
