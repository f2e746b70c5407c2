import * as fs from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../environment.ts";
import { describeError } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { type HookTool, definedOnly } from "../harness/harness.ts";
import type { JsonRecord } from "../json/json-value.ts";
import { interpretTool } from "../policy/tool-call.ts";
import { isBelow } from "../policy/file-location.ts";
import { findRepository } from "../project/project.ts";
import type { RecordOutcome } from "../undo/recorder.ts";
import type { TurnEnd } from "../undo/undo-store.ts";
import {
  type SessionTurn,
  type Turn,
  UNDO_SESSION,
  beginTurn,
  cachePath,
  currentTurn,
  endTurn,
  hasFailure,
  isLarge,
  isRecorded,
  needsHelper,
  takeChanges,
  takeFailure,
  turnNumber,
} from "../undo/turn-state.ts";
import { startHelper } from "./helper-process.ts";
import type { HookCall, Report } from "./hook-session.ts";

/** The command of the helper that records the start of a turn, or its end. */
export const RECORD_TURN = "record-turn";

const NOTED: RecordOutcome = { isComplete: true, leftOut: [], hasGitOutside: false };

/** A call has some seconds, so that what it destroys is recorded even on a busy machine. */
const CALL_TIME = { waitMs: 3_000, recordMs: 2_000, isFinal: true };

/**
 * Reading a large project for the first time takes longer than a helper has, so it begins when a session starts, while the person
 * writes the prompt.
 */
export async function readAheadOfTurns(call: HookCall): Promise<void> {
  const turn = turnOf(call);
  if (turn !== undefined && !fs.existsSync(cachePath(call.home, turn.root)))
    await recordLater(call.home, turn, "ahead");
}

/**
 * Begins a turn. If recording the project takes a while, a helper does it while the model thinks, so that the first call that
 * changes files need not wait.
 */
export async function startTurn(call: HookCall, report: Report): Promise<void> {
  const { home, input } = call;
  const root = recordedRoot(call);
  if (root === undefined || input.sessionId === undefined) return;
  try {
    const last = currentTurn(home, input.sessionId, root);
    // Where the end of the turn before is not known, this is it.
    const isOpen = last !== undefined && !last.isEnded && isRecorded(home, last);
    const turn = beginTurn(home, input.sessionId, root);
    if (isOpen || needsHelper(home, root)) await recordLater(call.home, turn);
  } catch (error) {
    report(`the turn could not be recorded (${describeError(error)})`);
  }
}

/**
 * Ends a turn: a helper records what the project is like now, so that nothing which is changed later counts as the turn's. There
 * is nothing to record if its start was not.
 */
export async function finishTurn(call: HookCall, report: Report): Promise<void> {
  const { home, input } = call;
  const turn = input.agentId === undefined ? turnOf(call) : undefined;
  if (turn === undefined || turn.isEnded) return;
  try {
    if (!isRecorded(home, turn) && !needsHelper(home, turn.root)) return;
    endTurn(home, turn);
    await recordLater(call.home, turn, input.event === "SessionEnd" ? "session" : "turn");
  } catch (error) {
    report(`the end of the turn could not be recorded (${describeError(error)})`);
  }
}

/**
 * An undo does not read what it has written, but whatever records the project next has to, and a call has less time for that than a
 * helper which begins now.
 */
export async function readAfterUndo(home: Home, root: string): Promise<void> {
  if (isLarge(home, root)) await recordLater(home, { session: UNDO_SESSION, number: 0, root }, "ahead");
}

async function recordLater(home: Home, turn: Turn, ...moment: readonly (TurnEnd | "ahead")[]): Promise<void> {
  const args = [RECORD_TURN, turn.session, String(turn.number), turn.root, ...moment];
  await startHelper(process.argv[1] ?? home.launcher, args);
}

/** The helper. */
export async function recordInBackground(args: readonly string[], { home }: Environment): Promise<number> {
  return home === undefined ? 1 : (await import("../undo/recorder.ts")).recordInBackground(home, args);
}

/** What the dashboard needs to know of a recorded turn: its number, and once what the turn before it changed. */
export function turnRecord({ home, input, switches }: HookCall): JsonRecord | undefined {
  if (!switches.undo || input.sessionId === undefined) return undefined;
  const isLater = input.event === "PostToolUse" || input.event === "PostToolUseFailure" || input.event === "SessionEnd";
  return turnOfSession(home, input.sessionId, isLater);
}

/** The same for an event that a helper finds in a transcript. */
export function turnOfSession(home: Home, sessionId: string, takesChanges = true): JsonRecord | undefined {
  const number = turnNumber(home, sessionId);
  if (number === undefined) return undefined;
  return definedOnly({ number, changed: takesChanges ? takeChanges(home, sessionId) : undefined });
}

/**
 * Records the project right before a call that would destroy much, so that it can be undone to the moment before. Undefined if
 * nothing is recorded here: it is switched off, the folder is too wide, or the assistant names no session.
 */
export async function recordBefore(call: HookCall): Promise<RecordOutcome | undefined> {
  const turn = turnOf(call);
  if (turn === undefined) return undefined;
  return recordWith(async () => (await import("../undo/recorder.ts")).recordCheckpoint(call.home, turn, CALL_TIME));
}

/**
 * Makes sure, before a call that may change files, that the start of the turn is recorded. Returns a warning if the turn cannot be
 * undone, once in it.
 */
export async function recordIfChanging(call: HookCall, report: Report): Promise<string | undefined> {
  const { home, input } = call;
  const { tool } = input;
  if (input.event !== "PreToolUse" || tool === undefined || !mayChangeFiles(tool)) return undefined;
  const turn = turnOf(call);
  if (turn === undefined) return undefined;
  let reason: string | undefined;
  if (!isCovered(home, turn)) {
    const outcome = await recordWith(async () => {
      const { noteBefore, recordContinuation, recordTurn } = await import("../undo/recorder.ts");
      if (turn.isEnded) return recordContinuation(home, turn, CALL_TIME);
      return noteBefore(home, turn, editedFiles(call, tool)) ? NOTED : recordTurn(home, turn, CALL_TIME);
    });
    if (!outcome.isComplete) reason = outcome.reason;
  }
  // What a helper found is said once, and not again by the call that waited for it.
  const left = takeFailure(home, turn.session);
  reason ??= left;
  if (reason === undefined) return undefined;
  const warning = `This turn cannot be undone completely: ${reason}.`;
  report(warning);
  return warning;
}

/** What this turn's record does not hold though it may be dear, as absolute paths. */
export async function unrecordedBefore(call: HookCall): Promise<readonly string[]> {
  const turn = turnOf(call);
  return turn === undefined ? [] : (await import("../undo/recorder.ts")).unrecordedFiles(call.home, turn);
}

/** Whether nothing of the project remains to be recorded in this turn before a call that changes files. */
export function isTurnRecorded(call: HookCall): boolean {
  const turn = turnOf(call);
  return turn === undefined || (isCovered(call.home, turn) && !hasFailure(call.home, turn.session));
}

function isCovered(home: Home, turn: SessionTurn): boolean {
  return isRecorded(home, turn) && !turn.isEnded;
}

/** A recorder that cannot be loaded must not fail the call. */
async function recordWith(record: () => Promise<RecordOutcome>): Promise<RecordOutcome> {
  try {
    return await record();
  } catch (error) {
    return { isComplete: false, reason: describeError(error) };
  }
}

/** The turn that a call belongs to. Without a prompt, or if the disk does not take it, it is the first one. */
export function turnOf(call: HookCall): SessionTurn | undefined {
  const { sessionId } = call.input;
  const root = sessionId === undefined ? undefined : recordedRoot(call);
  if (sessionId === undefined || root === undefined) return undefined;
  return currentTurn(call.home, sessionId, root) ?? { session: sessionId, number: 1, root, isEnded: false };
}

/**
 * The folder to record: that of the repository, since a call may change all of it. A home folder and what contains it are too
 * wide.
 */
function recordedRoot({ project, switches, environment }: HookCall): string | undefined {
  if (!switches.undo) return undefined;
  try {
    const directory = fs.realpathSync(project.root);
    const home = environment.userHome === undefined ? undefined : fs.realpathSync(environment.userHome);
    const isTooWide = (root: string): boolean =>
      root === "/" || (home !== undefined && (root === home || isBelow(home, root)));
    const root = findRepository(directory)?.root ?? directory;
    return [root, directory].find((candidate) => !isTooWide(candidate));
  } catch {
    return undefined;
  }
}

/** The files that a call changes, if it is known that it changes nothing else. */
function editedFiles({ cwd }: HookCall, { name, input }: HookTool): readonly string[] {
  const { commonName, script, files } = interpretTool(name, input);
  const isKnown = script === undefined && (commonName === "Edit" || commonName === "Write");
  return isKnown ? files.map(({ path }) => resolve(cwd, path)) : [];
}

/** A script without any syntax that only reads: most calls of a shell that change nothing. */
const READS = /^(?:ls|cat|head|tail|wc|pwd|grep|rg|which|git (?:status|log|diff|show|branch -a))\b[\w\s./:=@%+,*-]*$/;

/** Whether a tool may change files, as far as its name and its input say. */
export function mayChangeFiles({ name, input }: HookTool): boolean {
  const { commonName, script, files } = interpretTool(name, input);
  if (script !== undefined) return !READS.test(script.trim());
  return (
    commonName === "Bash" ||
    commonName === "Edit" ||
    commonName === "Write" ||
    commonName === "Delete" ||
    files.some(({ access }) => access !== "read")
  );
}
