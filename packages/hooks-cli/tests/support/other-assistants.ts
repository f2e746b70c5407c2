import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TemporaryHome } from "./temporary-home.ts";

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
