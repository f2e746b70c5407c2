import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = join(import.meta.dirname, "../../../packages/hooks-cli/dist/workspace-hooks.cjs");
const RULE = { id: "ask-deploy", decision: "ask", reason: "This deploys.", when: { command: { program: "deploy" } } };

export interface HookEnd {
  /** What the assistant is told. */
  readonly permission: "allow" | "deny" | "ask" | "nothing";
  readonly endedAtMs: number;
  readonly durationMs: number;
}

/** A machine with the hooks, on which `deploy` is asked about. */
export class HookMachine {
  readonly #root = mkdtempSync(join(tmpdir(), "workspace-approvals-"));

  constructor(server: string, key: string) {
    mkdirSync(join(this.#root, ".workspace-hooks"), { recursive: true });
    const write = (name: string, content: object) =>
      writeFileSync(join(this.#root, ".workspace-hooks", name), JSON.stringify(content));
    write("config.json", { version: 1, server, key });
    write("policy.json", { version: 1, rules: [RULE] });
    write("approval-settings.json", { waitSeconds: 120, projects: [], allowances: [] });
  }

  /** Runs the hook of a call to its end, as Claude Code would with this limit. */
  ask(command: string, timeoutS: number): Promise<HookEnd> {
    const startedAt = performance.now();
    const args = [PROGRAM, "run", "PreToolUse", "--for", "claude-code", "--timeout", String(timeoutS)];
    const child = spawn(process.execPath, args, {
      env: { HOME: this.#root, PATH: process.env["PATH"] ?? "", WORKSPACE_HOOKS_UNDO: "off" },
      cwd: this.#root,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" };
    child.stdin.end(JSON.stringify({ session_id: "bench", cwd: this.#root, ...call }));
    return new Promise((resolve) => {
      child.once("close", () => {
        const endedAtMs = performance.now();
        const permission = stdout === "" ? "nothing" : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
        resolve({ permission, endedAtMs, durationMs: endedAtMs - startedAt });
      });
    });
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** A signed-in person who decides as each command says. */
export class Person {
  readonly #url: string;
  readonly #cookie: string;

  constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  async call(method: "GET" | "POST", path: string, body?: object): Promise<any> {
    const headers = { Cookie: this.#cookie, Origin: this.#url, "Content-Type": "application/json" };
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const parsed: any = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(parsed)}`);
    return parsed.data;
  }

  open(): Promise<{ readonly id: string; readonly call: string }[]> {
    return this.call("GET", "/api/hooks/approvals?open=true");
  }

  decide(id: string, decision: "allowed_once" | "denied"): Promise<unknown> {
    return this.call("POST", `/api/hooks/approvals/${id}/decision`, { decision });
  }
}
