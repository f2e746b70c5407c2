import * as fs from "node:fs";
import { join } from "node:path";
import { PROBE_VARIABLE } from "../environment.ts";
import type { Environment } from "../environment.ts";
import type { Harness, HarnessId } from "../harness/harness.ts";
import { parseRecord } from "../json/json-value.ts";
import { findRepository } from "../project/project.ts";
import type { Check } from "./check.ts";

/** How an assistant is started so that its hooks run, but no model is asked: its model's address leads nowhere. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The same without the question whether its user trusts the hooks. */
  readonly trustingArgs?: readonly string[];
}

const NOWHERE = "http://127.0.0.1:9";
const MADE_UP_KEY = "made-up";
const PROMPT = "This is a test of the hooks by workspace-hooks doctor.";
const DEADLINE_MS = 20_000;
const POLL_MS = 50;

const CODEX_MODEL = [
  "-c",
  `model_providers.doctor={name="doctor",base_url="${NOWHERE}/v1",wire_api="responses"}`,
  "-c",
  "model_provider=doctor",
];
const CODEX_ARGS = ["exec", "--ephemeral", "--skip-git-repo-check", ...CODEX_MODEL];
const OPENCODE_MODEL = "anthropic/claude-sonnet-4-5";

const STARTS: Readonly<Partial<Record<HarnessId, Start>>> = {
  "claude-code": {
    command: "claude",
    args: ["-p", PROMPT, "--no-session-persistence"],
    variables: {
      ANTHROPIC_BASE_URL: NOWHERE,
      ANTHROPIC_API_KEY: MADE_UP_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDECODE: "",
    },
  },
  codex: {
    command: "codex",
    args: [...CODEX_ARGS, PROMPT],
    trustingArgs: [...CODEX_ARGS, "--dangerously-bypass-hook-trust", PROMPT],
    variables: {},
  },
  "gemini-cli": {
    command: "gemini",
    args: ["-p", PROMPT],
    variables: { GOOGLE_GEMINI_BASE_URL: NOWHERE, GEMINI_API_KEY: MADE_UP_KEY, GEMINI_CLI_TRUST_WORKSPACE: "true" },
  },
  opencode: {
    command: "opencode",
    args: ["run", PROMPT],
    variables: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: OPENCODE_MODEL,
        provider: { anthropic: { options: { baseURL: `${NOWHERE}/v1`, apiKey: MADE_UP_KEY } } },
      }),
    },
  },
};

/**
 * Starts an assistant and waits for the first hook that it calls. The hook only reports that it was called, and the assistant
 * is ended at once.
 */
export async function proveCalls(harness: Harness, file: string, environment: Environment): Promise<Check> {
  const title = `${harness.title} calls the hooks`;
  const start = STARTS[harness.id];
  if (start === undefined) return { title, unproven: "it cannot be started without its window", failure: undefined };
  const program = findOnPath(start.command, environment);
  const disabled = disabledBy(harness, file, environment);
  if (program === undefined && disabled !== "") return { title, failure: `none of them${disabled}` };
  if (program === undefined)
    return { title, unproven: `there is no ${start.command} in the PATH to try it with`, failure: undefined };
  if (await isCalled(program, start.args, start, environment)) return { title, failure: undefined };
  const { trustingArgs } = start;
  if (trustingArgs !== undefined && (await isCalled(program, trustingArgs, start, environment)))
    return { title, failure: "it skips them until you trust them: enter /hooks in it" };
  return { title, failure: `it was started and called none${disabled}` };
}

function findOnPath(command: string, { variables }: Environment): string | undefined {
  const folders = (variables["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  return folders
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        fs.accessSync(path, fs.constants.X_OK);
        return fs.statSync(path).isFile();
      } catch {
        return false;
      }
    });
}

async function isCalled(
  program: string,
  args: readonly string[],
  { variables }: Start,
  environment: Environment,
): Promise<boolean> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const folder = fs.mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "workspace-hooks-"));
  const report = join(folder, "called");
  const env = { ...environment.variables, ...variables, [PROBE_VARIABLE]: report };
  const child = spawn(program, [...args], { env, stdio: "ignore", detached: true });
  try {
    await new Promise<void>((resolve) => {
      const isOver = (): boolean => fs.existsSync(report) || Date.now() > end;
      const end = Date.now() + DEADLINE_MS;
      const timer = setInterval(() => isOver() && finish(), POLL_MS);
      const finish = (): void => {
        clearInterval(timer);
        resolve();
      };
      child.on("error", finish);
      child.on("exit", finish);
    });
    return fs.existsSync(report);
  } finally {
    if (child.pid !== undefined) killGroup(child.pid);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** The setting of Claude Code that switches all hooks off without a word, as a clause; empty if there is none. */
function disabledBy({ id }: Harness, file: string, { userHome }: Environment): string {
  if (id !== "claude-code") return "";
  const cwd = process.cwd();
  const folders = [...new Set([cwd, findRepository(cwd)?.root ?? cwd])];
  const names = [".claude/settings.json", ".claude/settings.local.json"];
  const own = [file, ...folders.flatMap((folder) => names.map((name) => join(folder, name)))];
  const users = userHome === undefined ? [] : [join(userHome, ".claude/settings.json")];
  const managed = [
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
  ];
  for (const path of [...own, ...users, ...managed]) {
    const settings = parseRecord(tryRead(path));
    if (settings?.["disableAllHooks"] === true) return `: disableAllHooks is set in ${path}`;
    if (settings?.["allowManagedHooksOnly"] === true) return `: allowManagedHooksOnly is set in ${path}`;
  }
  return "";
}

function tryRead(path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
