import * as fs from "node:fs";
import type { Environment } from "../environment.ts";
import type { HookInput } from "../harness/harness.ts";

/**
 * Whether a session was started from within another one, by a tool or a hook. Memory ignores such sessions: a program that
 * starts an assistant on every event would otherwise feed on itself. The policy applies to them all the same.
 *
 * The assistant sets its variables for every process that it starts, including our hooks, so they prove nothing by
 * themselves. A child session is recognised if the assistant itself was started with them, or if they name another session
 * than this one.
 */
export function isChildSession(input: HookInput, environment: Environment, parentPid = process.ppid): boolean {
  if (input.agentId !== undefined) return true;
  const { assistantSessionId } = environment;
  if (assistantSessionId !== undefined && input.sessionId !== undefined && assistantSessionId !== input.sessionId)
    return true;
  return startedWithVariables(parentPid);
}

function startedWithVariables(pid: number): boolean {
  try {
    const started = fs.readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return started.includes("CLAUDE_CODE_CHILD_SESSION=1");
  } catch {
    // The file does not exist outside Linux, and is unreadable for other users' processes.
    return false;
  }
}
