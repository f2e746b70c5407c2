/** `npm test`: installs what is needed, builds it, runs all checks and tests, and ends with a one-line summary. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { installDependencies, PNPM, quietEnv, rootDir, runPnpm } from "./prepare.mjs";

installDependencies();
runPnpm(["exec", "turbo", "run", "generate", "--output-logs=errors-only"]);

const pnpm = ["--yes", PNPM, "--silent"];
const bin = (name) => join(rootDir, "node_modules/.bin", name);

/**
 * The linter's type checker is a Go program that lives for a minute: a quarter of its processor time goes into collecting garbage. It
 * needs 4 GB at least, so it does without up to half of the memory of a machine that has plenty.
 */
const PLENTY_BYTES = 15 * 1024 ** 3;
const withoutCollection =
  totalmem() < PLENTY_BYTES ? {} : { GOGC: "off", GOMEMLIMIT: String(Math.floor(totalmem() / 2)) };

/** Checks that consist of one command; each counts as one test. */
const checks = [
  // What the tests run; they would otherwise build it while the other core is idle.
  { name: "build", program: process.execPath, args: ["scripts/ensure-built.mjs", "server", "dashboard", "hooks"] },
  // Both in one pass, so that each package is read once; an edit is checked by `typecheck`, from its cache.
  {
    name: "types and lint",
    program: bin("oxlint"),
    args: ["--type-aware", "--type-check", "--deny-warnings"],
    env: withoutCollection,
  },
  { name: "formatting", program: bin("prettier"), args: ["--check", "--cache", "."] },
  { name: "workspace manifests", program: bin("sherif"), args: [] },
  {
    name: "migrations match the schema",
    program: "npx",
    args: [...pnpm, "--filter", "@workspace/db", "migration", "check"],
  },
  {
    name: "OpenAPI and AsyncAPI documents match the code",
    program: "npx",
    args: [...pnpm, "--filter", "@workspace/api-rest", "openapi", "--check"],
  },
  {
    name: "OpenAPI documents are valid",
    program: "npx",
    args: [
      ...pnpm,
      "--filter",
      "@workspace/api-rest",
      "exec",
      "redocly",
      "lint",
      "../../docs/openapi.json",
      "../../docs/openapi.v1.json",
    ],
  },
];

let passed = 0;
let failed = 0;
const failures = [];
/** Tests that failed once and then passed. */
let unsteady = [];

const remaining = checks.values();
await Promise.all(Array.from({ length: availableParallelism() }, runRemainingChecks));

/** Runs the checks that have not been started yet, one after the other. */
async function runRemainingChecks() {
  for (const { name, program, args, env } of remaining) {
    const { status, output } = await runProgram(program, args, env);
    process.stdout.write(`${status === 0 ? "✓" : "✗"} ${name}\n`);
    if (status === 0) {
      passed += 1;
      continue;
    }
    failed += 1;
    failures.push(name);
    process.stdout.write(`${output}\n`);
  }
}

/** The first lines of an error, without its stack. */
function reasonOf(message) {
  const lines = message.split("\n");
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  return lines.slice(0, stack === -1 ? 5 : Math.min(stack, 5)).join("\n  ");
}

/** Resolves to the exit status, which is null if a signal ended the process, and all output. */
function runProgram(program, args, env) {
  const child = spawn(program, args, { cwd: rootDir, env: { ...quietEnv, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output }));
  });
}

const reportDir = mkdtempSync(join(tmpdir(), "workspace-tests-"));
const reportFile = join(reportDir, "report.json");
const vitest = spawnSync(
  join(rootDir, "node_modules/.bin/vitest"),
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`, ...process.argv.slice(2)],
  { cwd: rootDir, stdio: ["ignore", "inherit", "inherit"] },
);
try {
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // A file that failed to load contains no failed test, but is a failure nevertheless.
  failed += report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  unsteady = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => `${fullName}\n  ${reasonOf(failureMessages[0])}`),
  );
} catch (error) {
  failed += 1;
  failures.push(`the test run itself: ${String(error)}`);
} finally {
  rmSync(reportDir, { recursive: true, force: true });
}
if (vitest.status !== 0 && failed === 0) failed += 1;
if (failures.length > 0) process.stdout.write(`\nFailed checks: ${failures.join(", ")}\n`);
if (unsteady.length > 0) process.stdout.write(`\nPassed at the second attempt only:\n${unsteady.join("\n")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
