/**
 * What a hook costs compared with `node -e 0` and with `sh` and `curl`, with the server up, down and hanging, and with memories
 * for the prompt; all of it, or what has some words in its name:
 * `npm run bench -- hooks-cli-latency 60`, `npm run bench -- hooks-cli-latency 60 "memory, server up"`.
 */
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROGRAM, TemporaryHome, runProcess } from "../../packages/hooks-cli/tests/support/temporary-home.ts";
import { startService } from "./processes.ts";

const rounds = Number(process.argv[2] ?? 60);
const chosen = process.argv[3] ?? "";
const PORT = 4_741;
const HANGING_PORT = 4_742;
const TOKEN = "token-of-the-latency-bench-0123456789";
const PAYLOAD_BYTES = 8_000;
const MEMORY = "Tests run with vitest, one file at a time.";
const PROMPT = "How do I run the tests of a single file with vitest?";
const OTHER_MEMORIES = 500;

interface Variant {
  readonly name: string;
  /** Whether a helper goes on after the hook; it would slow down what is measured next. */
  readonly hasHelper?: boolean;
  run(): Promise<number>;
}

const HELPER_MS = 1_000;

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}

/** A prompt begins a turn, and a session that ends is not watched any more: calls are those in the middle of a turn. */
function sessionOf(event: string): string {
  return event === "PreToolUse" ? "calls" : event === "UserPromptSubmit" ? "prompts" : "others";
}

function payload(home: TemporaryHome, event: string, session: string): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: join(home.path, "none.jsonl"),
    cwd: home.project,
    hook_event_name: event,
    source: "startup",
    reason: "other",
    prompt: "Please look at this. ".repeat(PAYLOAD_BYTES / 21),
    tool_name: "Bash",
    tool_input: {
      command: `npm test -- ${"src/some/file.test.ts ".repeat(20)}`,
      description: "Please look at this. ".repeat(PAYLOAD_BYTES / 27),
    },
  });
}

function hook(name: string, home: TemporaryHome, event: string): Variant {
  const stdin = payload(home, event, sessionOf(event));
  return {
    name: `${event}, ${name}`,
    // A prompt right after another one records where the turn before it ended.
    hasHelper: event.startsWith("Session") || event === "UserPromptSubmit",
    async run() {
      const outcome = await runProcess(process.execPath, [installed(home), "run", event], {
        stdin,
        cwd: home.project,
        env: home.env,
      });
      if (outcome.exitCode !== 0) throw new Error(`${event}: exit code ${outcome.exitCode}`);
      return outcome.durationMs;
    },
  };
}

/** A call that may change files as the first one of its turn: it records the project, which is small. */
function firstOfTurn(home: TemporaryHome): Variant {
  let sessions = 0;
  return {
    name: "PreToolUse, first of a turn",
    hasHelper: true,
    async run() {
      sessions += 1;
      const outcome = await runProcess(process.execPath, [installed(home), "run", "PreToolUse"], {
        stdin: payload(home, "PreToolUse", `first-${sessions}`),
        cwd: home.project,
        env: home.env,
      });
      return outcome.durationMs;
    },
  };
}

/** A prompt for which there is a memory, each time in another session, which therefore does not have it yet. */
function promptWithMemory(name: string, home: TemporaryHome): Variant {
  let sessions = 0;
  return {
    name: `UserPromptSubmit, memory, ${name}`,
    async run() {
      sessions += 1;
      const outcome = await runProcess(process.execPath, [installed(home), "run", "UserPromptSubmit"], {
        stdin: JSON.stringify({ session_id: `bench-${sessions}`, cwd: home.project, prompt: PROMPT }),
        cwd: home.project,
        env: home.env,
      });
      if (!outcome.stdout.includes(MEMORY)) throw new Error(`${name}: output ${outcome.stdout}`);
      return outcome.durationMs;
    },
  };
}

/** The command that the assistant's settings call. */
function installed(home: TemporaryHome): string {
  return join(home.root, "bin/workspace-hooks.cjs");
}

async function homeWith(server: string, policy: object): Promise<TemporaryHome> {
  const home = new TemporaryHome();
  const { exitCode, stderr } = await home.run(["install", "--server", server, "--key", key]);
  if (exitCode !== 0) throw new Error(stderr);
  home.setPolicy(policy);
  return home;
}

/** A home with a copy of the project's memories, whose server was another one then. */
async function homeThatLost(server: string): Promise<TemporaryHome> {
  const home = await homeWith(url, POLICY);
  await home.run(["flush", "--background", "--project", home.project, "--folder", home.project]);
  home.configure(server);
  return home;
}

const USED = ["delete-outside-project", "write-outside-project", "read-env-files", "pipe-to-shell", "force-push-main"];
const POLICY = { version: 1, use: USED };
const MANY_RULES = {
  version: 1,
  rules: Array.from({ length: 500 }, (_, index) => ({
    id: `rule-${index}`,
    decision: "deny",
    when: { command: { program: `program-${index}`, matches: `--option-${index}=[a-z]+` } },
  })),
};

const dataDir = await mkdtemp(join(tmpdir(), "hooks-latency-"));
const service = await startService(dataDir, PORT, { SERVICE_API_TOKEN: TOKEN });
const hanging = createServer(() => undefined).listen(HANGING_PORT, "127.0.0.1");
await once(hanging, "listening");
const url = `http://localhost:${PORT}`;
const made = await fetch(`${url}/api/api-keys`, {
  method: "POST",
  headers: { "X-API-Token": TOKEN, "Content-Type": "application/json" },
  body: JSON.stringify({ name: "bench", scopes: ["hooks"] }),
});
const { key } = ((await made.json()) as { data: { key: string } }).data;
const up = await homeWith(url, POLICY);
const withoutRules = await homeWith(url, { version: 1 });
const withManyRules = await homeWith(url, MANY_RULES);
const others = Array.from({ length: OTHER_MEMORIES }, (_, at) => `Step ${at} of the release takes ${at} minutes.`);
for (const content of [MEMORY, ...others]) {
  await fetch(`${url}/api/memory/store`, {
    method: "POST",
    headers: { "X-API-Token": TOKEN, "Content-Type": "application/json" },
    body: JSON.stringify({ content, chunkType: "fact" }),
  });
}
const down = await homeThatLost("http://localhost:9");
const stuck = await homeThatLost(`http://localhost:${HANGING_PORT}`);

const body = JSON.stringify({ eventType: "PreToolUse", eventData: { text: "x".repeat(PAYLOAD_BYTES) } });
const curl = `curl -s -o /dev/null -m 1 -X POST -H "X-API-Token: ${TOKEN}" -H "Content-Type: application/json" --data-binary @- ${url}/api/hooks/events`;
const plain = async (program: string, args: readonly string[], stdin = ""): Promise<number> =>
  (await runProcess(program, args, { stdin, cwd: up.project, env: up.env })).durationMs;
const node: Variant = { name: "node -e 0", run: () => plain(process.execPath, ["-e", "0"]) };
const variants: readonly Variant[] = [
  { name: "sh + curl, server up", run: () => plain("/bin/sh", ["-c", curl], body) },
  ...["PreToolUse", "UserPromptSubmit", "PostToolUse", "SessionStart", "SessionEnd"].flatMap((event) => [
    hook("server up", up, event),
    hook("server down", down, event),
    hook("server hanging", stuck, event),
  ]),
  promptWithMemory("server up", up),
  promptWithMemory("server down", down),
  promptWithMemory("server hanging", stuck),
  firstOfTurn(up),
  hook("no rules", withoutRules, "PreToolUse"),
  hook("500 rules", withManyRules, "PreToolUse"),
];

/** One variant in turn with bare Node, and not beside the helpers of others. */
async function compare({ name, hasHelper = false, run }: Variant): Promise<void> {
  await run();
  await sleep(HELPER_MS);
  const floors: number[] = [];
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await node.run());
    values.push(await run());
    if (hasHelper) await sleep(HELPER_MS);
  }
  const [floor, p50, p95] = [percentile(floors, 0.5), percentile(values, 0.5), percentile(values, 0.95)];
  const columns = { node: floor, p50, p95, "over node": p50 - floor };
  const shown = Object.entries(columns).map(([column, ms]) => `${column} ${ms.toFixed(1).padStart(6)}`);
  console.log(`${name.padEnd(40)} ${shown.join("  ")}`);
}

try {
  console.log(`${rounds} rounds, ms; bundle ${(await stat(PROGRAM)).size} bytes`);
  for (const variant of variants) if (variant.name.includes(chosen)) await compare(variant);
} finally {
  hanging.close();
  await service.close();
  for (const home of [up, down, stuck, withoutRules, withManyRules]) home.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
