import * as fs from "node:fs";
import type { Environment } from "../environment.ts";
import type { HookInput } from "../harness/harness.ts";

/**
 * Whether a session was started from within another one, by a tool or a hook. Memory leaves such sessions alone: a program
 * that starts an assistant at every event would otherwise feed on itself. The guard holds in them all the same.
 *
 * The assistant sets its marks for everything that it starts, our hooks included, so they say nothing by themselves. What
 * says it is that the assistant itself was started with them, or that they name another session than this one.
 */
export function isChildSession(input: HookInput, environment: Environment, parentPid = process.ppid): boolean {
  if (input.agentId !== undefined) return true;
  const { assistantSessionId } = environment;
  if (assistantSessionId !== undefined && input.sessionId !== undefined && assistantSessionId !== input.sessionId)
    return true;
  return startedWithMarks(parentPid);
}

function startedWithMarks(pid: number): boolean {
  try {
    const started = fs.readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return started.includes("CLAUDE_CODE_CHILD_SESSION=1");
  } catch {
    // There is no such file outside of Linux, and none for other users' processes.
    return false;
  }
}
