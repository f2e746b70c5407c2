import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { childrenCpuMs } from "../tests/support/children-cpu.ts";
import { installRelease } from "./install-release.ts";
import { RELEASES, type Release } from "./releases.ts";
import { type ModelRequest, type ModelStep, startScriptedModel } from "./scripted-model.ts";
import { run } from "./trial.ts";
import { API_TOKEN, startWorkspaceServer } from "./workspace-server.ts";

const PROGRAM = join(import.meta.dirname, "../dist/workspace-hooks.cjs");
const MCP_KEY = "unused";
/** The first calls of a session are slower in any case. */
const WARM_UP = 4;

/** So many memories about other files the project has: the hooks look for the names of these in each call. */
const MEMORIES = 30;

/** The hooks of a session: none, or installed with everything on, without rules or with those of a pack. */
const SETUPS = ["no hooks", "no rules", "safe pack"] as const;
/** As many hooks of tools, which do nothing: what the assistant itself takes for them. */
const FLOOR = "exit 0";
type Setup = (typeof SETUPS)[number] | typeof FLOOR;

/** By kind of tool, how long each call took from one request to the model until the next; and by session, its processor time. */
type Times = Map<string, number[]>;
const CPU = "processor";

/**
 * Measures what the hooks add to a call in real assistants: sessions without hooks and with them take turns, each with the same
 * calls. Also the processor time of a session and of all that it waits for, by call, which a busy machine does not change.
 * `--only claude-code`, `--calls 100`, `--rounds 2`, `--cache <folder>`; `--floor` adds sessions whose hooks before and after tools
 * only exit; `--program <file>` measures another build.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: "claude-code" },
      calls: { type: "string", default: "100" },
      rounds: { type: "string", default: "2" },
      cache: { type: "string" },
      program: { type: "string", default: PROGRAM },
      floor: { type: "boolean", default: false },
    },
  });
  const setups: readonly Setup[] = values.floor ? [...SETUPS, FLOOR] : SETUPS;
  const folder = mkdtempSync(join(tmpdir(), "workspace-call-cost-"));
  const model = await startScriptedModel();
  const server = await startWorkspaceServer(join(folder, "data"), {});
  try {
    for (const release of RELEASES.filter(({ harness, version }) => [harness, version].includes(values.only))) {
      const installed = installRelease(release, values.cache ?? join(folder, "packages"));
      const results = new Map<Setup, Times>(setups.map((setup) => [setup, new Map()]));
      const homes = new Map(
        setups.map((setup) => [setup, join(folder, `${release.version}-${setup.replace(" ", "-")}`)]),
      );
      for (const [setup, home] of homes) await prepare(release, setup, { home, program: values.program, installed });
      for (let round = 0; round < Number(values.rounds); round += 1)
        for (const [setup, home] of homes) await session(release, home, results.get(setup) ?? new Map());
      report(release, results);
    }

    async function prepare(release: Release, setup: Setup, { home, program, installed }: Place): Promise<void> {
      mkdirSync(join(home, "project"), { recursive: true });
      const project = realpathSync(join(home, "project"));
      release.configure({ home, project, modelUrl: model.url, mcpUrl: `${server.url}/mcp`, mcpKey: MCP_KEY });
      rmSync(join(project, ".mcp.json"), { force: true });
      for (const [file, settings] of Object.entries(SETTINGS[release.harness] ?? {}))
        addSettings(join(home, file), settings);
      writeFileSync(join(project, "a.txt"), "0\n");
      if (setup === "no hooks") return;
      const env = { PATH: `${join(installed, "node_modules/.bin")}:${process.env["PATH"]}`, HOME: home };
      const install = ["install", "--server", server.url, "--api-token", API_TOKEN, "--for", release.harness];
      execFileSync(process.execPath, [program, ...install], { cwd: project, env });
      if (setup === FLOOR) emptyHooks(release, home);
      const policy = { version: 1, ...(setup === "safe pack" && { packs: ["safe"] }) };
      writeFileSync(join(home, ".workspace-hooks/policy.json"), JSON.stringify(policy));
      for (let index = 0; index < MEMORIES; index += 1) {
        const content = `The tests of src/part-${index}.ts need the fixtures of tests/part-${index}.json.`;
        await server.api("POST", "/api/memory/store", { content, chunkType: "fact", projectPath: project });
      }
    }

    async function session(release: Release, home: string, times: Times): Promise<void> {
      const project = realpathSync(join(home, "project"));
      const starts: { readonly kind: string; readonly at: number }[] = [];
      model.script((request) => {
        const step = nextStep(request, project, Number(values.calls));
        starts.push({ kind: step.kind === "call" ? step.tool.name : "", at: performance.now() });
        return step;
      });
      const bin = join(
        values.cache ?? join(folder, "packages"),
        `${release.harness}-${release.version}`,
        "node_modules/.bin",
      );
      const surroundings = { home, project, modelUrl: model.url, mcpUrl: "", mcpKey: "" };
      const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: home, TERM: "dumb", ...release.env(surroundings) };
      const cpuBeforeMs = childrenCpuMs();
      const { output } = await run(join(bin, release.command), release.args("Go"), { cwd: project, env });
      times.set(CPU, [...(times.get(CPU) ?? []), (childrenCpuMs() - cpuBeforeMs) / Number(values.calls)]);
      if (starts.length <= Number(values.calls))
        throw new Error(`Only ${starts.length} requests: ${output.slice(-500)}`);
      for (const [index, { kind, at }] of starts.slice(0, -1).entries()) {
        if (index < WARM_UP || kind === "") continue;
        times.set(kind, [...(times.get(kind) ?? []), (starts[index + 1]?.at ?? at) - at]);
      }
    }
  } finally {
    await server.close();
    await model.close();
    // A helper may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

interface Place {
  readonly home: string;
  readonly program: string;
  readonly installed: string;
}

/** What a session of nothing but calls needs, by file. */
const SETTINGS: Readonly<Partial<Record<Release["harness"], Readonly<Record<string, object>>>>> = {
  "claude-code": { ".claude/settings.json": { permissions: { allow: ["Bash(*)", "Read", "Edit"] } } },
  // It asks the model after 30 calls whether they get anywhere, and ends the session if it does not say so.
  "gemini-cli": { ".gemini/settings.json": { model: { disableLoopDetection: true } } },
};

function addSettings(file: string, settings: object): void {
  const text: unknown = JSON.parse(readFileSync(file, "utf8"));
  const all = typeof text === "object" && text !== null ? text : {};
  writeFileSync(file, JSON.stringify({ ...all, ...settings }));
}

/** Leaves hooks before and after tools that do nothing. */
function emptyHooks({ harness }: Release, home: string): void {
  const files: Readonly<Partial<Record<Release["harness"], string>>> = {
    "claude-code": ".claude/settings.json",
    codex: ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
  };
  const name = files[harness];
  if (name === undefined) throw new Error("This assistant runs no commands as hooks.");
  const file = join(home, name);
  const { hooks, ...others } = JSON.parse(readFileSync(file, "utf8"));
  for (const event of Object.keys(hooks).filter((each) => each.includes("Tool")))
    for (const { hooks: commands } of hooks[event]) for (const each of commands) each.command = FLOOR;
  writeFileSync(file, JSON.stringify({ ...others, hooks }));
}

/** Reads a file, changes it and runs a command in turn, as far as the assistant has tools for that; then it is over. */
function nextStep({ tools, calledTools }: ModelRequest, project: string, calls: number): ModelStep {
  if (calledTools >= calls) return { kind: "say", text: "Done." };
  const find = (pattern: RegExp) => tools.find(({ name }) => pattern.test(name));
  const shell = find(/^(?:bash|run_shell_command|exec_command|shell_command)$/i);
  const [read, edit] = [find(/^(?:read|read_file)$/i), find(/^(?:edit|replace)$/i)];
  const isSnake = read?.parameters.includes("file_path") !== false;
  const name = (snake: string, camel: string): string => (isSnake ? snake : camel);
  const file = { [name("file_path", "filePath")]: join(project, "a.txt") };
  const turn = calledTools % 3;
  if (read !== undefined && turn === 0) return { kind: "call", tool: read, input: file };
  if (edit !== undefined && turn === 1) {
    const [before, after] = calledTools % 2 === 0 ? ["1", "0"] : ["0", "1"];
    const change = { [name("old_string", "oldString")]: before, [name("new_string", "newString")]: after };
    const reason = edit.parameters.includes("instruction") ? { instruction: "Change the number" } : {};
    return { kind: "call", tool: edit, input: { ...file, ...change, ...reason } };
  }
  if (shell === undefined) throw new Error("The assistant has no shell.");
  const key = shell.parameters.includes("cmd") ? "cmd" : "command";
  const description = shell.parameters.includes("description") ? { description: "A step" } : {};
  // Never the same twice: Gemini CLI ends a session that repeats itself.
  return { kind: "call", tool: shell, input: { [key]: `touch -d @${calledTools} b.txt`, ...description } };
}

function report(release: Release, results: ReadonlyMap<Setup, Times>): void {
  process.stdout.write(`${release.title} ${release.version}, load ${loadavg()[0]?.toFixed(1)}\n`);
  const middle = (numbers: readonly number[], share: number): number =>
    numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? Number.NaN;
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  for (const [setup, times] of results) {
    const kinds = [...times].filter(([kind]) => kind !== CPU);
    const all = ["all", kinds.flatMap(([, each]) => each)] as const;
    const cells = [...kinds, all, [CPU, times.get(CPU) ?? []] as const].map(
      ([kind, each]) => `${kind} p50 ${middle(each, 0.5).toFixed(1)} mean ${mean(each).toFixed(1)}`,
    );
    process.stdout.write(`${setup.padEnd(10)} ${cells.join(" | ")} ms\n`);
  }
}

await main();
