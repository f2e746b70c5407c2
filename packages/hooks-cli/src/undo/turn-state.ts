import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir, temporaryPathFor, tryReadRecord, tryStat, writeFileAtomic } from "../files/atomic-file.ts";
import { fileNameFor, sessionFileName } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";
import { type JsonRecord, numberAt, stringAt } from "../json/json-value.ts";

/** A turn of a session: from one prompt to the next. */
export interface Turn {
  readonly session: string;
  /** Counted from 1. What was recorded later in a turn has hundredths: 3.01 is within turn 3. */
  readonly number: number;
  /** The folder that is recorded, with links resolved. */
  readonly root: string;
}

/** The turn that a session is in, or was in when it ended. */
export interface SessionTurn extends Turn {
  /** Whether the assistant has finished. It may go on without a prompt, for example when something in the background is done. */
  readonly isEnded: boolean;
}

/** The session under which the states before and after each undo are recorded, so that an undo can be undone. */
export const UNDO_SESSION = "undo";

/** So many times less one a turn can be recorded again. */
const CHECKPOINTS = 100;

/** The number of what is recorded next in a turn. */
export function laterNumber(number: number): number {
  return Math.round(number * CHECKPOINTS + 1) / CHECKPOINTS;
}

/** Whether a record with this number belongs to a turn. */
export function isOfTurn(number: number, turn: number): boolean {
  return Math.floor(number) === turn;
}

/** So long a helper may compare the end of a turn with its start after it has recorded it. */
const COMPARING_MS = 100;

/** Begins the next turn of a session. */
export function beginTurn(home: Home, session: string, root: string): Turn {
  const turn = { session, root, number: (turnNumber(home, session) ?? 0) + 1 };
  rmSync(failurePath(home, session), { force: true });
  writeTurn(home, turn);
  return turn;
}

/** Notes that the assistant has finished the turn. */
export function endTurn(home: Home, { session, root, number }: Turn): void {
  writeTurn(home, { session, root, number, isEnded: true });
}

/** Notes that the assistant works on in a turn that it had finished. */
export function continueTurn(home: Home, { session, root, number }: Turn): void {
  const current = currentTurn(home, session, root);
  if (current?.number === number && current.isEnded) writeTurn(home, { session, root, number });
}

function writeTurn(home: Home, turn: Turn | SessionTurn): void {
  ensurePrivateDir(sessionsDir(home));
  writeFileAtomic(sessionPath(home, turn.session), JSON.stringify(turn));
}

/** The turn that a session is in; undefined before its first prompt. Its calls may work in another folder than at its start. */
export function currentTurn(home: Home, session: string, root: string): SessionTurn | undefined {
  const record = tryReadRecord(sessionPath(home, session));
  const number = record && numberAt(record, "number");
  return number === undefined ? undefined : { session, number, root, isEnded: record?.["isEnded"] === true };
}

/** The number of the turn that a session is in; undefined before its first prompt. */
export function turnNumber(home: Home, session: string): number | undefined {
  const record = tryReadRecord(sessionPath(home, session));
  return record && numberAt(record, "number");
}

/** For how long the turn of a session has been as it is; infinite before its first prompt. */
export function turnAgeMs(home: Home, session: string): number {
  return Date.now() - (tryStat(sessionPath(home, session))?.mtimeMs ?? -Infinity);
}

/** Leaves what a turn changed for the next hook that reports something of the session. */
export function leaveChanges(home: Home, session: string, changes: JsonRecord): void {
  writeFileAtomic(changesPath(home, session), JSON.stringify(changes));
}

/** Takes what was left, so that it is reported once; undefined if nothing was. */
export function takeChanges(home: Home, session: string): JsonRecord | undefined {
  return take(changesPath(home, session));
}

/** Whether a helper may still find out what a turn has changed, which has ended. */
export function awaitsChanges(home: Home, turn: SessionTurn): boolean {
  if (!turn.isEnded || !isRecorded(home, turn) || existsSync(changesPath(home, turn.session))) return false;
  const endedAtMs = tryStat(sessionPath(home, turn.session))?.mtimeMs ?? 0;
  const folder = dirname(turnPath(home, turn));
  const records = readdirSync(folder).filter((name) => name.startsWith(turnPrefix(turn.session, turn.number)));
  const recordedAtMs = Math.max(0, ...records.map((name) => tryStat(join(folder, name))?.mtimeMs ?? 0));
  return recordedAtMs < endedAtMs || Date.now() < recordedAtMs + COMPARING_MS;
}

/** Leaves why a turn cannot be undone completely for its next call that changes files. Never throws. */
export function leaveFailure(home: Home, session: string, reason: string): void {
  try {
    writeFileAtomic(failurePath(home, session), JSON.stringify({ reason }));
  } catch {
    // The undo says it as well.
  }
}

export function hasFailure(home: Home, session: string): boolean {
  return existsSync(failurePath(home, session));
}

/** Takes why the turn cannot be undone completely, if that was left. */
export function takeFailure(home: Home, session: string): string | undefined {
  const failure = take(failurePath(home, session));
  return failure && stringAt(failure, "reason");
}

function take(path: string): JsonRecord | undefined {
  const taken = temporaryPathFor(path);
  try {
    renameSync(path, taken);
  } catch {
    return undefined;
  }
  const changes = tryReadRecord(taken);
  rmSync(taken, { force: true });
  return changes;
}

/** Whether a turn is recorded of a project, or was tried to, or something was noted of one. */
export function hasTurns(home: Home, root: string): boolean {
  const directory = join(projectStore(home, root), "turns");
  const isTurn = (name: string): boolean => name.endsWith(".json") && !name.startsWith(`${UNDO_SESSION}.`);
  return (existsSync(directory) && readdirSync(directory).some(isTurn)) || existsSync(notesDirectory(home, root));
}

/** The folder with what was noted of turns that are not recorded yet. */
export function notesDirectory(home: Home, root: string): string {
  return join(projectStore(home, root), "notes");
}

/** The folder with everything that is recorded of a project. */
export function projectStore(home: Home, root: string): string {
  return join(home.undo, "projects", fileNameFor(root));
}

/** What is known of the project's files since it was last recorded. */
export function cachePath(home: Home, root: string): string {
  return join(projectStore(home, root), "cache.bin");
}

/** A file that is written when old turns of the project are forgotten. */
export function pruneMark(home: Home, root: string): string {
  return join(projectStore(home, root), "pruned");
}

/** A project is pruned at most so often. */
export const PRUNE_INTERVAL_MS = 3_600_000;

/** About 400 files: recording them takes about as long as starting a helper. */
const SMALL_CACHE_BYTES = 32_000;

/**
 * Whether a turn needs a helper: the project has never been recorded, recording it takes longer than starting one, or old turns
 * are due to be forgotten. Otherwise the first call that changes files records the project itself.
 */
export function needsHelper(home: Home, root: string): boolean {
  const prunedAtMs = tryStat(pruneMark(home, root))?.mtimeMs ?? 0;
  return isLarge(home, root) || Date.now() - prunedAtMs > PRUNE_INTERVAL_MS;
}

/** Whether recording a project takes longer than starting a helper that does it. */
export function isLarge(home: Home, root: string): boolean {
  return (tryStat(cachePath(home, root))?.size ?? Infinity) > SMALL_CACHE_BYTES;
}

/** Where a turn is recorded, or that it cannot be. */
export function turnPath(home: Home, { session, number, root }: Turn): string {
  return join(projectStore(home, root), "turns", `${turnPrefix(session, number)}json`);
}

/** How the names of the files of a turn begin. */
export function turnPrefix(session: string, number: number): string {
  return `${sessionFileName(session)}.${number}.`;
}

export function isRecorded(home: Home, turn: Turn): boolean {
  return existsSync(turnPath(home, turn));
}

function sessionPath(home: Home, session: string): string {
  return join(sessionsDir(home), `${sessionFileName(session)}.json`);
}

function changesPath(home: Home, session: string): string {
  return join(sessionsDir(home), `${sessionFileName(session)}.changes.json`);
}

function failurePath(home: Home, session: string): string {
  return join(sessionsDir(home), `${sessionFileName(session)}.failure.json`);
}

function sessionsDir(home: Home): string {
  return join(home.undo, "sessions");
}
