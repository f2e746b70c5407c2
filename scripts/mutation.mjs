/**
 * `npm run mutation`: injects small faults into critical code, one at a time, and counts those that its tests detect. `npm
 * run mutation -- "secret box"` does it for one area, and shows the undetected faults. Stryker is installed on the first
 * run, so that ordinary installs do not need it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, quietEnv, rootDir } from "./prepare.mjs";

const GOAL_PERCENT = 80;
const STRYKER_VERSION = "9.6.1";
const strykerDir = join(rootDir, "node_modules/.workspace", `stryker-${STRYKER_VERSION}`);

const core = "packages/core/src";
const database = "packages/core/testing/set-up.ts";
const policy = "packages/hooks-cli/src/policy";

/** The files to mutate, the tests that must detect the faults, and the setup that these need. */
const areas = [
  {
    name: "vault path",
    files: [`${core}/knowledge/vault/{vault-path,directory,shared-directories}.ts`],
    tests: [`${core}/knowledge/vault/{vault-path,directory,shared-directories,containment}.test.ts`],
  },
  {
    name: "file writes",
    files: [
      `${core}/knowledge/vault/{durable-write,file-slot,new-file}.ts`,
      `${core}/knowledge/file-records/{file-writer,known-files}.ts`,
    ],
    tests: [
      `${core}/knowledge/vault/{file-slot,new-file,durable-write.faults}.test.ts`,
      `${core}/knowledge/file-records/file-writer.test.ts`,
      `${core}/knowledge/documents/documents.test.ts`,
    ],
    setup: database,
  },
  {
    name: "secret box",
    files: [`${core}/access/secrets/secret-box.ts`],
    tests: [`${core}/access/secrets/secret-box.test.ts`],
  },
  {
    name: "frontmatter",
    files: [`${core}/knowledge/markdown/{frontmatter,frontmatter-edit}.ts`],
    tests: [`${core}/knowledge/markdown/{frontmatter,frontmatter-edit}.test.ts`],
  },
  {
    name: "scheduler: times",
    files: [`${core}/models/agents/{cron-schedule,missed-ticks}.ts`],
    tests: [`${core}/models/agents/{cron-schedule,missed-ticks}.test.ts`],
  },
  {
    name: "scheduler: ticks",
    files: [`${core}/models/agents/{tick-claim,tick-catch-up,agent-tick.queries}.ts`],
    tests: [`${core}/models/agents/agent-ticks.test.ts`],
    setup: database,
  },
  {
    name: "policy",
    files: [`${policy}/**/!(*.test).ts`],
    tests: [`${policy}/**/*.test.ts`],
  },
];

prepare();
process.chdir(rootDir);
const Stryker = await loadStryker();
const wanted = process.argv.slice(2);
const scores = {};
for (const area of areas.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  scores[area.name] = score(await mutate(area));
}
console.table(scores);
process.exitCode = Object.values(scores).every(({ percent }) => percent >= GOAL_PERCENT) ? 0 : 1;

async function loadStryker() {
  if (!existsSync(join(strykerDir, "node_modules"))) {
    const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${STRYKER_VERSION}`);
    // Its peer dependency vitest is the workspace's own.
    const options = ["--prefix", strykerDir, "--legacy-peer-deps", "--no-audit", "--no-fund"];
    const { status } = spawnSync("npm", ["install", ...options, ...packages], { stdio: "inherit", env: quietEnv });
    if (status !== 0) process.exit(status ?? 1);
  }
  const { resolve } = createRequire(join(strykerDir, "package.json"));
  const { Stryker } = await import(pathToFileURL(resolve("@stryker-mutator/core")).href);
  return Stryker;
}

/** Returns every mutant with its status. The faults are made in a copy of the workspace. */
async function mutate({ files, tests, setup = "" }) {
  process.env.MUTATION_TESTS = tests.join(" ");
  process.env.MUTATION_SETUP = setup;
  const tempDirName = mkdtempSync(join(tmpdir(), "workspace-mutation-"));
  const stryker = new Stryker({
    mutate: files,
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation.vitest.config.mjs", related: false },
    coverageAnalysis: "perTest",
    concurrency: 1,
    ignorePatterns: ["/data", "dist"],
    reporters: wanted.length === 0 ? ["progress"] : ["progress", "clear-text"],
    logLevel: "warn",
    tempDirName,
  });
  try {
    return await stryker.runMutationTest();
  } finally {
    rmSync(tempDirName, { recursive: true, force: true });
  }
}

function score(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const survived = count("Survived", "NoCoverage");
  return { mutants: killed + survived, killed, percent: Math.floor((100 * killed) / (killed + survived)) };
}
