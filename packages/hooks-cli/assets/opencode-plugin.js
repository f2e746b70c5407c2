// Made by workspace-hooks; `workspace-hooks uninstall` removes it.
// It turns opencode's callbacks into calls of the hooks. It never fails by itself: only a rule of the policy throws.
import { spawn } from "node:child_process";
import { env } from "node:process";

const COMMAND = ["__COMMAND__"];
const DEADLINE_MS = 10_000;

/** Runs one hook; answers its exit code and what it printed, or undefined where it could not be run. */
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

function contextOf(answer) {
  try {
    return JSON.parse(answer?.stdout ?? "").hookSpecificOutput?.additionalContext;
  } catch {
    return undefined;
  }
}

export const WorkspaceHooks = async ({ directory }) => {
  /** By session: what it should know of the project, as a promise, so that its start is reported once. */
  const contexts = new Map();
  /** By call: what the tool was given, which its end does not tell. */
  const inputs = new Map();

  const startSession = (sessionID) => {
    if (!contexts.has(sessionID)) {
      const payload = { session_id: sessionID, cwd: directory, source: "startup" };
      contexts.set(sessionID, runHook("SessionStart", payload).then(contextOf));
    }
    return contexts.get(sessionID);
  };

  const obey = async (event, payload) => {
    const answer = await runHook(event, payload);
    if (answer?.exitCode === 2) throw new Error(answer.stderr.trim());
  };

  return {
    event: async ({ event }) => {
      const session = event.properties?.info;
      // A session with a parent is a subagent's.
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
