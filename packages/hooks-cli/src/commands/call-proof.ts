import * as fs from "node:fs";
import { join } from "node:path";
import { PROBE_VARIABLE } from "../environment.ts";
import type { Environment } from "../environment.ts";
import type { Harness, HarnessId } from "../harness/harness.ts";
import { parseRecord } from "../json/json-value.ts";
import { findRepository } from "../project/project.ts";
import type { Check } from "./check.ts";

/** How an assistant is started so that its hooks run, but no model works: its model's address leads to this program. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The same without the question whether its user trusts the hooks. */
  readonly trustingArgs?: readonly string[];
}

const MADE_UP_KEY = "made-up";
const PROMPT = "This is a test of the hooks by workspace-hooks doctor.";
/** A busy machine may need long to start an assistant; one that asks its model has had its chance. */
const DEADLINE_MS = 60_000;
const POLL_MS = 50;
const MAX_REQUEST_BYTES = 4_000_000;

const OPENCODE_MODEL = "anthropic/claude-sonnet-4-5";

const codexArgs = (model: string): readonly string[] => [
  "exec",
  "--ephemeral",
  "--skip-git-repo-check",
  "-c",
  `model_providers.doctor={name="doctor",base_url="${model}/v1",wire_api="responses"}`,
  "-c",
  "model_provider=doctor",
];

const startsWith = (model: string): Readonly<Partial<Record<HarnessId, Start>>> => ({
  "claude-code": {
    command: "claude",
    args: ["-p", PROMPT, "--no-session-persistence"],
    variables: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: MADE_UP_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDECODE: "",
    },
  },
  codex: {
    command: "codex",
    args: [...codexArgs(model), PROMPT],
    trustingArgs: [...codexArgs(model), "--dangerously-bypass-hook-trust", PROMPT],
    variables: {},
  },
  "gemini-cli": {
    command: "gemini",
    args: ["-p", PROMPT],
    variables: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: MADE_UP_KEY, GEMINI_CLI_TRUST_WORKSPACE: "true" },
  },
  opencode: {
    command: "opencode",
    args: ["run", PROMPT],
    variables: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: OPENCODE_MODEL,
        provider: { anthropic: { options: { baseURL: `${model}/v1`, apiKey: MADE_UP_KEY } } },
      }),
    },
  },
});

/** Whether an assistant called a hook, did not although it asked its model or ended, or had done neither when time was over. */
export type CallOutcome = "called" | "ignored" | "late";

/**
 * Starts an assistant and waits for the first hook that it calls. The hook only reports that it was called, and the assistant
 * is ended at once.
 */
export async function proveCalls(harness: Harness, file: string, environment: Environment): Promise<Check> {
  const title = `${harness.title} calls the hooks`;
  const model = await listenAsModel();
  try {
    return await proveWith(harness, title, disabledBy(harness, file, environment), model, environment);
  } finally {
    model.close();
  }
}

async function proveWith(
  harness: Harness,
  title: string,
  disabled: string,
  model: ListeningModel,
  environment: Environment,
): Promise<Check> {
  const start = startsWith(model.url)[harness.id];
  if (start === undefined) return { title, unproven: "it cannot be started without its window", failure: undefined };
  const program = findOnPath(start.command, environment);
  if (program === undefined && disabled !== "") return { title, failure: `none of them${disabled}` };
  if (program === undefined)
    return { title, unproven: `there is no ${start.command} in the PATH to try it with`, failure: undefined };
  const outcome = await outcomeOf(program, start.args, start, model, environment);
  const { trustingArgs } = start;
  const trusting =
    outcome === "called" || trustingArgs === undefined
      ? undefined
      : await outcomeOf(program, trustingArgs, start, model, environment);
  return { title, ...verdictOn(outcome, trusting, disabled) };
}

/** What was proven: nothing is wrong, or what is, or that it is not known. */
type Verdict = Partial<Check> & { readonly failure: string | undefined };

/** What is proven by how an assistant started, and by how it did when it trusted all hooks. */
export function verdictOn(outcome: CallOutcome, trusting: CallOutcome | undefined, disabled: string): Verdict {
  if (outcome === "called") return { failure: undefined };
  if (outcome === "late" && disabled === "")
    return { failure: undefined, unproven: `it was started and called none in ${DEADLINE_MS / 1_000} s; try again` };
  if (trusting === "called") return { failure: "it skips them until you trust them: enter /hooks in it" };
  return { failure: `it was started and called none${disabled}` };
}

interface ListeningModel {
  readonly url: string;
  /** Whether it was asked what this program has an assistant ask. */
  isAsked(): boolean;
  forget(): void;
  close(): void;
}

/** A model on loopback that refuses every request. An assistant that asks it has called its hooks before, or calls none. */
async function listenAsModel(): Promise<ListeningModel> {
  const { createServer } = process.getBuiltinModule("node:http");
  let isAsked = false;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      if (text.length < MAX_REQUEST_BYTES) text += chunk;
    });
    request.on("end", () => {
      isAsked ||= text.includes(PROMPT);
      response.writeHead(400, { "Content-Type": "application/json" }).end('{"error":{"message":"a test"}}');
    });
    request.on("error", () => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    isAsked: () => isAsked,
    forget: () => void (isAsked = false),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
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

async function outcomeOf(
  program: string,
  args: readonly string[],
  { variables }: Start,
  model: ListeningModel,
  environment: Environment,
): Promise<CallOutcome> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const folder = fs.mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "workspace-hooks-"));
  const report = join(folder, "called");
  const env = { ...environment.variables, ...variables, [PROBE_VARIABLE]: report };
  model.forget();
  const child = spawn(program, [...args], { env, stdio: "ignore", detached: true });
  try {
    const hasEnded = await new Promise<boolean>((resolve) => {
      const isOver = (): boolean => fs.existsSync(report) || model.isAsked() || Date.now() > end;
      const end = Date.now() + DEADLINE_MS;
      const timer = setInterval(() => isOver() && finish(false), POLL_MS);
      const finish = (hasEndedByItself: boolean): void => {
        clearInterval(timer);
        resolve(hasEndedByItself);
      };
      child.on("error", () => finish(true));
      child.on("exit", () => finish(true));
    });
    if (fs.existsSync(report)) return "called";
    return model.isAsked() || hasEnded ? "ignored" : "late";
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
