import { sinceStartMs } from "../clock.ts";
import { describeError } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { MAX_HELPER_LIFETIME_MS } from "../hook/helper-process.ts";
import { shownName } from "../text/shown-name.ts";
import { acquireLock, pause } from "./file-lock.ts";
import { pruneProjects } from "./prune.ts";
import { toText } from "./raw-path.ts";
import { notedTurns, noteFiles } from "./noted-files.ts";
import { IncompleteError, type LeftOutReason } from "./record-tree.ts";
import { spanOf, turnChanges } from "./turn-changes.ts";
import {
  type Turn,
  continueTurn,
  currentTurn,
  isOfTurn,
  isRecorded,
  laterNumber,
  leaveChanges,
  leaveFailure,
  needsHelper,
  turnAgeMs,
  turnPath,
} from "./turn-state.ts";
import { readUndoLimits } from "./undo-limits.ts";
import { shownChanges } from "./undo-turn.ts";
import {
  type TurnEnd,
  type TurnFailure,
  type TurnRecord,
  UndoStore,
  giveUp,
  lockPathOf,
  readTurn,
} from "./undo-store.ts";

/** The dashboard shows no more of them. */
const MAX_REPORTED_FILES = 100;

export { UndoCommand } from "./undo-command.ts";
export { unrecordedFiles } from "./unrecorded.ts";

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
  /** When to stop in any case, on the clock of `sinceStartMs`. */
  readonly endMs?: number;
  /** Whether a call runs then: what is not recorded until then never will be, since it is not the turn's start any more. */
  readonly isFinal: boolean;
}

/** Less than five seconds in all. */
const HELPER_TIME: RecordTime = { waitMs: 1_500, recordMs: 2_500, endMs: 3_000, isFinal: false };
/** What makes a record incomplete. */
const WHY_MISSING: ReadonlyMap<LeftOutReason, string> = new Map([
  ["large", "is too large"],
  ["unreadable", "cannot be read"],
  ["changed", "was changed before it could be recorded"],
]);
/** What has just been written is read again by whatever records next; after so long, it need not be. */
const SETTLED_AFTER_MS = 150;
/** So long a call may find the project locked by a helper that forgets old turns. */
const PRUNE_MS = 700;

/**
 * What a helper does: it reads a project before its first turn, or records the start or the end of one. Its exit code means nothing to
 * anyone.
 */
export function recordInBackground(home: Home, args: readonly string[]): number {
  const [session, number, root, moment] = args;
  if (session === undefined || root === undefined) return 1;
  if (moment === "ahead") return readAhead(home, root, { ...HELPER_TIME, waitMs: 0 }) ? 0 : 1;
  const turn = { session, number: Number(number), root };
  const isComplete =
    moment === "turn" || moment === "session"
      ? recordEnd(home, turn, HELPER_TIME, moment)
      : recordTurn(home, turn, HELPER_TIME).isComplete;
  pruneProjects(home, root, Math.min(sinceStartMs() + PRUNE_MS, MAX_HELPER_LIFETIME_MS));
  return isComplete ? 0 : 1;
}

/**
 * Records the project for a turn unless that was done before, waiting for another process that is doing it. Returns when
 * everything that will ever be recorded of the turn's start is on disk. Never throws.
 */
export function recordTurn(home: Home, turn: Turn, time: RecordTime): RecordOutcome {
  const outcome = withLock(home, turn, time, (endMs) => {
    const known = readTurn(turnPath(home, turn));
    return known === undefined ? recordLocked(home, turn, endMs) : outcomeOf(known);
  });
  // Nobody sees what a helper finds, and the next call need not record anything.
  if (!outcome.isComplete && !time.isFinal && isRecorded(home, turn)) leaveFailure(home, turn.session, outcome.reason);
  return outcome;
}

/**
 * Makes sure that a call can be undone which changes nothing but these files, without waiting until the helper of its prompt has
 * recorded the start of the turn. Returns whether it could; the project has to be recorded otherwise. Never throws.
 */
export function noteBefore(home: Home, turn: Turn, files: readonly string[]): boolean {
  const isBeingRecorded = needsHelper(home, turn.root) && turnAgeMs(home, turn.session) < MAX_HELPER_LIFETIME_MS;
  return files.length > 0 && isBeingRecorded && noteFiles(home, turn, files);
}

/**
 * Reads a project that has not been recorded yet, so that its first turn takes less time. Returns whether all of it was read. Never
 * throws.
 */
export function readAhead(home: Home, root: string, time: RecordTime): boolean {
  pause(SETTLED_AFTER_MS);
  const outcome = tryWithLock(home, { session: "", number: 0, root }, time, (endMs) => {
    const store = new UndoStore(home, root);
    try {
      store.readAhead({ ...readUndoLimits(home.config), endMs });
      return { isComplete: true, leftOut: [], hasGitOutside: false };
    } finally {
      store.close();
    }
  });
  return outcome.isComplete;
}

/**
 * Records the project right before a call that would destroy much, though the turn was recorded before: what was written in the
 * turn since can then be brought back as well. Never throws.
 */
export function recordCheckpoint(home: Home, turn: Turn, time: RecordTime): RecordOutcome {
  return withLock(home, turn, time, (endMs) => {
    const store = new UndoStore(home, turn.root);
    const last = store.attemptsOf(turn).at(-1);
    const checkpoint = nextIn(turn, last);
    const outcome = whole(recordLocked(home, checkpoint, endMs));
    const record = readTurn(turnPath(home, checkpoint));
    const isSame =
      record !== undefined &&
      last !== undefined &&
      isTree(record) &&
      isTree(last) &&
      record.tree === last.tree &&
      JSON.stringify(record.leftOut) === JSON.stringify(last.leftOut);
    if (isSame && last.end === undefined) store.remove(record);
    continueTurn(home, turn);
    return outcome;
  });
}

/**
 * Records the project before the first call of a turn that goes on after its end, so that what others changed in between does not
 * count as the turn's. Never throws.
 */
export function recordContinuation(home: Home, turn: Turn, time: RecordTime): RecordOutcome {
  const outcome = withLock(home, turn, time, (endMs) => {
    const last = new UndoStore(home, turn.root).attemptsOf(turn).at(-1);
    const isDone = last !== undefined && !(isTree(last) && last.end !== undefined);
    const recorded = isDone ? outcomeOf(last) : recordLocked(home, nextIn(turn, last), endMs);
    // Under the lock, so that a helper which is about to record the end does not.
    continueTurn(home, turn);
    return recorded;
  });
  continueTurn(home, turn);
  return outcome;
}

/**
 * Records what the project is like at the end of a turn, if its start was recorded and nothing has gone on since. Returns whether
 * it was. Never throws.
 */
export function recordEnd(home: Home, turn: Turn, time: RecordTime, end: TurnEnd): boolean {
  const outcome = tryWithLock(home, turn, time, (endMs) => {
    const store = new UndoStore(home, turn.root);
    const records = store.attemptsOf(turn);
    if (!records.some(isTree) || !isStillEnded(home, turn)) return { isComplete: false, reason: "it has not ended" };
    const ended = nextIn(turn, records.at(-1));
    const recorded = recordLocked(home, ended, endMs, end);
    // A call that waited too long goes on regardless.
    if (!isStillEnded(home, turn)) store.remove({ session: turn.session, turn: ended.number });
    return recorded;
  });
  return outcome.isComplete;
}

/** Also while no call of the next turn may have changed anything. */
function isStillEnded(home: Home, turn: Turn): boolean {
  const current = currentTurn(home, turn.session, turn.root);
  return current?.number === turn.number ? current.isEnded : current !== undefined && !isRecorded(home, current);
}

/** What is to be recorded next in a turn: its start, if nothing is yet. */
function nextIn(turn: Turn, last: TurnRecord | TurnFailure | undefined): Turn {
  if (last === undefined) return turn;
  const number = laterNumber(last.turn);
  if (!isOfTurn(number, turn.number)) throw new IncompleteError("it was recorded too often in this turn");
  return { ...turn, number };
}

function isTree(record: TurnRecord | TurnFailure): record is TurnRecord {
  return "tree" in record;
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
      const endMs = Math.min(sinceStartMs() + time.recordMs, time.endMs ?? Infinity);
      for (const noted of notedTurns(home, turn.root)) recordNoted(home, noted, endMs);
      return record(endMs);
    } finally {
      lock.release();
    }
  } catch (error) {
    return { isComplete: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What is to be recorded now depends on no other turn. */
function recordNoted(home: Home, turn: Turn, endMs: number): void {
  try {
    recordLocked(home, turn, endMs);
  } catch {
    // It is tried again the next time, unless it has been given up.
  }
}

function recordLocked(home: Home, turn: Turn, endMs: number, end?: TurnEnd): RecordOutcome {
  const store = new UndoStore(home, turn.root);
  try {
    const record = store.record(turn, { ...readUndoLimits(home.config), endMs }, { end });
    reportChanges(home, store, turn, record);
    return outcomeOf(record);
  } catch (error) {
    if (end === undefined && !(error instanceof IncompleteError && error.isTimeout))
      giveUp(home, turn, describeError(error));
    throw error;
  } finally {
    store.close();
  }
}

/**
 * Leaves what a turn changed for the dashboard: at its end, otherwise at the start of the next one. Nothing depends on it.
 */
function reportChanges(home: Home, store: UndoStore, turn: Turn, record: TurnRecord): void {
  try {
    const isStart = Number.isInteger(turn.number);
    const start = isStart
      ? recordBefore(home, turn)
      : readTurn(turnPath(home, { ...turn, number: Math.floor(turn.number) }));
    if (start === undefined || !isTree(start) || (!isStart && record.end === undefined)) return;
    const records = store.attemptsOf({ ...turn, number: start.turn }).filter(isTree);
    const span = spanOf(isStart ? [...records, record] : records, start, () => record);
    if (isStart && span.until !== "next-turn") return;
    const changes = shownChanges(turnChanges(store.objects, span));
    if (changes.length === 0) return;
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
  const missing = record.leftOut.find(({ reason }) => WHY_MISSING.has(reason));
  if (missing !== undefined) {
    const why = WHY_MISSING.get(missing.reason) ?? "";
    return { isComplete: false, reason: `${shownName(toText(missing.path))} ${why}` };
  }
  const hasGitOutside = record.leftOut.some(({ reason }) => reason === "outside");
  return { isComplete: true, leftOut: record.leftOut.map(({ path }) => toText(path)), hasGitOutside };
}
