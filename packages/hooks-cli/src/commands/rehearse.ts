import * as fs from "node:fs";
import { join } from "node:path";
import type { JsonRecord } from "../json/json-value.ts";

const DEADLINE_MS = 10_000;

export interface RehearsalResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Rehearsal {
  /** A shell command, as written in an assistant's settings. */
  readonly command: string;
  readonly payload: JsonRecord;
  /** The home that the hook uses. */
  readonly home: string;
  readonly project: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs a hook as an assistant does, with a home in which nothing it does has any effect. */
export async function rehearse({ command, payload, home, project, variables }: Rehearsal): Promise<RehearsalResult> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  fs.mkdirSync(project, { recursive: true });
  return new Promise((resolve) => {
    const env = {
      // oxlint-disable-next-line node/no-process-env -- Like an assistant, this passes its environment on.
      ...process.env,
      ...variables,
      WORKSPACE_HOOKS_HOME: home,
      CLAUDE_PROJECT_DIR: project,
    };
    const child = spawn("/bin/sh", ["-c", command], { cwd: project, env, stdio: ["pipe", "pipe", "pipe"] });
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

/** What Claude Code sends before a tool call. */
export function toolPayload(name: string, input: JsonRecord, cwd: string): JsonRecord {
  return {
    ...sessionPayload(cwd),
    hook_event_name: "PreToolUse",
    tool_name: name,
    tool_input: input,
    tool_use_id: "self-test",
  };
}

/** What Claude Code sends when the user has submitted a prompt. */
export function promptPayload(prompt: string, cwd: string): JsonRecord {
  return { ...sessionPayload(cwd), hook_event_name: "UserPromptSubmit", prompt };
}

function sessionPayload(cwd: string): JsonRecord {
  return { session_id: "self-test", transcript_path: join(cwd, "none.jsonl"), cwd };
}
