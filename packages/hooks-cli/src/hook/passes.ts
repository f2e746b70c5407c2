import * as fs from "node:fs";
import { basename, join } from "node:path";
import { ensurePrivateDir, statIfExists, tryStat } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { namesFolder } from "../memory/index-file.ts";
import { readLimits } from "../memory/memory-limits.ts";
import type { LoadedPolicy } from "../policy/policy-store.ts";
import { hasCallsInTranscript } from "../harness/harness.ts";
import { TOOL_KINDS, type ToolKind, mayConcern } from "../policy/tool-kinds.ts";
import type { HookCall } from "./hook-session.ts";
import { usesMemory } from "./session-steps.ts";
import { setWatchEnd } from "./steered-call.ts";
import { isTurnRecorded } from "./undo-steps.ts";

/**
 * A pass of a session says that nothing has to be done before calls of a kind of tools, so that the hook's shell, or opencode's
 * plugin, does not start this program. The conditions that these check are in `settings/hook-command.ts` and the plugin: the file with
 * the kind's name exists and is not older than the rules, and it is now between that and `PASSED_UNTIL`.
 */
export const PASSED_UNTIL = "end";
/** A link to the names of files that have no pass, because there are memories about them. */
const NAMED = "named";
/** Says that calls need not be kept, since they are not recorded. */
const UNKEPT = "unkept";

/** So long a pass is valid at most: what a long turn does is sent as often, and a change that nobody noticed applies by then. */
const VALID_MS = 30_000;
/** A pass counts as that much older, since some shells compare times by the second. */
const AGE_MS = 1_000;

/** The folder of a session's passes. */
export function passesOfSession({ passes }: Home, session: string | undefined): string | undefined {
  return session !== undefined && /^[\w-]{8,100}$/.test(session) ? join(passes, session) : undefined;
}

/** The session as the hook's shell knows it. Claude Code names it in the environment, where it may also be that of a parent. */
function passedSession({ harness, environment, input }: HookCall): string | undefined {
  return harness.id === "claude-code" ? environment.assistantSessionId : input.sessionId;
}

/** Withdraws the passes of a session, and ends its watch: before each turn, since its start has to be recorded, and after it. */
export function withdrawPasses(call: HookCall): void {
  const { home, input, now } = call;
  const directory = passesOfSession(home, passedSession(call));
  if (directory !== undefined) fs.rmSync(directory, { recursive: true, force: true });
  if (input.sessionId !== undefined) setWatchEnd(home, input.sessionId, now());
}

/**
 * Gives a session passes for those kinds of tools before which nothing has to be done for the rest of the turn. Returns whether it
 * has been a while since that was last done: it is also the time to send what the turn did.
 */
export function givePasses(call: HookCall, { policy, problems }: LoadedPolicy): boolean {
  const { home, harness, switches, config, input, now } = call;
  const { sessionId } = input;
  const directory = passesOfSession(home, passedSession(call));
  // Another session of Claude Code that was started from within this one has its variables.
  const isOwn = input.event === "PreToolUse" && harness.id !== "cursor" && sessionId === passedSession(call);
  // Every hook reports a problem with the rules.
  if (!isOwn || directory === undefined || problems.length > 0) return false;
  const isRecorded = isTurnRecorded(call);
  const names = namesOf(call);
  const kinds = TOOL_KINDS.filter(
    (kind) =>
      !mayConcern(policy, kind) &&
      (isRecorded || kind === "read") &&
      (names !== undefined || kind === "shell" || kind === "other"),
  );
  const nowMs = now();
  const modifiedMs = (path: string): number => statIfExists(path)?.mtimeMs ?? 0;
  const rulesMs = modifiedMs(home.policy);
  const isValid = (kind: ToolKind): boolean => modifiedMs(join(directory, kind)) >= rulesMs;
  const leftMs = modifiedMs(join(directory, PASSED_UNTIL)) - nowMs;
  // More is left only if the clock was set back.
  const isFresh = leftMs > VALID_MS / 2 && leftMs <= VALID_MS;
  if (isFresh && kinds.every(isValid)) return false;
  fs.rmSync(directory, { recursive: true, force: true });
  ensurePrivateDir(directory);
  const touch = (name: string, ms: number): void => {
    const path = join(directory, name);
    fs.writeFileSync(path, "", { mode: 0o600 });
    fs.utimesSync(path, ms / 1_000, ms / 1_000);
  };
  const isKept = !hasCallsInTranscript(harness);
  if (!isKept || !switches.events || config.kind === "missing") touch(UNKEPT, nowMs);
  if (isKept) ensurePrivateDir(join(home.calls, basename(directory)));
  if (names) fs.symlinkSync(names, join(directory, NAMED));
  touch(PASSED_UNTIL, nowMs + VALID_MS);
  for (const kind of kinds) touch(kind, nowMs - AGE_MS);
  return true;
}

/** The folder of the names of files that memories mention; empty if the session is given none about files, undefined if not known. */
function namesOf(call: HookCall): string | undefined {
  const { home, project } = call;
  // A subagent is given none, but its session's passes are those of the whole session.
  const session = { ...call, input: { ...call.input, agentId: undefined } };
  if (call.event.takesContext !== true || !usesMemory(session) || readLimits(home, project).file === 0) return "";
  const folder = namesFolder(home, project.identity);
  return tryStat(folder) && folder;
}
