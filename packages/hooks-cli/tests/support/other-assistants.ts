import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Outcome, type TemporaryHome, runProcess } from "./temporary-home.ts";

/** A call of a tool, as one of the assistants below makes it. */
export interface PlayedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** With which code a command ends. */
  readonly exitCode?: number;
}

/** What an assistant other than Claude Code does with its hooks. */
export interface PlayedAssistant {
  start(): Promise<void>;
  prompt(text: string): Promise<void>;
  /** Returns whether the call was refused, and what the model is told besides. */
  call(call: PlayedCall): Promise<{ readonly isRefused: boolean; readonly told: string }>;
  stop(): Promise<void>;
  end(): Promise<void>;
}

type PluginFunctions = Record<string, (...args: any[]) => Promise<void>>;

/** opencode 1.18.33, which calls the functions of our plugin. */
export async function playOpencode(home: TemporaryHome, sessionID: string): Promise<PlayedAssistant> {
  const file = pathToFileURL(join(home.path, ".config/opencode/plugins/workspace-hooks.js"));
  const { WorkspaceHooks } = (await import(file.href)) as {
    WorkspaceHooks: (context: object) => Promise<PluginFunctions>;
  };
  const functions = await WorkspaceHooks({ directory: home.project });
  const event = (type: string, properties: object) => functions["event"]?.({ event: { type, properties } });
  let calls = 0;
  return {
    async start() {
      await event("session.created", { info: { id: sessionID } });
    },
    async prompt(text) {
      await functions["chat.message"]?.({ sessionID }, { parts: [{ type: "text", text }] });
    },
    async call({ tool, input, exitCode = 0 }) {
      const call = { tool, sessionID, callID: `toolu_${(calls += 1)}` };
      try {
        await functions["tool.execute.before"]?.(call, { args: input });
      } catch (error) {
        return { isRefused: true, told: String(error) };
      }
      const result = { title: "", metadata: { exit: exitCode }, output: "done" };
      await functions["tool.execute.after"]?.({ ...call, args: input }, result);
      return { isRefused: false, told: result.output.slice("done".length) };
    },
    async stop() {
      await event("session.idle", { sessionID });
    },
    async end() {
      await functions["dispose"]?.();
    },
  };
}

const NO_HOOK: Outcome = { exitCode: 0, stdout: "", stderr: "", durationMs: 0 };

interface Names {
  readonly settings: string;
  readonly prompt: string;
  readonly before: string;
  readonly after: string;
  readonly stop: string;
}

/** An assistant that runs the commands in its settings by a shell, each with its input in the order of the real ones. */
class CommandHooks {
  readonly transcript: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #home: TemporaryHome;
  readonly #names: Names;
  readonly #session: string;
  readonly #shell: string;

  constructor(home: TemporaryHome, names: Names, session: string, { shell = "bash", transcript = `${session}.jsonl` }) {
    this.#home = home;
    this.#names = names;
    this.#session = session;
    this.#shell = shell;
    this.transcript = home.write(transcript, "{}\n");
    // Only Gemini CLI has it, and others do not look at it.
    this.#env = { ...home.env, GEMINI_SESSION_ID: session };
  }

  async fire(event: string, details: object): Promise<Outcome> {
    const settings = JSON.parse(readFileSync(join(this.#home.path, this.#names.settings), "utf8"));
    const tool = "tool_name" in details ? String(details.tool_name) : "";
    const entry = settings.hooks[event]?.find(({ matcher = "*" }) => matcher === "*" || new RegExp(matcher).test(tool));
    if (entry === undefined) return NO_HOOK;
    const command: string = entry.hooks[0].command;
    const stdin = JSON.stringify({
      session_id: this.#session,
      transcript_path: this.transcript,
      cwd: this.#home.project,
      hook_event_name: event,
      ...details,
    });
    return runProcess(this.#shell, ["-c", command], { stdin, cwd: this.#home.project, env: this.#env });
  }

  write(line: object): void {
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`);
  }

  /** What both assistants do in the same way. */
  get common(): Omit<PlayedAssistant, "call"> {
    const { prompt, stop } = this.#names;
    return {
      start: async () => void (await this.fire("SessionStart", { source: "startup" })),
      prompt: async (text) => void (await this.fire(prompt, { prompt: text })),
      stop: async () => void (await this.fire(stop, {})),
      end: async () => void (await this.fire("SessionEnd", { reason: "other" })),
    };
  }

  async call(
    started: object,
    finish: () => object,
  ): Promise<{ readonly isRefused: boolean; readonly told: string; readonly before: Outcome }> {
    const { before, after } = this.#names;
    const judged = await this.fire(before, started);
    if (judged.exitCode !== 0) return { isRefused: true, told: judged.stderr, before: judged };
    const ended = await this.fire(after, { ...started, ...finish() });
    return { isRefused: false, told: judged.stdout + ended.stdout, before: judged };
  }
}

/** Codex 0.171, whose transcript says how commands ended. */
export async function playCodex(home: TemporaryHome, session: string, shell = "bash"): Promise<PlayedAssistant> {
  const [before, after] = ["PreToolUse", "PostToolUse"] as const;
  const names = { settings: ".codex/hooks.json", prompt: "UserPromptSubmit", before, after, stop: "Stop" };
  const hooks = new CommandHooks(home, names, session, { shell });
  let calls = 0;
  return {
    ...hooks.common,
    call({ tool, input, exitCode = 0 }) {
      const tool_use_id = `call_${(calls += 1)}`;
      hooks.write({ type: "response_item", payload: { type: "function_call", call_id: tool_use_id } });
      return hooks.call({ tool_name: tool, tool_input: input, tool_use_id }, () => {
        const item = { type: "CommandExecution", id: tool_use_id, exit_code: exitCode };
        hooks.write({ type: "event_msg", payload: { type: "item_completed", item } });
        // So much that the end of the transcript alone does not show it to whoever reads it later.
        hooks.write({ type: "response_item", payload: { output: "x".repeat(100_000) } });
        return { tool_response: "" };
      });
    },
  };
}

/** Gemini CLI 0.61, whose transcript has the results of calls, and what the model is told of how commands ended. */
export async function playGemini(home: TemporaryHome, session: string, shell = "bash"): Promise<PlayedAssistant> {
  const [before, after] = ["BeforeTool", "AfterTool"] as const;
  const names = { settings: ".gemini/settings.json", prompt: "BeforeAgent", before, after, stop: "AfterAgent" };
  home.write(".gemini/projects.json", JSON.stringify({ projects: { [home.project]: "shop" } }));
  const transcript = `.gemini/tmp/shop/chats/session-2026-11-27T10-00-${session.slice(0, 8)}.jsonl`;
  const hooks = new CommandHooks(home, names, session, { shell, transcript });
  hooks.write({ sessionId: session, projectHash: "10943f98", kind: "main" });
  let calls = 0;
  return {
    ...hooks.common,
    async call({ tool, input, exitCode = 0 }) {
      const id = `${tool}__${(calls += 1)}`;
      const message = { id: randomUUID(), timestamp: new Date().toISOString(), type: "gemini", content: "" };
      hooks.write(message);
      const finish = (status: string, response: object) => {
        const result = [{ functionResponse: { id, name: tool, response } }];
        const call = { id, name: tool, args: input, result, status, timestamp: new Date().toISOString() };
        hooks.write({ ...message, toolCalls: [call] });
        return { tool_response: { llmContent: "", returnDisplay: "" } };
      };
      const code = exitCode === 0 ? "" : `Exit Code: ${exitCode}\n`;
      const output = `<untrusted_context>\nOutput: (empty)\n${code}Process Group PGID: 4711\n</untrusted_context>`;
      const called = await hooks.call({ tool_name: tool, tool_input: input }, () => finish("success", { output }));
      if (called.isRefused) finish("error", { error: `Tool execution blocked: ${called.told}` });
      return called;
    },
  };
}
