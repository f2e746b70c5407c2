// Made by workspace-hooks; `workspace-hooks uninstall` removes it.
// It forwards opencode's callbacks to the hooks. It never fails on its own account: only a policy rule makes it throw.
import { spawn } from "node:child_process";
import { env } from "node:process";

const COMMAND = ["__COMMAND__"];
const DEADLINE_MS = 10_000;

/** Runs one hook; resolves to its exit code and output, or undefined if it could not be run. */
function runHook(event, payload) {
  return new Promise((resolve) => {
    const [program, ...args] = COMMAND;
    const child = spawn(program, [...args, event, "--for", "opencode"], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...env, NODE_OPTIONS: "" },
    });
    let stdout = "";
    let stderr = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }));
  });
}

function contextOf(result) {
  try {
    return JSON.parse(result?.stdout ?? "").hookSpecificOutput?.additionalContext;
  } catch {
    return undefined;
  }
}

export const WorkspaceHooks = async ({ directory }) => {
  /** By session: a promise of the project context for it, so that the start of a session is reported once. */
  const contexts = new Map();
  /** By call: the tool's input, which the event at its end does not include. */
  const inputs = new Map();

  const startSession = (sessionID) => {
    if (!contexts.has(sessionID)) {
      const payload = { session_id: sessionID, cwd: directory, source: "startup" };
      contexts.set(sessionID, runHook("SessionStart", payload).then(contextOf));
    }
    return contexts.get(sessionID);
  };

  const obey = async (event, payload) => {
    const result = await runHook(event, payload);
    if (result?.exitCode === 2) throw new Error(result.stderr.trim());
  };

  return {
    event: async ({ event }) => {
      const session = event.properties?.info;
      // A session with a parent belongs to a subagent.
      if (event.type === "session.created" && !session?.parentID) await startSession(session.id);
      if (event.type !== "session.deleted") return;
      contexts.delete(session.id);
      await runHook("SessionEnd", { session_id: session.id, cwd: directory, reason: "other" });
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text);
      await obey("UserPromptSubmit", { session_id: sessionID, cwd: directory, prompt: texts.join("\n") });
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const context = sessionID && (await startSession(sessionID));
      if (context) output.system.push(context);
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      inputs.set(callID, args);
      const call = { tool_name: tool, tool_input: args, tool_use_id: callID };
      await obey("PreToolUse", { session_id: sessionID, cwd: directory, ...call });
    },
    "tool.execute.after": async ({ tool, sessionID, callID }, { output }) => {
      const call = { tool_name: tool, tool_input: inputs.get(callID) ?? {}, tool_use_id: callID };
      inputs.delete(callID);
      void runHook("PostToolUse", { session_id: sessionID, cwd: directory, ...call, tool_response: output });
    },
  };
};
