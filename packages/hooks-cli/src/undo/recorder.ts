import { sinceStartMs } from "../clock.ts";
import { describeError } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { compareTrees } from "./compare-trees.ts";
import { acquireLock } from "./file-lock.ts";
import { toText } from "./raw-path.ts";
import { IncompleteError } from "./record-tree.ts";
import { CHECKPOINTS, type Turn, isOfTurn, leaveChanges, turnPath } from "./turn-state.ts";
import { readUndoLimits } from "./undo-limits.ts";
import { shownChanges } from "./undo-turn.ts";
import { type TurnFailure, type TurnRecord, UndoStore, giveUp, lockPathOf, readTurn } from "./undo-store.ts";

/** The dashboard shows no more of them. */
const MAX_REPORTED_FILES = 100;

export { pruneProjects } from "./prune.ts";
export { UndoCommand } from "./undo-command.ts";

/** Whether what a call may destroy can be brought back. */
export type RecordOutcome =
  | {
      readonly isComplete: true;
      /** What was left out by the rules about what is recorded: paths from the root. */
      readonly leftOut: readonly string[];
      /** Whether a repository's own files are outside the project, as those of a linked worktree are. */
      readonly hasGitOutside: boolean;
    }
  | { readonly isComplete: false; readonly reason: string };

export interface RecordTime {
  /** How long to wait for another process that is recording, and how long to record then. */
  readonly waitMs: number;
  readonly recordMs: number;
  /** Whether a call runs then: what is not recorded until then never will be, since it is not the turn's start any more. */
  readonly isFinal: boolean;
}

/**
 * Records the project for a turn unless that was done before, waiting for another process that is doing it. Returns when
 * everything that will ever be recorded of the turn's start is on disk. Never throws.
 */
export function recordTurn(home: Home, turn: Turn, time: RecordTime): RecordOutcome {
  return withLock(home, turn, time, (endMs) => {
    const known = readTurn(turnPath(home, turn));
    return known === undefined ? recordLocked(home, turn, endMs) : outcomeOf(known);
  });
}

/**
 * Records the project right before a call that would destroy much, though the turn was recorded before: what was written in the
 * turn since can then be brought back as well. Never throws.
 */
export function recordCheckpoint(home: Home, turn: Turn, time: RecordTime): RecordOutcome {
  return withLock(home, turn, time, (endMs) => {
    const store = new UndoStore(home, turn.root);
    const last = store.attempts.findLast(
      (record) => record.session === turn.session && isOfTurn(record.turn, turn.number),
    );
    if (last === undefined) return whole(recordLocked(home, turn, endMs));
    const checkpoint = { ...turn, number: Math.round(last.turn * CHECKPOINTS + 1) / CHECKPOINTS };
    if (!isOfTurn(checkpoint.number, turn.number)) throw new IncompleteError("it was recorded too often in this turn");
    const outcome = whole(recordLocked(home, checkpoint, endMs));
    const record = readTurn(turnPath(home, checkpoint));
    if (record !== undefined && "tree" in record && "tree" in last && record.tree === last.tree) store.remove(record);
    return outcome;
  });
}

/** A linked worktree's references and index are not in it. Files that the rules leave out can be made again. */
function whole(outcome: RecordOutcome): RecordOutcome {
  if (!outcome.isComplete || !outcome.hasGitOutside) return outcome;
  return { isComplete: false, reason: "the repository's own files are outside the project" };
}

function withLock(home: Home, turn: Turn, time: RecordTime, record: (endMs: number) => RecordOutcome): RecordOutcome {
  const outcome = tryWithLock(home, turn, time, record);
  if (!outcome.isComplete && time.isFinal) giveUp(home, turn, outcome.reason);
  return outcome;
}

function tryWithLock(
  home: Home,
  turn: Turn,
  time: RecordTime,
  record: (endMs: number) => RecordOutcome,
): RecordOutcome {
  try {
    const lock = acquireLock(lockPathOf(home, turn.root), sinceStartMs() + time.waitMs);
    if (lock === undefined) return { isComplete: false, reason: "it is still being recorded" };
    try {
      return record(sinceStartMs() + time.recordMs);
    } finally {
      lock.release();
    }
  } catch (error) {
    return { isComplete: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function recordLocked(home: Home, turn: Turn, endMs: number): RecordOutcome {
  const store = new UndoStore(home, turn.root);
  try {
    const record = store.record(turn, { ...readUndoLimits(home.config), endMs });
    reportChanges(home, store, turn, record);
    return outcomeOf(record);
  } catch (error) {
    if (!(error instanceof IncompleteError && error.isTimeout)) giveUp(home, turn, describeError(error));
    throw error;
  } finally {
    store.close();
  }
}

/** Leaves what the turn before this one changed, as far as it was recorded, for the dashboard. Nothing depends on it. */
function reportChanges(home: Home, store: UndoStore, turn: Turn, end: TurnRecord): void {
  try {
    const start = Number.isInteger(turn.number) ? recordBefore(home, turn) : undefined;
    const changes = start === undefined ? [] : shownChanges(compareTrees(store.objects, start.tree, end.tree));
    if (start === undefined || changes.length === 0) return;
    const files = changes.slice(0, MAX_REPORTED_FILES).map(({ path, kind }) => ({ path, change: kind }));
    leaveChanges(home, turn.session, { turn: start.turn, root: turn.root, total: changes.length, files });
  } catch {
    // The undo command compares them as well.
  }
}

/** The last turn of the session before this one that was recorded. */
function recordBefore(home: Home, turn: Turn): TurnRecord | undefined {
  for (let number = turn.number - 1; number >= 1; number -= 1) {
    const record = readTurn(turnPath(home, { ...turn, number }));
    if (record !== undefined && "tree" in record) return record;
  }
  return undefined;
}

function outcomeOf(record: TurnRecord | TurnFailure): RecordOutcome {
  if ("cause" in record) return { isComplete: false, reason: record.cause };
  const missing = record.leftOut.find(({ reason }) => reason === "large" || reason === "unreadable");
  if (missing !== undefined) {
    const why = missing.reason === "large" ? "is too large" : "cannot be read";
    return { isComplete: false, reason: `${toText(missing.path)} ${why}` };
  }
  const hasGitOutside = record.leftOut.some(({ reason }) => reason === "outside");
  return { isComplete: true, leftOut: record.leftOut.map(({ path }) => toText(path)), hasGitOutside };
}
