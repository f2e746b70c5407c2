import * as fs from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import type { Home } from "../files/home.ts";
import { type JsonRecord, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { isAsExpected, promptOf, toolOf, tryRule } from "../policy/fire-rules.ts";
import type { Rule, RuleExample } from "../policy/policy.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { findEntries } from "../settings/hook-entries.ts";
import { knownRequests } from "./targets.ts";
import type { Check } from "./doctor.ts";

const DEADLINE_MS = 10_000;

interface Answer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Fires every rule: its examples here, and one through the very command that stands in the assistant's settings, with the
 * very input that the assistant sends, to see that a refusal refuses. Nothing of it is recorded.
 */
export async function selfTest(environment: Environment, home: Home): Promise<readonly Check[]> {
  const { policy } = loadPolicy(home);
  const rules = policy.rules.length > 0 ? policy.rules : [PROBE];
  const checks: Check[] = rules.map((rule) => {
    const wrong = tryRule(rule).filter((trial) => !isAsExpected(trial));
    return {
      title: `rule ${rule.id} fires on its examples, and on nothing else`,
      failure: wrong[0] && `not as expected: ${JSON.stringify(wrong[0].example)}`,
    };
  });
  const commands = installedCommands(environment, home);
  if (commands === undefined)
    return [...checks, { title: "a refusal refuses", failure: "Claude Code's settings do not call the hooks" }];
  const folder = fs.mkdtempSync(join(home.root, "self-test-"));
  try {
    for (const rule of rules) checks.push(await fireForReal(rule, commands, folder));
    return checks;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Where there is no rule, one of our own shows that rules would work. */
const PROBE: Rule = {
  id: "self-test",
  decision: "deny",
  reason: "This is the self-test.",
  when: { command: { program: ["workspace-hooks-self-test"] } },
  examples: { match: ["workspace-hooks-self-test"], pass: ["ls"] },
};

interface InstalledCommands {
  readonly tool: string;
  readonly prompt: string;
}

function installedCommands(environment: Environment, home: Home): InstalledCommands | undefined {
  for (const { harness, target } of knownRequests(environment, home)) {
    if (harness.id !== "claude-code" || target.kind !== "entries") continue;
    const entries = findEntries(fs.readFileSync(target.file, "utf8"), target.plan.dialect);
    const commandOf = (event: string): string | undefined => entries.find((entry) => entry.event === event)?.command;
    const [tool, prompt] = [commandOf("PreToolUse"), commandOf("UserPromptSubmit")];
    if (tool !== undefined && prompt !== undefined) return { tool, prompt };
  }
  return undefined;
}

async function fireForReal(rule: Rule, commands: InstalledCommands, folder: string): Promise<Check> {
  const title = `rule ${rule.id} is obeyed (${rule.decision})`;
  const project = join(folder, "project");
  fs.mkdirSync(project, { recursive: true });
  fs.writeFileSync(join(folder, "policy.json"), JSON.stringify({ version: 1, rules: [rule] }));
  const [trial] = tryRule(rule);
  if (trial === undefined) return { title, failure: "it has no example" };
  const payload = trial.isPrompt ? promptPayload(trial.example, project) : toolPayload(trial.example, project);
  const answer = await runCommand(trial.isPrompt ? commands.prompt : commands.tool, payload, folder, project);
  return {
    title,
    failure: isObeyed(rule, trial.isPrompt, answer)
      ? undefined
      : `exit code ${answer.exitCode}, answer ${answer.stdout || "none"}`,
  };
}

function toolPayload(example: RuleExample, cwd: string): JsonRecord {
  const { name, input } = toolOf(example);
  return {
    session_id: "self-test",
    transcript_path: join(cwd, "none.jsonl"),
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: name,
    tool_input: input,
    tool_use_id: "self-test",
  };
}

function promptPayload(example: RuleExample, cwd: string): JsonRecord {
  return {
    session_id: "self-test",
    transcript_path: join(cwd, "none.jsonl"),
    cwd,
    hook_event_name: "UserPromptSubmit",
    prompt: promptOf(example),
  };
}

/** As the assistant reads it: a refusal must hold by its exit code and by its JSON, each for itself. */
function isObeyed({ decision, reason }: Rule, isPrompt: boolean, { exitCode, stdout, stderr }: Answer): boolean {
  const answer = parseRecord(stdout);
  const specific = answer && recordAt(answer, "hookSpecificOutput");
  const isSaid = isPrompt
    ? answer?.["decision"] === "block"
    : specific?.["hookEventName"] === "PreToolUse" && specific["permissionDecision"] === decision;
  if (decision === "deny") return exitCode === 2 && isSaid && stderr.includes(reason);
  const isShown = (answer !== undefined && stringAt(answer, "systemMessage")?.includes(reason)) === true;
  return exitCode === 0 && (decision === "ask" && !isPrompt ? isSaid : isShown);
}

async function runCommand(command: string, payload: JsonRecord, home: string, cwd: string): Promise<Answer> {
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    // oxlint-disable-next-line node/no-process-env -- The assistant passes its environment on, and so must this.
    const env = { ...process.env, WORKSPACE_HOOKS_HOME: home, CLAUDE_PROJECT_DIR: cwd };
    const child = spawn("/bin/sh", ["-c", command], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on("error", () => undefined);
    child.on("error", () => resolve({ exitCode: null, stdout, stderr }));
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
    child.stdin.end(JSON.stringify(payload));
  });
}
