import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeUsageTranscripts } from "./usage-transcripts.ts";
import { startWorkspaceServer } from "./workspace-server.ts";

const PROGRAM = join(import.meta.dirname, "../dist/workspace-hooks.cjs");
const CCUSAGE = "ccusage@17.2.1";
const CCUSAGE_CODEX = "@ccusage/codex@17.0.3";
/** Of what is compared, in dollars: less than a rounding of each response makes. */
const COST_TOLERANCE = 1e-4;

/** What a model has used; input, cache writes and cache reads are disjoint. Without a price, the cost is undefined. */
interface Use {
  readonly input: number;
  readonly output: number;
  readonly written: number;
  readonly read: number;
  readonly costUsd: number | undefined;
}
const NOTHING = { input: 0, output: 0, written: 0, read: 0 };
const ALL_OF_CODEX = "all of Codex";
type UseByModel = ReadonlyMap<string, Use>;

/** Untyped: what other programs print. */
type Json = any;

/**
 * Compares tokens and cost of the same transcripts, as the server records them and as ccusage 17 counts them:
 * `--home <folder>` for those in a home, otherwise for transcripts in all shapes, written for this. Installs ccusage from npm,
 * into `--cache <folder>` if that is given. Ends with 1 if anything differs.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { home: { type: "string", multiple: true }, cache: { type: "string" } } });
  const folder = mkdtempSync(join(tmpdir(), "workspace-usage-"));
  try {
    const bin = installCcusage(values.cache ?? join(folder, "packages"));
    let homes = values.home;
    if (homes === undefined) {
      homes = [join(folder, "home")];
      writeUsageTranscripts(join(folder, "home"), new Date());
    }
    let isEqual = true;
    for (const [index, home] of homes.entries()) {
      process.stdout.write(`${home}\n`);
      const recorded = await recordedUse(home, join(folder, String(index)));
      const codex = codexUse(bin, home);
      const costs = [...codex.byModel.keys()].map((model) => recorded.get(model)?.costUsd);
      const all = { ...NOTHING, costUsd: costs.reduce(sum, 0) };
      isEqual =
        compare(
          new Map([...recorded, [ALL_OF_CODEX, all]]),
          new Map([...claudeUse(bin, home), ...codex.byModel, [ALL_OF_CODEX, { ...NOTHING, costUsd: codex.costUsd }]]),
        ) && isEqual;
    }
    return isEqual ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installCcusage(packages: string): string {
  mkdirSync(packages, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--prefix", packages];
  execFileSync("npm", ["install", ...options, CCUSAGE, CCUSAGE_CODEX], { cwd: packages, stdio: "inherit" });
  return join(packages, "node_modules/.bin");
}

/** Imports the transcripts of a home into a new server, and reads what that has recorded. */
async function recordedUse(home: string, folder: string): Promise<UseByModel> {
  const hooksHome = join(folder, "hooks");
  mkdirSync(hooksHome, { recursive: true });
  const server = await startWorkspaceServer(join(folder, "data"), {});
  try {
    const { data } = await server.api("POST", "/api/api-keys", { name: "hooks", scopes: ["hooks"] });
    writeFileSync(join(hooksHome, "config.json"), JSON.stringify({ version: 1, server: server.url, key: data.key }));
    const env = { PATH: process.env["PATH"], HOME: home, WORKSPACE_HOOKS_HOME: hooksHome };
    execFileSync(process.execPath, [PROGRAM, "import"], { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
    const stats = await server.api("GET", "/api/hooks/assistant-usage/stats?period=30d");
    return new Map(
      stats.data.byModel.map((row: Json): [string, Use] => [
        String(row.model),
        {
          input: row.inputTokens,
          output: row.outputTokens,
          written: row.cacheCreationInputTokens,
          read: row.cacheReadInputTokens,
          costUsd: row.costUsd ?? undefined,
        },
      ]),
    );
  } finally {
    await server.close();
  }
}

function claudeUse(bin: string, home: string): UseByModel {
  const uses = new Map<string, Use>();
  if (!existsSync(join(home, ".claude/projects"))) return uses;
  const report = printed(join(bin, "ccusage"), ["daily", "--json", "--breakdown", "--offline"], home);
  for (const { modelBreakdowns } of report?.daily ?? [])
    for (const row of modelBreakdowns) {
      const [input, output, written, read] = [
        row.inputTokens,
        row.outputTokens,
        row.cacheCreationTokens,
        row.cacheReadTokens,
      ];
      if (input + output + written + read > 0)
        add(uses, row.modelName, { input, output, written, read, costUsd: row.cost > 0 ? row.cost : undefined });
    }
  return uses;
}

/** Its report has the cost of all models together. */
function codexUse(bin: string, home: string): { readonly byModel: UseByModel; readonly costUsd: number } {
  const uses = new Map<string, Use>();
  const report = printed(join(bin, "ccusage-codex"), ["daily", "--json", "--offline"], home);
  for (const { models } of report?.daily ?? [])
    for (const [name, { inputTokens, cachedInputTokens, outputTokens }] of Object.entries<Json>(models))
      add(uses, name, {
        input: inputTokens - cachedInputTokens,
        output: outputTokens,
        written: 0,
        read: cachedInputTokens,
        costUsd: undefined,
      });
  return { byModel: uses, costUsd: report?.totals?.costUSD ?? 0 };
}

function printed(program: string, args: readonly string[], home: string): Json {
  const env = { PATH: process.env["PATH"], HOME: home, LOG_LEVEL: "0", TZ: "UTC" };
  const text = execFileSync(program, args, {
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return text.trim().startsWith("{") ? JSON.parse(text) : undefined;
}

function add(uses: Map<string, Use>, model: string, more: Use): void {
  const known = uses.get(model);
  uses.set(model, {
    input: (known?.input ?? 0) + more.input,
    output: (known?.output ?? 0) + more.output,
    written: (known?.written ?? 0) + more.written,
    read: (known?.read ?? 0) + more.read,
    costUsd: known === undefined ? more.costUsd : sum(known.costUsd, more.costUsd),
  });
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

/** Prints what each has of each model, and whether all is equal that ccusage has. */
function compare(recorded: UseByModel, counted: UseByModel): boolean {
  const models = [...new Set([...recorded.keys(), ...counted.keys()])].toSorted();
  let isEqual = true;
  for (const model of models) {
    const [own, other] = [recorded.get(model), counted.get(model)];
    const tokens = (["input", "output", "written", "read"] as const).filter((kind) => own?.[kind] !== other?.[kind]);
    const difference = (own?.costUsd ?? 0) - (other?.costUsd ?? 0);
    const isCostEqual = other?.costUsd === undefined || Math.abs(difference) < COST_TOLERANCE;
    const shown = (use: Use | undefined): string =>
      use === undefined
        ? "nothing"
        : `${use.input} in, ${use.output} out, ${use.written} written, ${use.read} read, ${use.costUsd?.toFixed(6) ?? "no price"}`;
    const verdict = tokens.length > 0 ? `differs in ${tokens.join(", ")}` : isCostEqual ? "equal" : "cost differs";
    process.stdout.write(`${model}: ${verdict}\n  recorded  ${shown(own)}\n  ccusage   ${shown(other)}\n`);
    if (verdict !== "equal") isEqual = false;
  }
  return isEqual;
}

process.exitCode = await main();
