/** `npm test`: installs and builds what is needed, then checks everything, and ends with one line that counts. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNPM, prepare, quietEnv, rootDir } from "./prepare.mjs";

prepare();

const pnpm = ["--yes", PNPM, "--silent"];
const bin = (name) => join(rootDir, "node_modules/.bin", name);

/** Checks that are one command each; each counts as one test. */
const checks = [
  { name: "types", program: "npx", args: [...pnpm, "run", "typecheck"] },
  { name: "lint", program: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { name: "formatting", program: bin("prettier"), args: ["--check", "."] },
  { name: "workspace manifests", program: bin("sherif"), args: [] },
  {
    name: "migrations match the schema",
    program: "npx",
    args: [...pnpm, "--filter", "@workspace/db", "migration", "check"],
  },
  {
    name: "OpenAPI documents match the code",
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

for (const { name, program, args } of checks) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: rootDir, encoding: "utf8", env: quietEnv });
  process.stdout.write(`${status === 0 ? "✓" : "✗"} ${name}\n`);
  if (status === 0) {
    passed += 1;
  } else {
    failed += 1;
    failures.push(name);
    process.stdout.write(`${stdout}${stderr}\n`);
  }
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
  // A file that could not even be loaded has no failed test in it, and is a failure all the same.
  failed += report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
} catch (error) {
  failed += 1;
  failures.push(`the test run itself: ${String(error)}`);
} finally {
  rmSync(reportDir, { recursive: true, force: true });
}
if (vitest.status !== 0 && failed === 0) failed += 1;
if (failures.length > 0) process.stdout.write(`\nFailed checks: ${failures.join(", ")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
