import * as fs from "node:fs";
import { basename, join } from "node:path";
import { ensurePrivateDir, statIfExists, tryStat } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { namesFolder } from "../memory/index-file.ts";
import { readLimits } from "../memory/memory-limits.ts";
import type { LoadedPolicy } from "../policy/policy-store.ts";
import { type Harness, hasCallsInTranscript } from "../harness/harness.ts";
import { TOOL_KINDS, type ToolKind, mayConcern } from "../policy/tool-kinds.ts";
import type { HookCall } from "./hook-session.ts";
import { usesMemory } from "./session-steps.ts";
import { setWatchEnd } from "./steered-call.ts";
import { isTurnRecorded } from "./undo-steps.ts";

/**
 * A pass of a session says that nothing has to be done before calls of a kind of tools, so that the hook's shell, or opencode's
 * plugin, does not start this program. The conditions that these check are in `settings/hook-command.ts` and the plugin: the file with
 * the kind's name exists and is not older than the rules, and `PASSED_UNTIL` is newer than now. In Claude Code the time is that of the
 * transcript, which every call writes to.
 */
export const PASSED_UNTIL = "until";
/** A link to the session's transcript. */
const TRANSCRIPT = "transcript";
/** A link to the names of files that have no pass, because there are memories about them. */
const NAMED = "named";
/** Hooks of an earlier version search it for such names, and find one in every call. */
const NAMES = "names";
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
  return isTimedByTranscript(harness) ? environment.assistantSessionId : input.sessionId;
}

function isTimedByTranscript({ id }: Harness): boolean {
  return id === "claude-code";
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
  const { sessionId, transcriptPath } = input;
  const directory = passesOfSession(home, passedSession(call));
  // Another session of Claude Code that was started from within this one has its variables.
  const isOwn = input.event === "PreToolUse" && harness.id !== "cursor" && sessionId === passedSession(call);
  // Others need no transcript to know the time.
  const hasClock = transcriptPath !== undefined || !isTimedByTranscript(harness);
  // Every hook reports a problem with the rules.
  if (!isOwn || directory === undefined || !hasClock || problems.length > 0) return false;
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
  const isFresh = modifiedMs(join(directory, PASSED_UNTIL)) > nowMs + VALID_MS / 2;
  if (isFresh && kinds.every(isValid)) return false;
  fs.rmSync(directory, { recursive: true, force: true });
  ensurePrivateDir(directory);
  const touch = (name: string, ms: number, text = ""): void => {
    const path = join(directory, name);
    fs.writeFileSync(path, text, { mode: 0o600 });
    fs.utimesSync(path, ms / 1_000, ms / 1_000);
  };
  if (transcriptPath !== undefined) fs.symlinkSync(transcriptPath, join(directory, TRANSCRIPT));
  const isKept = !hasCallsInTranscript(harness);
  if (!isKept || !switches.events || config.kind === "missing") touch(UNKEPT, nowMs);
  if (isKept) ensurePrivateDir(join(home.calls, basename(directory)));
  if (names) {
    fs.symlinkSync(names, join(directory, NAMED));
    touch(NAMES, nowMs, "\n");
  }
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
