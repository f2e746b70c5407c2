import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Release, Surroundings } from "./releases.ts";
import { seedSecrets } from "./seeded-secrets.ts";
import { type ModelRequest, type ModelStep, type ScriptedModel, TOKENS } from "./scripted-model.ts";
import { API_TOKEN, type WorkspaceServer } from "./workspace-server.ts";

/** What is checked of each release; the columns of the table. */
export const CHECKS = [
  "install",
  "doctor",
  "events",
  "prompt",
  "memory",
  "block",
  "failure",
  "steering",
  "MCP",
  "secrets",
  "end",
  "learnt",
  "usage",
  "uninstall",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** Undefined if the check passed, else what was seen. */
export type TrialResult = ReadonlyMap<CheckName, string | undefined>;

export interface TrialDeps {
  readonly model: ScriptedModel;
  readonly server: WorkspaceServer;
  /** Where the server's data are. */
  readonly dataDir: string;
  readonly mcpKey: string;
  /** The folder in which the release is installed. */
  readonly installed: string;
  /** An empty folder that becomes the home. */
  readonly home: string;
}

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

const PROGRAM = join(import.meta.dirname, "../dist/workspace-hooks.cjs");
const RUN_LIMIT_MS = 120_000;
const EVENT_LIMIT_MS = 20_000;
const LEARNING_LIMIT_MS = 60_000;

const MEMORY = "Invoices go to customers as PDF, with the code word HERON-4711.";
const PROMPT = "Which format do the invoices of our customers have? Then run the steps.";
const FORBIDDEN = "workspace-forbidden";
const FAILING = "ls /no-such-folder-at-all";
const TOLD = "Count only the grey ones, PLOVER-2203.";
const HELD_BACK = "make it again if it is still right";
const SUBAGENT_TASK = "Count the herons on the roof.";
/** It comes back in a prompt, which the rule about prompts must not refuse. */
const SUBAGENT_RESULT = "There is one, HERON-0815.";
const LAST_WORDS = "Every step of the script is done, and pelicans nest on the roof.";

const POLICY = {
  version: 1,
  rules: [
    {
      id: "no-forbidden",
      decision: "deny",
      reason: "Forbidden in this trial.",
      when: { command: { program: [FORBIDDEN] } },
      examples: { match: [FORBIDDEN], pass: ["ls"] },
    },
    {
      // A person does not write it, the memory that the session is given does.
      id: "no-code-words",
      decision: "deny",
      reason: "Code words do not belong in a prompt.",
      when: { prompt: "HERON-[0-9]+" },
      examples: { match: ["HERON-1"], pass: ["a heron"] },
    },
  ],
};

/** What the server's own model learns from every transcript that holds the last words. */
export const LEARNT = { type: "fact", content: "Pelicans nest on the roof.", excerpt: "pelicans nest on the roof" };

/** Installs the hooks for one release, lets it run through the script, and checks what became of it. */
export async function tryRelease(release: Release, deps: TrialDeps): Promise<TrialResult> {
  const { model, server, home, mcpKey } = deps;
  const results = new Map<CheckName, string | undefined>();
  const check = (name: CheckName, failure: string | false | undefined): void =>
    void results.set(name, failure === false ? undefined : failure);
  mkdirSync(join(home, "project"), { recursive: true });
  const project = realpathSync(join(home, "project"));
  const surroundings: Surroundings = { home, project, modelUrl: model.url, mcpUrl: `${server.url}/mcp`, mcpKey };
  release.configure(surroundings);
  const bin = join(deps.installed, "node_modules/.bin");
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: home, TERM: "dumb", ...release.env(surroundings) };
  const hooks = (...args: string[]) => run(process.execPath, [PROGRAM, ...args], { cwd: project, env });

  const settings = settingsFile(release, home);
  const before = existsSync(settings) ? readFileSync(settings, "utf8") : undefined;
  const installed = await hooks("install", "--server", server.url, "--api-token", API_TOKEN, "--for", release.harness);
  check("install", (installed.exitCode !== 0 || !existsSync(settings)) && installed.output);
  writeFileSync(join(home, ".workspace-hooks/policy.json"), JSON.stringify(POLICY));
  allowTime(home);
  await server.api("POST", "/api/memory/store", { content: MEMORY, chunkType: "fact", projectPath: project });

  const secrets = await seedSecrets(server, { home, project });
  const commands = ["echo from-the-shell", FAILING, `${FORBIDDEN} --now`, secrets.command];
  let telling: Promise<void> | undefined;
  model.script(async (request) => {
    if (request.calledTools === 1) await (telling ??= tell(server, project, TOLD));
    // What was held back so that a message is read first is done again.
    const heldBack = JSON.stringify(request.body).split(HELD_BACK).length - 1;
    return followScript({ ...request, calledTools: request.calledTools - heldBack }, commands);
  });
  const ran = await run(join(bin, release.command), release.args(PROMPT), { cwd: project, env });
  const requests = [...model.requests];
  const [first, ...later] = requests.map(({ body }) => JSON.stringify(body));
  const isTold = later.some((body) => body.includes("Forbidden in this trial"));
  const events = await untilEnded(server, project);
  const eventsOf = (type: string): readonly Json[] => events.filter(({ eventType }) => eventType === type);

  const missing = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"].filter(
    (type) => eventsOf(type).length === 0,
  );
  check("events", missing.length > 0 && `no ${missing.join(", ")}; ${ran.output.slice(-300)}`);
  const prompts = eventsOf("UserPromptSubmit").map(({ eventData }) => String(eventData?.prompt));
  // opencode puts quotes around what it is given on its command line.
  const isOwn = prompts.length === 1 && prompts[0]?.replaceAll(/^"|"$/g, "") === PROMPT;
  check("prompt", !isOwn && `recorded: ${JSON.stringify(prompts)}`);
  check("memory", first?.includes("HERON-4711") !== true && "not in the first request to the model");
  // A call before which an assistant is told something is refused as well.
  const blocked = events.filter((event) => event.blocked === true && event.eventData?.steered === undefined);
  check(
    "block",
    (blocked.length !== 1 || !isTold) && `${blocked.length} blocked, the model was ${isTold ? "" : "not "}told`,
  );
  const failures = eventsOf("PostToolUseFailure").map(({ eventData }) => eventData?.toolInput?.command);
  check("failure", !failures.includes(FAILING) && `recorded: ${JSON.stringify(failures)}`);
  const told = later.filter((body) => body.includes(TOLD)).length;
  check("steering", told === 0 && `not in ${later.length} requests after it was sent`);
  check("MCP", !later.some((body) => body.includes("sourceExcerpt")) && "no result");
  const masked = later.at(-1)?.match(/\[secret TRIAL_/g)?.length ?? 0;
  const seen = {
    output: ran.output,
    "the server's log": server.log(),
    "requests to the model": JSON.stringify(requests.map(({ body }) => body)),
  };
  const leaks = [
    ...secrets.leaks({ ...seen, events: JSON.stringify(events) }, home),
    ...secrets.leaks({}, deps.dataDir),
  ];
  check(
    "secrets",
    (leaks.length > 0 || masked === 0) && `${masked} masked for the model; found in ${leaks.join(", ")}`,
  );
  check("end", eventsOf("SessionEnd").length !== 1 && `${eventsOf("SessionEnd").length} ends`);
  const learning = await learntFailure(server, project, events[0]?.sessionId);
  const problems = join(home, ".workspace-hooks/problems.log");
  check("learnt", learning ?? (existsSync(problems) && readFileSync(problems, "utf8")));
  check("usage", await usageFailure(server, project, requests.length));
  const doctor = await hooks("doctor", "--self-test");
  // Nobody has trusted Codex's hooks, which were run all the same; doctor has to find that out.
  const isTrue = release.harness === "codex" ? doctor.output.includes("enter /hooks") : doctor.exitCode === 0;
  const isProven =
    isTrue && !doctor.output.includes("not in the PATH") && (doctor.output.match(/^✗/gm) ?? []).length <= 1;
  check("doctor", !isProven && doctor.output);
  const removed = await hooks("uninstall", "--purge");
  const after = existsSync(settings) ? readFileSync(settings, "utf8") : undefined;
  const isRevoked = removed.output.includes("The key has been revoked");
  check("uninstall", (removed.exitCode !== 0 || before !== after || !isRevoked) && removed.output);
  return new Map(CHECKS.map((name) => [name, results.get(name)]));
}

/** Untyped: rows of the server, of which each check reads a part. */
type Json = any;

/**
 * Shell commands, of which one fails, one is refused, and one prints secrets, then a search through MCP, then a subagent in the background
 * where there are such, then the last words.
 */
function followScript({ body, tools, calledTools }: ModelRequest, commands: readonly string[]): ModelStep {
  if (JSON.stringify(body.messages?.[0] ?? null).includes(SUBAGENT_TASK)) return { kind: "say", text: SUBAGENT_RESULT };
  const shell = tools.find(({ name }) => /^(?:bash|run_shell_command|exec_command|shell_command)$/i.test(name));
  const search = tools.find(({ name }) => /memory.search$/.test(name));
  const command = commands[calledTools];
  if (shell !== undefined && command !== undefined) {
    const key = shell.parameters.includes("cmd") ? "cmd" : "command";
    const description = shell.parameters.includes("description") ? { description: "A step of the script" } : {};
    return { kind: "call", tool: shell, input: { [key]: command, ...description } };
  }
  if (search !== undefined && calledTools === commands.length)
    return { kind: "call", tool: search, input: { query: "invoices of customers" } };
  const agent = tools.find(
    ({ parameters }) => parameters.includes("run_in_background") && parameters.includes("subagent_type"),
  );
  if (agent !== undefined && calledTools === commands.length + 1) {
    const input = {
      description: "Count herons",
      prompt: SUBAGENT_TASK,
      subagent_type: "general-purpose",
      run_in_background: true,
    };
    return { kind: "call", tool: agent, input };
  }
  return { kind: "say", text: LAST_WORDS };
}

function settingsFile({ harness }: Release, home: string): string {
  const files: Readonly<Record<string, string>> = {
    "claude-code": ".claude/settings.json",
    codex: ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    opencode: ".config/opencode/plugins/workspace-hooks.js",
  };
  return join(home, files[harness] ?? "");
}

/** This machine may be busy, and the trial is not about speed. */
function allowTime(home: string): void {
  const file = join(home, ".workspace-hooks/config.json");
  const config: Json = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...config, contextDeadlineMs: 2_000 }));
}

/** As a person tells a running session something from the dashboard. */
async function tell(server: WorkspaceServer, project: string, text: string): Promise<void> {
  await until(async () => {
    const { data } = await server.api("GET", "/api/hooks/running-sessions");
    const session = data.find(({ projectDir }: Json) => projectDir === project);
    if (session === undefined) return false;
    const path = `/api/hooks/sessions/${encodeURIComponent(session.sessionId)}/instructions`;
    await server.asPerson("POST", path, { kind: "message", text });
    return true;
  });
}

/** The events of a project, once its session has ended or has had time for it. */
async function untilEnded(server: WorkspaceServer, project: string): Promise<readonly Json[]> {
  let events: readonly Json[] = [];
  await until(async () => {
    const { data } = await server.api("GET", "/api/hooks/events?limit=500");
    events = data.filter((event: Json) => event.projectDir === project);
    // What tools did may be sent after the end.
    const types = new Set(events.map(({ eventType }) => eventType));
    return types.has("SessionEnd") && types.has("PostToolUse") && types.has("PostToolUseFailure");
  });
  return events.toReversed();
}

async function learntFailure(
  server: WorkspaceServer,
  project: string,
  sessionId: unknown,
): Promise<string | undefined> {
  const isLearnt = await until(async () => {
    const { data } = await server.api("GET", `/api/memory/project?project=${encodeURIComponent(project)}&limit=100`);
    return data.some(({ content }: Json) => content === LEARNT.content);
  }, LEARNING_LIMIT_MS);
  if (isLearnt) return undefined;
  const kept = await server.api("GET", `/api/hooks/sessions/${String(sessionId)}/transcript`).then(
    ({ data }) => `${data.turnCount} turns`,
    () => "no turns",
  );
  return `nothing was learnt; ${kept} are kept`;
}

/** Whether what the assistant has used is recorded: of each request, what the model reported. */
async function usageFailure(server: WorkspaceServer, project: string, requests: number): Promise<string | undefined> {
  let found: Json;
  const isRecorded = await until(async () => {
    const { data } = await server.api("GET", "/api/hooks/assistant-usage/stats?period=24h");
    found = data.byProject.find(({ projectPath }: Json) => projectPath === project);
    return found?.totalTokens === requests * (TOKENS.input + TOKENS.output) && found.costUsd > 0;
  });
  return isRecorded ? undefined : `recorded: ${JSON.stringify(found)}; requests: ${requests}`;
}

async function until(isMet: () => Promise<boolean>, limitMs = EVENT_LIMIT_MS): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (await isMet()) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a program with nothing on its standard input, and ends it with all that it started if it takes too long. */
export async function run(program: string, args: readonly string[], { cwd, env }: RunOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let output = "";
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), RUN_LIMIT_MS);
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("exit", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, output });
    });
  });
}
