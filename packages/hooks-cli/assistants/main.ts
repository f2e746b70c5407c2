import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startModelDouble } from "../../core/testing/model-double.ts";
import { installRelease } from "./install-release.ts";
import { RELEASES, type Release } from "./releases.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { CHECKS, LEARNT, type TrialResult, tryRelease } from "./trial.ts";
import { startWorkspaceServer } from "./workspace-server.ts";

const README = join(import.meta.dirname, "../README.md");
const TABLE = /(<!-- assistants -->\n)[\s\S]*?(<!-- \/assistants -->)/;
/** As long as a large model takes for a session; nobody may wait for it, or hear of it. */
const LEARNING_MS = 9_000;

/**
 * Installs releases of assistants from npm, runs each in an empty home against a scripted model and a real server, and prints
 * what works. `--only codex` runs some, `--write` updates the table in the README, `--cache <folder>` keeps what was installed.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      cache: { type: "string" },
      write: { type: "boolean" },
      keep: { type: "boolean" },
    },
  });
  const chosen = RELEASES.filter(
    ({ harness, version }) =>
      values.only === undefined || [harness, version].some((name) => values.only?.split(",").includes(name)),
  );
  const folder = mkdtempSync(join(tmpdir(), "workspace-assistants-"));
  const packages = values.cache ?? join(folder, "packages");
  const model = await startScriptedModel();
  const learner = await startModelDouble();
  learner.replyAlways({ text: JSON.stringify({ memories: [{ ...LEARNT, relevance: 0.9 }] }), delayMs: LEARNING_MS });
  const dataDir = join(folder, "data");
  const server = await startWorkspaceServer(dataDir, {
    OPENAI_API_KEY: "made-up",
    OPENAI_BASE_URL: learner.baseUrl,
    OPENAI_MODEL: "gpt-4.1",
    TRANSCRIPT_ROOTS: folder,
    LOG_LEVEL: "trace",
  });
  const rows: (readonly [Release, TrialResult])[] = [];
  try {
    const { data: key } = await server.api("POST", "/api/api-keys", { name: "MCP", scopes: ["memory:read"] });
    for (const release of chosen) {
      const installed = installRelease(release, packages);
      const home = join(folder, `${release.harness}-${release.version}`);
      mkdirSync(home);
      const result = await tryRelease(release, { model, server, dataDir, mcpKey: key.key, installed, home });
      rows.push([release, result]);
      for (const [name, failure] of result)
        process.stdout.write(
          `${failure === undefined ? "✓" : "✗"} ${release.title} ${release.version}, ${name}${failure === undefined ? "" : `: ${failure}`}\n`,
        );
    }
  } finally {
    await server.close();
    await learner.close();
    await model.close();
    if (values.keep === true) process.stdout.write(`Kept: ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true });
  }
  const table = toTable(rows);
  process.stdout.write(`\n${table}\n`);
  const today = new Date().toISOString().slice(0, 10);
  if (values.write === true)
    writeFileSync(
      README,
      readFileSync(README, "utf8").replace(
        TABLE,
        (_all, open, close) => `${open}\nOn ${today}:\n\n${table}\n\n${close}`,
      ),
    );
  return rows.every(([, result]) => [...result.values()].every((failure) => failure === undefined)) ? 0 : 1;
}

function toTable(rows: readonly (readonly [Release, TrialResult])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["release", ...CHECKS]),
    line(["release", ...CHECKS].map((name) => "-".repeat(Math.max(3, name.length)))),
    ...rows.map(([{ title, version }, result]) =>
      line([`${title} ${version}`, ...CHECKS.map((name) => (result.get(name) === undefined ? "✓" : "–"))]),
    ),
  ].join("\n");
}

process.exitCode = await main();
