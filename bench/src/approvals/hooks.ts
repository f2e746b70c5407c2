import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = join(import.meta.dirname, "../../../packages/hooks-cli/dist/workspace-hooks.cjs");
/** As long as the settings permit. */
const MAX_WAIT_S = 120;
const RULE = { id: "ask-deploy", decision: "ask", reason: "This deploys.", when: { command: { program: "deploy" } } };

export interface HookEnd {
  /** What the assistant is told. */
  readonly permission: "allow" | "deny" | "ask" | "nothing";
  readonly endedAtMs: number;
  readonly durationMs: number;
}

/** A machine with the hooks, on which `deploy` is asked about in the dashboard. */
export class HookMachine {
  readonly #root = mkdtempSync(join(tmpdir(), "workspace-approvals-"));

  private constructor(server: string, key: string) {
    mkdirSync(join(this.#root, ".workspace-hooks"), { recursive: true });
    const write = (name: string, content: object) =>
      writeFileSync(join(this.#root, ".workspace-hooks", name), JSON.stringify(content));
    write("config.json", { version: 1, server, key });
    write("policy.json", { version: 1, rules: [RULE] });
  }

  /** Resolves once the machine knows from the server that a person is asked. */
  static async connect(server: string, person: Person): Promise<HookMachine> {
    const settings = { waitSeconds: MAX_WAIT_S, projects: [] };
    await person.call("PUT", "/api/hooks/approval-settings", settings);
    const { key } = await person.call("POST", "/api/api-keys", { name: "hooks", scopes: ["hooks"] });
    const machine = new HookMachine(server, key);
    await machine.#run("SessionStart", 60, { source: "startup" });
    return machine;
  }

  /** Runs the hook of a call to its end, as Claude Code would with this limit. */
  async ask(command: string, timeoutS: number): Promise<HookEnd> {
    const startedAt = performance.now();
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" };
    const stdout = await this.#run("PreToolUse", timeoutS, call);
    const endedAtMs = performance.now();
    const permission = stdout === "" ? "nothing" : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
    return { permission, endedAtMs, durationMs: endedAtMs - startedAt };
  }

  #run(event: string, timeoutS: number, payload: object): Promise<string> {
    const args = [PROGRAM, "run", event, "--for", "claude-code", "--timeout", String(timeoutS)];
    const child = spawn(process.execPath, args, {
      env: { HOME: this.#root, PATH: process.env["PATH"] ?? "", WORKSPACE_HOOKS_UNDO: "off" },
      cwd: this.#root,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stdin.end(JSON.stringify({ session_id: "bench", cwd: this.#root, ...payload }));
    return new Promise((resolve) => child.once("close", () => resolve(stdout)));
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

  async call(method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<any> {
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
