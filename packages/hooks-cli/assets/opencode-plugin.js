// Made by workspace-hooks; `workspace-hooks uninstall` removes it.
// It forwards opencode's callbacks to the hooks. It never fails on its own account: only a policy rule makes it throw.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env, pid } from "node:process";

const COMMAND = ["__COMMAND__"];
/** The folder of passes, the user's rules, and the folder of calls that are kept; none if the plugin is not of this machine alone. */
const PLACES = ["__PLACES__"];
const [PASSES, POLICY, CALLS] = PLACES;
/** The kinds of tools by their names; all others are of the kind `other`. */
const KINDS = ["__KINDS__"];
const DEADLINE_S = 10;
/** Before a tool, a person may be asked. */
const ASKING_DEADLINE_S = 130;
const LAST_DEADLINE_MS = 2_000;

/** Node reads certificates at once, which takes long; the hooks do so only if they need them. */
const hookEnv = () => ({
  ...env,
  NODE_OPTIONS: "",
  NODE_EXTRA_CA_CERTS: "",
  WORKSPACE_HOOKS_EXTRA_CA_CERTS: env.NODE_EXTRA_CA_CERTS ?? "",
});
const inputOf = (event, payload) => JSON.stringify({ hook_event_name: event, ...payload });

/** Runs a hook to its end while opencode waits, which ends without waiting for anything else. */
function runLastHook(event, payload) {
  const [program, ...args] = COMMAND;
  const options = { input: inputOf(event, payload), env: hookEnv(), timeout: LAST_DEADLINE_MS, stdio: "pipe" };
  spawnSync(program, [...args, event, "--for", "opencode"], options);
}

/** Runs one hook; resolves to its exit code and output, or undefined if it could not be run. */
function runHook(event, payload) {
  return new Promise((resolve) => {
    const [program, ...args] = COMMAND;
    const deadlineS = event === "PreToolUse" ? ASKING_DEADLINE_S : DEADLINE_S;
    const child = spawn(program, [...args, event, "--for", "opencode", "--timeout", String(deadlineS)], {
      stdio: ["pipe", "pipe", "pipe"],
      env: hookEnv(),
    });
    let stdout = "";
    let stderr = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), deadlineS * 1_000);
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
    child.stdin.end(inputOf(event, payload));
  });
}

function outputOf(result) {
  try {
    return JSON.parse(result?.stdout ?? "");
  } catch {
    return {};
  }
}

const contextOf = (result) => outputOf(result).hookSpecificOutput?.additionalContext;

const modifiedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * The folder of a session's passes, which say that nothing has to be done before calls of some kinds of tools; undefined if the session
 * has none. They are withdrawn when a person has something for the session. Whatever cannot be checked counts as no pass.
 */
function passesOf(sessionID) {
  if (PLACES.length === 0 || !/^[\w-]{8,100}$/.test(sessionID)) return undefined;
  const passes = join(PASSES, sessionID);
  return modifiedMs(join(passes, "end")) > Date.now() ? passes : undefined;
}

/** Whether no hook has to be run before a call of a tool. */
function hasPass(sessionID, tool) {
  try {
    const passes = passesOf(sessionID);
    const kind = Object.hasOwn(KINDS, tool) ? KINDS[tool] : "other";
    const givenMs = passes === undefined ? 0 : modifiedMs(join(passes, kind));
    // The clock may have been set back.
    return givenMs > 0 && givenMs <= Date.now() && givenMs >= modifiedMs(POLICY);
  } catch {
    return false;
  }
}

let keptCount = 0;

/** Keeps a call that has ended for a helper, which records it soon: that takes no process. Returns whether it has been kept. */
function keepCall(event, payload) {
  try {
    const passes = passesOf(payload.session_id);
    if (passes === undefined) return false;
    if (existsSync(join(passes, "unkept"))) return true;
    const file = join(CALLS, payload.session_id, `${pid}-${(keptCount += 1)}.opencode`);
    writeFileSync(file, inputOf(event, payload), { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Reports a call that has ended. opencode does not wait for it. */
function reportCall(event, payload) {
  if (!keepCall(event, payload)) void runHook(event, payload);
}

/** What was said in sessions. opencode has no transcript to read it from. */
function createTranscripts() {
  /** By session: its messages by their id, each with its parts by theirs. */
  const sessions = new Map();

  const messageOf = (sessionID, messageID) => {
    if (!sessions.has(sessionID)) sessions.set(sessionID, new Map());
    const messages = sessions.get(sessionID);
    if (!messages.has(messageID)) messages.set(messageID, { info: undefined, parts: new Map() });
    return messages.get(messageID);
  };

  return {
    setInfo(info) {
      messageOf(info.sessionID, info.id).info = info;
    },
    setPart(part) {
      messageOf(part.sessionID, part.messageID).parts.set(part.id, part);
    },
    /** The messages of a session as a part of a payload. */
    of(sessionID) {
      const messages = [...(sessions.get(sessionID)?.values() ?? [])]
        .filter(({ info }) => info !== undefined)
        .map(({ info, parts }) => ({ info, parts: [...parts.values()] }));
      return messages.length > 0 ? { messages } : {};
    },
    delete: (sessionID) => sessions.delete(sessionID),
  };
}

/** The calls of tools. `obey` runs a hook and does what it demands. */
function createCalls({ payloadOf, obey }) {
  /** By session: what its person has said meanwhile. The model reads it with the result of the next tool that succeeds. */
  const messages = new Map();
  /** The calls of which the end has been reported: of those that were refused or fail, only an event tells. */
  const endedCalls = new Set();

  return {
    async start({ tool, sessionID, callID }, { args }) {
      if (hasPass(sessionID, tool)) return;
      // Refused or not: opencode reports a refusal as a failure of the tool.
      const payload = payloadOf(sessionID, { tool_name: tool, tool_input: args, tool_use_id: callID });
      const message = await obey("PreToolUse", payload).catch((refusal) => {
        endedCalls.add(callID);
        throw refusal;
      });
      if (message) messages.set(sessionID, [...(messages.get(sessionID) ?? []), message]);
    },
    end({ tool, sessionID, callID, args }, result) {
      const { output, metadata } = result;
      endedCalls.add(callID);
      if (messages.has(sessionID)) {
        result.output = [output, ...messages.get(sessionID)].join("\n\n");
        messages.delete(sessionID);
      }
      const call = { tool_name: tool, tool_input: args ?? {}, tool_use_id: callID, tool_response: output };
      const exitCode = metadata?.exit;
      const failed = typeof exitCode === "number" && exitCode !== 0;
      const outcome = failed ? { error: `exit code ${exitCode}` } : {};
      reportCall(failed ? "PostToolUseFailure" : "PostToolUse", payloadOf(sessionID, { ...call, ...outcome }));
    },
    fail({ tool, sessionID, callID, state }) {
      if (endedCalls.has(callID)) return;
      endedCalls.add(callID);
      const call = { tool_name: tool, tool_input: state.input ?? {}, tool_use_id: callID, error: state.error };
      reportCall("PostToolUseFailure", payloadOf(sessionID, call));
    },
  };
}

export const WorkspaceHooks = async ({ client, directory }) => {
  /** By session: a promise of the project context for it, so that the start of a session is reported once. */
  const contexts = new Map();
  const subagents = new Set();
  const transcripts = createTranscripts();
  const payloadOf = (sessionID, more) => ({ session_id: sessionID, cwd: directory, ...more });

  const startSession = (sessionID, version) => {
    if (!contexts.has(sessionID)) {
      const payload = payloadOf(sessionID, { source: "startup", ...(version && { version }) });
      contexts.set(sessionID, runHook("SessionStart", payload).then(contextOf));
    }
    return contexts.get(sessionID);
  };

  const endSession = (sessionID, run) => {
    if (!contexts.delete(sessionID)) return undefined;
    const payload = payloadOf(sessionID, { ...transcripts.of(sessionID), reason: "other" });
    transcripts.delete(sessionID);
    return run("SessionEnd", payload);
  };

  const obey = async (event, payload) => {
    const result = await runHook(event, payload);
    // The person has stopped the session, which ends only if it is aborted.
    if (outputOf(result).continue === false)
      await client.session.abort({ path: { id: payload.session_id } }).catch(() => {});
    if (result?.exitCode === 2) throw new Error(result.stderr.trim());
    return contextOf(result);
  };

  const calls = createCalls({ payloadOf, obey });

  return {
    event: async ({ event: { type, properties = {} } }) => {
      const { info, part, sessionID } = properties;
      switch (type) {
        case "session.created":
          // A session with a parent belongs to a subagent.
          if (info?.parentID) subagents.add(info.id);
          else await startSession(info.id, info.version);
          return;
        case "message.updated":
          if (!subagents.has(info.sessionID)) transcripts.setInfo(info);
          return;
        case "message.part.updated":
          if (!subagents.has(part.sessionID)) transcripts.setPart(part);
          if (part.type === "tool" && part.state?.status === "error") calls.fail(part);
          return;
        case "session.idle":
          if (contexts.has(sessionID)) void runHook("Stop", payloadOf(sessionID, transcripts.of(sessionID)));
          return;
        case "session.deleted":
          await endSession(info.id, runHook);
      }
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      if (subagents.has(sessionID)) return;
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text);
      await obey("UserPromptSubmit", payloadOf(sessionID, { prompt: texts.join("\n") }));
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const context = sessionID && !subagents.has(sessionID) && (await startSession(sessionID));
      if (context) output.system.push(context);
    },
    "tool.execute.before": calls.start,
    "tool.execute.after": async (call, result) => calls.end(call, result),
    dispose: async () => {
      for (const sessionID of contexts.keys()) endSession(sessionID, runLastHook);
    },
  };
};
