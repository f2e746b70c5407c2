import { chmodSync, statSync } from "node:fs";
import { sinceStartMs } from "../clock.ts";
import type { Home } from "../files/home.ts";
import { compareTrees, itemAt } from "./compare-trees.ts";
import { acquireLock } from "./file-lock.ts";
import { forFs, joinRaw, toRaw, toText } from "./raw-path.ts";
import { IncompleteError } from "./record-tree.ts";
import type { RestoreFailure } from "./restore-files.ts";
import { permissionsOf } from "./tree.ts";
import { isOfTurn } from "./turn-state.ts";
import { readUndoLimits } from "./undo-limits.ts";
import { type TurnRecord, UndoStore, lockPathOf } from "./undo-store.ts";
import { type ShownChange, carryOut, planUndo, shownChanges } from "./undo-turn.ts";

/** The session under which the state before each undo is recorded, so that an undo can be undone. */
const UNDO_SESSION = "undo";
const LOCK_MS = 10_000;
const RECORD_MS = 10 * 60_000;
/** Directories in directories whose permissions were taken away. */
const MAX_DEPTH = 100;

export interface RecordedTurn {
  readonly session: string;
  readonly turn: number;
  readonly recordedAtMs: number;
  readonly changes: readonly ShownChange[];
}

export interface UndoSelection {
  /** By default the session that most recently began a turn. */
  readonly session: string | undefined;
  /** By default the last turn of it that changed something. */
  readonly turn: number | undefined;
  /** A file or folder, from the root. */
  readonly path: string | undefined;
}

export interface UndoResult {
  readonly turn: RecordedTurn;
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

  /** The recorded turns with what each changed, the last first. */
  list(session: string | undefined): readonly RecordedTurn[] {
    return this.#withNow((store, now) =>
      turnsOf(store, session)
        .toReversed()
        .map((start) => describe(store, start, endOf(store, start, now))),
    );
  }

  /** What a turn changed, and the objects of the project before and after it, which git can compare in `gitDir`. */
  diff(selection: UndoSelection): { turn: RecordedTurn; gitDir: string; before: string; after: string } | undefined {
    return this.#withNow((store, now) => {
      const start = select(store, selection, now);
      if (start === undefined) return undefined;
      const end = endOf(store, start, now);
      return { turn: describe(store, start, end), gitDir: store.directory, before: start.tree, after: end.tree };
    });
  }

  /** Undoes a turn, or only shows what that would do. Undefined if there is none. */
  undo(selection: UndoSelection, { isForced, isDry }: { isForced: boolean; isDry: boolean }): UndoResult | undefined {
    return this.#withNow((store, now, lock) => {
      const start = select(store, selection, now);
      return start && this.#restore(store, start, endOf(store, start, now), now, { selection, isForced, isDry, lock });
    }, !isDry);
  }

  /** Brings back what was there before the last undo. Undefined if there was none. */
  redo(): UndoResult | undefined {
    return this.#withNow((store, now, lock) => {
      const start = store.turns.findLast(({ session, turn }) => session === UNDO_SESSION && turn < now.turn);
      const selection = { session: undefined, turn: undefined, path: undefined };
      return start && this.#restore(store, start, now, now, { selection, isForced: false, isDry: false, lock });
    }, true);
  }

  #restore(
    store: UndoStore,
    start: TurnRecord,
    end: TurnRecord,
    now: TurnRecord,
    options: { selection: UndoSelection; isForced: boolean; isDry: boolean; lock: () => void },
  ): UndoResult {
    const { selection, isForced, isDry, lock } = options;
    const path = selection.path === undefined ? undefined : toRaw(selection.path);
    const plan = planUndo(store, { start, end, now, path, isForced });
    const failures = isDry ? [] : carryOut(store, plan, lock);
    if (!isDry && path === undefined && end === now) chmodSync(this.#root, permissionsOf(start.mode));
    return {
      turn: describe(store, start, end),
      undone: shownChanges(plan.changes),
      skipped: plan.skipped.map((skipped) => toText(skipped)),
      failures,
    };
  }

  /** Records the project as it is now, for good if it is about to be changed. */
  #withNow<T>(use: (store: UndoStore, now: TurnRecord, touchLock: () => void) => T, isKept = false): T {
    const lock = acquireLock(lockPathOf(this.#home, this.#root), sinceStartMs() + LOCK_MS);
    if (lock === undefined) throw new IncompleteError("the project is being recorded; try again");
    try {
      const store = new UndoStore(this.#home, this.#root);
      const last = store.turns.findLast(({ session }) => session === UNDO_SESSION);
      const turn = { session: UNDO_SESSION, number: (last?.turn ?? 0) + 1, root: this.#root };
      const limits = { ...readUndoLimits(this.#home.config), endMs: sinceStartMs() + RECORD_MS };
      let now = store.record(turn, limits);
      for (let depth = 0; depth < MAX_DEPTH && isKept && makeReadable(store, now); depth += 1) {
        store.remove(now);
        now = store.record(turn, limits);
      }
      if (!isKept) store.remove(now);
      try {
        return use(store, now, lock.touch);
      } finally {
        store.close();
      }
    } finally {
      lock.release();
    }
  }
}

/** Gives back permissions to what cannot be read now and could be read before. Returns whether there was such a thing. */
function makeReadable(store: UndoStore, now: TurnRecord): boolean {
  const before = store.turns.findLast(({ session }) => session !== UNDO_SESSION);
  if (before === undefined) return false;
  const unreadable = now.leftOut.filter(({ reason }) => reason === "unreadable");
  const changed = unreadable.filter(({ path }) => {
    const mode = path === "" ? before.mode : itemAt(store.objects, before.tree, path)?.mode;
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

/** A turn ends when the next one of its session begins. */
function endOf(store: UndoStore, start: TurnRecord, now: TurnRecord): TurnRecord {
  return turnsOf(store, start.session).find(({ turn }) => Math.floor(turn) > start.turn) ?? now;
}

function select(store: UndoStore, { session, turn, path }: UndoSelection, now: TurnRecord): TurnRecord | undefined {
  const turns = turnsOf(store, session ?? turnsOf(store, undefined).at(-1)?.session);
  if (turn !== undefined) return turns.find((record) => record.turn === turn);
  return turns.findLast((start) => {
    if (!isOfTurn(start.turn, start.turn)) return false;
    const end = endOf(store, start, now);
    if (path === undefined) return start.tree !== end.tree;
    return itemAt(store.objects, start.tree, toRaw(path))?.id !== itemAt(store.objects, end.tree, toRaw(path))?.id;
  });
}

function describe(store: UndoStore, start: TurnRecord, end: TurnRecord): RecordedTurn {
  const { session, turn, recordedAtMs } = start;
  const changes = shownChanges(compareTrees(store.objects, start.tree, end.tree));
  return { session, turn, recordedAtMs, changes };
}
