import { chmodSync, statSync } from "node:fs";
import { sinceStartMs } from "../clock.ts";
import type { Home } from "../files/home.ts";
import { itemAt } from "./compare-trees.ts";
import { acquireLock } from "./file-lock.ts";
import { notedTurns } from "./noted-files.ts";
import { forFs, joinRaw, toRaw, toText } from "./raw-path.ts";
import { IncompleteError, type RecordLimits } from "./record-tree.ts";
import { type RestoreFailure, type RestoreOutcome, within } from "./restore-files.ts";
import { permissionsOf } from "./tree.ts";
import { type TurnLimit, type TurnSpan, isLeftOut, spanOf, turnChanges } from "./turn-changes.ts";
import { type Turn, UNDO_SESSION, hasTurns, isOfTurn, laterNumber } from "./turn-state.ts";
import { readUndoLimits } from "./undo-limits.ts";
import { type TurnRecord, type UndoneTurn, UndoStore, lockPathOf } from "./undo-store.ts";
import { type Unrecorded, unrecordedOf } from "./unrecorded.ts";
import { type SharedWork, sharedWork } from "./other-sessions.ts";
import { type TakenBack, openUndos, redoOf, takenBackFinder } from "./undo-history.ts";
import { type ShownChange, type UndoPlan, carryOut, planUndo, shownChanges } from "./undo-turn.ts";

const LOCK_MS = 10_000;
const RECORD_MS = 10 * 60_000;
/** Directories in directories whose permissions were taken away. */
const MAX_DEPTH = 100;

export interface RecordedTurn {
  readonly session: string;
  readonly turn: number;
  readonly recordedAtMs: number;
  readonly changes: readonly ShownChange[];
  /** What its start or its end does not hold, so that an undo leaves it as it is. */
  readonly unrecorded: readonly Unrecorded[];
  /** Whether an undo took it back, its own or that of another turn. */
  readonly takenBack: TakenBack | undefined;
  /** What ends it. Without a record of its end, what others changed until then cannot be told from it. */
  readonly until: TurnLimit;
}

export interface UndoSelection {
  /** By default the session that most recently began a turn. */
  readonly session: string | undefined;
  /** By default the last turn of it that changed something, for an undo something that has not been undone. */
  readonly turn: number | undefined;
  /** A file or folder, from the root. */
  readonly path: string | undefined;
}

export interface UndoOptions {
  /** Whether to take back also what was changed again later. */
  readonly isForced: boolean;
  /** Whether to change nothing. */
  readonly isDry: boolean;
}

export interface UndoResult {
  readonly turn: RecordedTurn;
  /** Other sessions that were at work in the folder, whose changes may be among these. */
  readonly others: readonly SharedWork[];
  /** Whether nothing was done because of them. */
  readonly isRefused: boolean;
  /** The turn that was taken back or brought back, as far as it is known. */
  readonly done: UndoneTurn | undefined;
  readonly undone: readonly ShownChange[];
  readonly skipped: readonly string[];
  readonly failures: readonly RestoreFailure[];
}

/** What people can do with the recorded turns of a project. Each method takes the project's lock, and throws if it cannot. */
export class UndoCommand {
  readonly #home: Home;
  readonly #root: string;

  constructor(home: Home, root: string) {
    this.#home = home;
    this.#root = root;
  }

  /** The last recorded turns with what each changed, the last first. */
  list(session: string | undefined, limit: number): readonly RecordedTurn[] {
    const turns = this.#withLock((store) => {
      const now = once(() => this.#recordNow(store, false));
      const records = turnsOf(store, session);
      const starts = records.filter(({ end }) => end === undefined).toReversed();
      const find = takenBackFinder(store);
      return starts.slice(0, limit).map((start) => describe(store, spanIn(records, start, now), find));
    });
    return turns ?? [];
  }

  /** What a turn changed, and the states of the project before and after each part of it, which git can compare in `gitDir`. */
  diff(selection: UndoSelection): { turn: RecordedTurn; gitDir: string; parts: TurnSpan["parts"] } | undefined {
    return this.#withLock((store) => {
      const now = once(() => this.#recordNow(store, false));
      const span = select(store, selection, now, (candidate) => {
        const changes = turnChanges(store.objects, candidate).filter(({ isRefresh }) => !isRefresh);
        return selection.path === undefined ? changes.length > 0 : within(changes, [toRaw(selection.path)]).length > 0;
      });
      return span && { turn: describe(store, span, () => undefined), gitDir: store.directory, parts: span.parts };
    });
  }

  /** Undoes a turn, or only shows what that would do. Undefined if there is none. */
  undo(selection: UndoSelection, { isForced, isDry }: UndoOptions): UndoResult | undefined {
    const path = selection.path === undefined ? undefined : toRaw(selection.path);
    return this.#withLock((store, lock) => {
      const now = this.#recordNow(store, !isDry);
      const planFor = (span: TurnSpan): UndoPlan => planUndo(store, { span, now, path, isForced });
      const undone = undoneTurns(store);
      const isWanted = (candidate: TurnSpan): boolean =>
        !undone.has(keyOf(candidate.start)) && !isEmpty(planFor(candidate));
      const span = select(store, selection, () => now, isWanted);
      if (span === undefined) {
        if (!isDry) store.remove(now);
        return undefined;
      }
      const isWhole = path === undefined;
      const { session, turn } = span.start;
      const done = { session, turn, isRedo: false, isEntire: isWhole };
      const plan = planFor(span);
      const others = sharedWork(store, span, now, shownChanges(plan.changes));
      return this.#carryOut(store, { span, now, plan, isWhole, isForced, isDry, done, others }, lock);
    });
  }

  /**
   * Brings back what was there before an undo, the last one by default, or only shows what that would do. Undefined if there is
   * none.
   */
  redo({ session, turn }: Pick<UndoSelection, "session" | "turn">, options: UndoOptions): UndoResult | undefined {
    return this.#withLock((store, lock) => {
      const chosen = openUndos(store).findLast(
        ({ undone }) =>
          (turn === undefined || undone?.turn === turn) && (session === undefined || undone?.session === session),
      );
      if (chosen === undefined) return undefined;
      const now = this.#recordNow(store, !options.isDry);
      const { start, end = now } = chosen;
      const span: TurnSpan = { start, parts: [{ before: start, after: end }], until: end === now ? "now" : "turn" };
      const plan = planUndo(store, { span, now, path: undefined, isForced: options.isForced });
      return this.#carryOut(
        store,
        { span, now, plan, isWhole: true, ...options, done: redoOf(chosen), others: [] },
        lock,
      );
    });
  }

  /** What can be brought back by a redo, the last first. */
  redoable(): readonly UndoneTurn[] {
    const undos = this.#withLock((store) => openUndos(store).flatMap(({ undone }) => undone ?? []));
    return undos?.toReversed() ?? [];
  }

  /** The last turn that a selection is about which an undo took back. */
  takenBack({ session, turn }: UndoSelection): RecordedTurn | undefined {
    const turns = this.list(session, Infinity);
    return turns.find((recorded) => recorded.takenBack !== undefined && (turn === undefined || recorded.turn === turn));
  }

  #carryOut(store: UndoStore, undo: Undo, lock: () => void): UndoResult {
    const { span, now, plan, isWhole, isForced, isDry, done, others } = undo;
    const isRefused = others.length > 0 && !isForced && !isDry;
    const isIdle = isDry || isRefused;
    const { failures, written } = isIdle ? NOTHING : carryOut(store, plan, lock);
    if (!isIdle && isWhole) restoreMode(store, span, now, isForced);
    const isEntire = done.isEntire && plan.skipped.length === 0 && failures.length === 0;
    if (isRefused) store.remove(now);
    else if (!isDry) this.#recordEnd(store, now, { plan, written, undone: { ...done, isEntire } });
    const failed = new Set(failures.map(({ path }) => path));
    return {
      turn: describe(store, span, plan.changes.length === 0 ? takenBackFinder(store) : () => undefined),
      others,
      isRefused,
      done: done.session === UNDO_SESSION ? undefined : done,
      undone: shownChanges(plan.changes.filter(({ path }) => !failed.has(toText(path)))),
      skipped: plan.skipped.map((skipped) => toText(skipped)),
      failures,
    };
  }

  /** Records what the project is like after an undo, so that undoing it takes back nothing else. */
  #recordEnd(store: UndoStore, now: TurnRecord, { plan, written, undone }: UndoEnd): void {
    if (plan.changes.length === 0) return store.remove(now);
    try {
      const turn = { ...this.#turn(now.turn), number: laterNumber(now.turn) };
      store.record(turn, this.#limits(), { end: "turn", undone }, written);
    } catch (error) {
      if (!(error instanceof IncompleteError)) throw error;
    }
  }

  /** Records the project as it is now, for good if it is about to be changed. */
  #recordNow(store: UndoStore, isKept: boolean): TurnRecord {
    const last = store.turns.findLast(({ session }) => session === UNDO_SESSION);
    const turn = this.#turn(Math.floor(last?.turn ?? 0) + 1);
    let now = store.record(turn, this.#limits());
    for (let depth = 0; depth < MAX_DEPTH && isKept && makeReadable(store, now); depth += 1) {
      store.remove(now);
      now = store.record(turn, this.#limits());
    }
    if (!isKept) store.remove(now);
    return now;
  }

  #turn(number: number): Turn {
    return { session: UNDO_SESSION, number, root: this.#root };
  }

  #limits(): RecordLimits {
    return { ...readUndoLimits(this.#home.config), endMs: sinceStartMs() + RECORD_MS };
  }

  /** Undefined, at once, if no turn is recorded: nothing could be undone, and the folder may be as wide as the root of the disk. */
  #withLock<T>(use: (store: UndoStore, touchLock: () => void) => T): T | undefined {
    if (!hasTurns(this.#home, this.#root)) return undefined;
    const lock = acquireLock(lockPathOf(this.#home, this.#root), sinceStartMs() + LOCK_MS);
    if (lock === undefined) throw new IncompleteError("the project is being recorded; try again");
    const store = new UndoStore(this.#home, this.#root);
    try {
      for (const turn of notedTurns(this.#home, this.#root)) store.record(turn, this.#limits());
      return use(store, lock.touch);
    } finally {
      store.close();
      lock.release();
    }
  }
}

const NOTHING: RestoreOutcome = { failures: [], written: new Map() };

/** What is recorded after an undo. */
interface UndoEnd extends Pick<RestoreOutcome, "written"> {
  readonly plan: UndoPlan;
  readonly undone: UndoneTurn;
}

/** An undo that has been decided. */
interface Undo {
  readonly span: TurnSpan;
  readonly now: TurnRecord;
  readonly plan: UndoPlan;
  /** Whether it is of the whole project. */
  readonly isWhole: boolean;
  readonly isForced: boolean;
  readonly isDry: boolean;
  readonly done: UndoneTurn;
  readonly others: readonly SharedWork[];
}

/** The turns that have been taken back completely, and not been brought back since. */
function undoneTurns(store: UndoStore): ReadonlySet<string> {
  return new Set(openUndos(store).flatMap(({ undone }) => (undone?.isEntire === true ? keyOf(undone) : [])));
}

function keyOf({ session, turn }: Pick<TurnRecord, "session" | "turn">): string {
  return `${turn} ${session}`;
}

function isEmpty({ changes, skipped }: UndoPlan): boolean {
  return changes.length === 0 && skipped.length === 0;
}

/** The root's own permissions are in no directory. */
function restoreMode(store: UndoStore, { start, parts }: TurnSpan, now: TurnRecord, isForced: boolean): void {
  const [before, after, current] = [start.mode, parts.at(-1)?.after.mode ?? now.mode, now.mode].map(permissionsOf);
  if (before !== undefined && before !== after && (current === after || isForced)) chmodSync(store.root, before);
}

/** Gives back permissions to what cannot be read now and could be read before. Returns whether there was such a thing. */
function makeReadable(store: UndoStore, now: TurnRecord): boolean {
  const unreadable = now.leftOut.filter(({ reason }) => reason === "unreadable");
  if (unreadable.length === 0) return false;
  const earlier = store.turns.filter(({ session }) => session !== UNDO_SESSION).toReversed();
  const changed = unreadable.filter(({ path }) => {
    const before = earlier.find((record) => !isLeftOut(record, path));
    const mode = path === "" ? before?.mode : before && itemAt(store.objects, before.tree, path)?.mode;
    const absolute = forFs(joinRaw(toRaw(store.root), path));
    if (mode === undefined || permissionsOf(statSync(absolute).mode) === permissionsOf(mode)) return false;
    chmodSync(absolute, permissionsOf(mode));
    return true;
  });
  return changed.length > 0;
}

function turnsOf(store: UndoStore, session: string | undefined): readonly TurnRecord[] {
  const turns = store.turns.filter((record) => record.session !== UNDO_SESSION);
  return session === undefined ? turns : turns.filter((record) => record.session === session);
}

function spanIn(records: readonly TurnRecord[], start: TurnRecord, now: () => TurnRecord): TurnSpan {
  const own = records.filter(({ session }) => session === start.session);
  return spanOf(own, start, now);
}

function select(
  store: UndoStore,
  { session, turn }: UndoSelection,
  now: () => TurnRecord,
  isWanted: (span: TurnSpan) => boolean,
): TurnSpan | undefined {
  const latest = turnsOf(store, undefined).findLast(({ end }) => end === undefined);
  const records = turnsOf(store, session ?? latest?.session);
  const starts = records.filter(({ end }) => end === undefined);
  if (turn !== undefined) {
    const start = starts.find((record) => record.turn === turn);
    return start && spanIn(records, start, now);
  }
  for (const start of starts.filter((record) => isOfTurn(record.turn, record.turn)).toReversed()) {
    const span = spanIn(records, start, now);
    if (isWanted(span)) return span;
  }
  return undefined;
}

function describe(store: UndoStore, span: TurnSpan, find: (span: TurnSpan) => TakenBack | undefined): RecordedTurn {
  const { session, turn, recordedAtMs } = span.start;
  const changes = shownChanges(turnChanges(store.objects, span));
  const unrecorded = unrecordedOf(store.root, { leftOut: leftOutIn(span) });
  return { session, turn, recordedAtMs, changes, unrecorded, takenBack: find(span), until: span.until };
}

/** What was not recorded before the turn, or not after it: a file that is too large stays, though the turn has made it. */
function leftOutIn({ start, parts }: TurnSpan): TurnRecord["leftOut"] {
  const known = new Set(start.leftOut.map(({ path }) => path));
  const later = parts.at(-1)?.after.leftOut ?? [];
  return [...start.leftOut, ...later.filter(({ path, reason }) => reason === "large" && !known.has(path))];
}

/** Computes something when it is first needed. */
function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
