import * as fs from "node:fs";
import { basename, join } from "node:path";
import { describeError, tryStat } from "../files/atomic-file.ts";
import { PASSED_UNTIL } from "../hook/passes.ts";
import { findProject } from "../project/project.ts";
import { keptCalls, keptFolders, removeIfEmpty } from "./kept-calls.ts";
import { type CallDeps, spoolCall, waitForSession } from "./spool-call.ts";

/**
 * Records the calls that hooks of assistants without results in their transcripts have kept, in their order, until the time runs out.
 * Each is removed when it is in the spool; one that a process which died has put there already counts once. Returns the first problem.
 */
export async function recordKeptCalls(deps: CallDeps, end: number): Promise<string | undefined> {
  const { home, now } = deps;
  const projects = new Map<string, string>();
  const projectOf = (folder: string): string => {
    const identity = projects.get(folder) ?? findProject(folder).identity;
    projects.set(folder, identity);
    return identity;
  };
  for (const folder of keptFolders(home.calls)) {
    const unlock = await waitForSession(deps, folder, end);
    if (unlock === undefined) continue;
    try {
      for (const call of keptCalls(folder, now())) {
        if (now() > end) break;
        spoolCall(deps, { ...call, project: projectOf(call.input.cwd ?? "/") });
        fs.rmSync(call.path, { force: true });
      }
      // While the session has passes, another call may be kept.
      const passedUntil = tryStat(join(home.passes, basename(folder), PASSED_UNTIL))?.mtimeMs ?? 0;
      if (passedUntil < now()) removeIfEmpty(folder);
    } catch (error) {
      return `the calls of a session could not be recorded: ${describeError(error)}`;
    } finally {
      unlock();
    }
  }
  return undefined;
}
