import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { type Outcome, runProcess } from "./temporary-home.ts";

interface HookEntry {
  readonly type: string;
  readonly command: string;
  readonly timeout?: number;
  readonly async?: boolean;
}

interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly HookEntry[];
}

/** How the assistant interprets its hooks' output. */
export interface HookResult {
  readonly isBlocked: boolean;
  /** The explanation, for the model or the user. */
  readonly reason: string;
  readonly isAsked: boolean;
  /** What is added to the session's context. */
  readonly context: string;
  /** What the user sees. */
  readonly shown: string;
  readonly outcomes: readonly Outcome[];
}

export interface AssistantOptions {
  readonly settingsFiles: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId: string;
  readonly transcriptPath: string;
}

/**
 * Simulates Claude Code as documented: merges the settings files, runs every matching command with `sh -c` in parallel,
 * gives each the documented standard input, and interprets exit codes and JSON in the same way.
 */
export class Assistant {
  readonly #options: AssistantOptions;
  #calls = 0;

  constructor(options: AssistantOptions) {
    this.#options = options;
  }

  start(source = "startup"): Promise<HookResult> {
    return this.#fire("SessionStart", { source });
  }

  prompt(prompt: string): Promise<HookResult> {
    return this.#fire("UserPromptSubmit", { prompt });
  }

  /** Asks the hooks whether a tool may run and, if so, reports its outcome to them. */
  async tool(name: string, input: object, error?: string): Promise<HookResult> {
    this.#calls += 1;
    const call = { tool_name: name, tool_input: input, tool_use_id: `toolu_${String(this.#calls).padStart(2, "0")}` };
    const before = await this.#fire("PreToolUse", call, name);
    this.#write("assistant", { type: "tool_use", id: call.tool_use_id, name, input });
    if (before.isBlocked || before.isAsked) {
      const content = before.isBlocked ? `PreToolUse:${name} hook error: ${before.reason}` : before.reason;
      this.#write("user", { type: "tool_result", tool_use_id: call.tool_use_id, content, is_error: true });
      return before;
    }
    if (error === undefined)
      await this.#fire("PostToolUse", { ...call, tool_response: { stdout: "done" }, duration_ms: 12 }, name);
    else await this.#fire("PostToolUseFailure", { ...call, error, is_interrupt: false }, name);
    const result = {
      type: "tool_result",
      tool_use_id: call.tool_use_id,
      content: error ?? "done",
      is_error: error !== undefined,
    };
    this.#write("user", result, error === undefined ? { stdout: "done" } : `Error: ${error}`);
    return before;
  }

  /** Ends a turn. */
  stop(): Promise<HookResult> {
    return this.#fire("Stop", { stop_hook_active: false });
  }

  end(reason = "prompt_input_exit"): Promise<HookResult> {
    return this.#fire("SessionEnd", { reason });
  }

  /** Writes to the transcript, as the assistant does for every message. */
  #write(type: "assistant" | "user", block: object, toolUseResult?: unknown): void {
    const { cwd, sessionId, transcriptPath } = this.#options;
    const line = {
      type,
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
      sessionId,
      cwd,
      message: { role: type, content: [block] },
      toolUseResult,
    };
    appendFileSync(transcriptPath, `${JSON.stringify(line)}\n`);
  }

  async #fire(event: string, details: object, tool = ""): Promise<HookResult> {
    const { cwd, env, sessionId, transcriptPath } = this.#options;
    const stdin = JSON.stringify({
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd,
      hook_event_name: event,
      permission_mode: "default",
      ...details,
    });
    const marks = { CLAUDE_PROJECT_DIR: cwd, CLAUDE_CODE_SESSION_ID: sessionId, CLAUDECODE: "1" };
    const outcomes = await Promise.all(
      this.#commands(event, tool).map((command) =>
        runProcess("/bin/sh", ["-c", command], { stdin, cwd, env: { ...env, ...marks } }),
      ),
    );
    return runHooks(event, outcomes);
  }

  #commands(event: string, tool: string): readonly string[] {
    const groups = this.#options.settingsFiles.flatMap((file) => {
      const { hooks = {} } = JSON.parse(readFileSync(file, "utf8")) as { hooks?: Record<string, HookGroup[]> };
      return hooks[event] ?? [];
    });
    return groups
      .filter(({ matcher = "" }) => isMatch(matcher, tool))
      .flatMap(({ hooks }) => hooks.map(({ command }) => command));
  }
}

function isMatch(matcher: string, tool: string): boolean {
  if (matcher === "" || matcher === "*") return true;
  if (/^[\w\-, |]+$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === tool);
  return new RegExp(matcher).test(tool);
}

function runHooks(event: string, outcomes: readonly Outcome[]): HookResult {
  const answers = outcomes.map((outcome) => read(event, outcome));
  const join = (texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n");
  return {
    isBlocked: answers.some(({ isBlocked }) => isBlocked),
    isAsked: answers.some(({ isAsked }) => isAsked),
    reason: join(answers.map(({ reason }) => reason)),
    context: join(answers.map(({ context }) => context)),
    shown: join(answers.map(({ shown }) => shown)),
    outcomes,
  };
}

function read(event: string, { exitCode, stdout, stderr }: Outcome): Omit<HookResult, "outcomes"> {
  const nothing = { isBlocked: false, isAsked: false, reason: "", context: "", shown: "" };
  if (exitCode === 2) return { ...nothing, isBlocked: true, reason: stderr };
  // Any other failure does not block, and its output is ignored.
  if (exitCode !== 0 || event === "SessionEnd") return nothing;
  if (!stdout.trimStart().startsWith("{")) return { ...nothing, context: event === "SessionStart" ? stdout : "" };
  const { hookSpecificOutput: specific, systemMessage = "", decision, reason = "" } = JSON.parse(stdout);
  // Without the event's name the entire output is ignored.
  const isOurs = specific?.hookEventName === event;
  const permission: string | undefined = isOurs ? specific.permissionDecision : undefined;
  return {
    isBlocked: permission === "deny" || decision === "block",
    isAsked: permission === "ask",
    reason: isOurs ? (specific.permissionDecisionReason ?? reason) : reason,
    context: isOurs ? (specific.additionalContext ?? "") : "",
    shown: systemMessage,
  };
}
