import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir, tryReadRecord, writeOnce } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { type JsonRecord, arrayAt, isArray, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { KeptFiles } from "./kept-files.ts";
import { layNotes, readNotes, removeNotes } from "./noted-files.ts";
import { ObjectStore } from "./object-store.ts";
import { toRaw } from "./raw-path.ts";
import {
  IncompleteError,
  type LeftOut,
  type LeftOutReason,
  type RecordLimits,
  type RecordedTree,
  TreeRecorder,
  type TreeRecorderOptions,
} from "./record-tree.ts";
import { type Turn, cachePath, isOfTurn, projectStore, turnPath, turnPrefix } from "./turn-state.ts";
import { readTreeCache, writeTreeCache } from "./tree-cache.ts";

/** What is recorded at its end: the assistant has finished, or its session ended without that. */
export type TurnEnd = "turn" | "session";

/** The turn that an undo took back, or an undo of that brought back. */
export interface UndoneTurn {
  readonly session: string;
  readonly turn: number;
  /** Whether what the turn had changed was brought back. */
  readonly isRedo: boolean;
  /** Whether nothing was left alone. */
  readonly isEntire: boolean;
  /** The number of the undo that was taken back. */
  readonly of?: number | undefined;
}

/** What a project was like at the start of a turn, later in it, or at its end. */
export interface TurnRecord {
  readonly session: string;
  readonly turn: number;
  readonly recordedAtMs: number;
  readonly tree: string;
  readonly mode: number;
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
  /** Set if it was recorded at the end. */
  readonly end?: TurnEnd | undefined;
  /** Set at the end of an undo. */
  readonly undone?: UndoneTurn | undefined;
}

/** A turn that could not be recorded, and why. */
export interface TurnFailure {
  readonly session: string;
  readonly turn: number;
  readonly recordedAtMs: number;
  readonly cause: string;
}

type UseOfTree<T> = (tree: RecordedTree, startedAtMs: number, changedAtMs: TreeRecorder["changedAtMs"]) => T;

type Reading = Pick<TreeRecorderOptions, "limits" | "written">;

const MAX_COPIED_OBJECTS_BYTES = 64 * 1024 * 1024;
/** The disk keeps so much free space. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;

/** What is recorded of one project. Only one process at a time may use it: whoever holds its lock. */
export class UndoStore {
  readonly root: string;
  readonly directory: string;
  readonly objects: ObjectStore;
  readonly kept: KeptFiles;
  readonly #home: Home;
  /** Read once, since nobody else records while the lock is held. */
  #attempts: readonly (TurnRecord | TurnFailure)[] | undefined;

  constructor(home: Home, root: string) {
    this.#home = home;
    this.root = root;
    this.directory = projectStore(home, root);
    ensurePrivateDir(join(this.directory, "turns"));
    this.objects = new ObjectStore(this.directory);
    this.kept = new KeptFiles(join(this.directory, "kept"), MAX_COPIED_OBJECTS_BYTES);
  }

  /**
   * Records the project as it is now, for a turn. Throws `IncompleteError` beyond a limit, and other errors if the disk does not
   * take it; what was read is then not read again. `written` need not be read as long as it looks like that.
   */
  record(
    turn: Turn,
    limits: RecordLimits,
    more: Pick<TurnRecord, "end" | "undone"> = {},
    written?: TreeRecorderOptions["written"],
  ): TurnRecord {
    return this.#read({ limits, written }, (scanned, startedAtMs, changedAtMs) => {
      const notes = readNotes(this.#home, turn);
      const tree = notes.length === 0 ? scanned : layNotes(this, scanned, notes, changedAtMs);
      this.objects.flush();
      const recordedAtMs = Math.min(startedAtMs, ...notes.map(({ notedAtMs }) => notedAtMs));
      const record = { session: turn.session, turn: turn.number, recordedAtMs, ...tree, ...more };
      if (!writeOnce(turnPath(this.#home, turn), JSON.stringify(toJson(record))))
        throw new IncompleteError("it was not recorded in time");
      if (notes.length > 0) removeNotes(this.#home, turn);
      return record;
    });
  }

  /** Reads what the next record will not have to read then. Throws as `record` does. */
  readAhead(limits: RecordLimits): void {
    this.#read({ limits }, () => undefined);
  }

  /** Stores the project as it is now, for `use`. */
  #read<T>({ limits, written }: Reading, use: UseOfTree<T>): T {
    const free = fs.statfsSync(this.directory);
    if (free.bavail * free.bsize < MIN_FREE_BYTES) throw new IncompleteError("the disk is nearly full");
    const cache = readTreeCache(this.cachePath, this.objects.packNames);
    const recorder = new TreeRecorder({
      root: toRaw(this.root),
      store: this.objects,
      kept: this.kept,
      cache,
      limits,
      written,
      excluded: new Set([toRaw(realPathOf(this.#home.root))]),
    });
    const recordedAtMs = Date.now();
    let isComplete = false;
    try {
      const tree = recorder.record();
      isComplete = true;
      this.objects.flush();
      return use(tree, recordedAtMs, recorder.changedAtMs);
    } finally {
      this.#attempts = undefined;
      this.objects.flush();
      const known = isComplete ? recorder.cache : new Map([...cache, ...recorder.cache]);
      if (recorder.hasNews) writeTreeCache(this.cachePath, known, this.objects.packNames);
    }
  }

  /** All turns that are recorded, the oldest first. */
  get turns(): readonly TurnRecord[] {
    return this.attempts.filter((record) => "tree" in record);
  }

  /** Also those that could not be recorded. */
  get attempts(): readonly (TurnRecord | TurnFailure)[] {
    this.#attempts ??= readTurns(this.directory, "").toSorted(
      (one, other) => one.recordedAtMs - other.recordedAtMs || one.turn - other.turn,
    );
    return this.#attempts;
  }

  /** Everything of one turn, in the order of its numbers. */
  attemptsOf({ session, number }: Turn): readonly (TurnRecord | TurnFailure)[] {
    return attemptsOf(this.#home, { session, number, root: this.root });
  }

  remove(turn: Pick<TurnRecord, "session" | "turn">): void {
    this.#attempts = undefined;
    fs.rmSync(turnPath(this.#home, { session: turn.session, number: turn.turn, root: this.root }), { force: true });
  }

  /**
   * Writes packs again that have too little of what is needed, to which what the cache names belongs. Otherwise the next recording
   * would read every file again, since the cache is only trusted with the packs that it was written with.
   */
  compact(needed: ReadonlySet<string>, isOver: () => boolean): void {
    const before = this.objects.packNames;
    const cache = readTreeCache(this.cachePath, before);
    this.objects.compact(needed, isOver);
    const after = this.objects.packNames;
    const isOther = before.length !== after.length || before.some((name) => !after.includes(name));
    if (isOther && cache.size > 0) writeTreeCache(this.cachePath, cache, after);
  }

  get cachePath(): string {
    return cachePath(this.#home, this.root);
  }

  close(): void {
    this.objects.close();
  }
}

/** What is recorded of one turn, in the order of its numbers. */
export function attemptsOf(home: Home, { session, number, root }: Turn): readonly (TurnRecord | TurnFailure)[] {
  return readTurns(projectStore(home, root), turnPrefix(session, number))
    .filter(({ turn }) => isOfTurn(turn, number))
    .toSorted((one, other) => one.turn - other.turn);
}

function readTurns(store: string, prefix: string): readonly (TurnRecord | TurnFailure)[] {
  const directory = join(store, "turns");
  const names = fs.readdirSync(directory).filter((name) => name.startsWith(prefix) && name.endsWith(".json"));
  return names.flatMap((name) => readTurn(join(directory, name)) ?? []);
}

/** Notes that a turn is not recorded and will not be, unless it is. Never throws: the next call tries again. */
export function giveUp(home: Home, turn: Turn, cause: string): void {
  const failure: TurnFailure = { session: turn.session, turn: turn.number, recordedAtMs: Date.now(), cause };
  try {
    ensurePrivateDir(dirname(turnPath(home, turn)));
    writeOnce(turnPath(home, turn), JSON.stringify(failure));
  } catch {
    // The caller reports the cause.
  }
}

export function lockPathOf(home: Home, root: string): string {
  const directory = projectStore(home, root);
  ensurePrivateDir(dirname(directory));
  return `${directory}.lock`;
}

function toJson({ leftOut, undone, ...record }: TurnRecord): JsonRecord {
  const left = leftOut.map(({ path, reason }) => [path, reason]);
  return { ...record, leftOut: left, undone: undone === undefined ? undefined : { ...undone } };
}

/** What is known of a turn; undefined if nothing is, or it cannot be read. */
export function readTurn(path: string): TurnRecord | TurnFailure | undefined {
  const record = tryReadRecord(path);
  const session = record && stringAt(record, "session");
  const turn = record && numberAt(record, "turn");
  const recordedAtMs = record && numberAt(record, "recordedAtMs");
  if (record === undefined || session === undefined || turn === undefined || recordedAtMs === undefined)
    return undefined;
  const cause = stringAt(record, "cause");
  if (cause !== undefined) return { session, turn, recordedAtMs, cause };
  const tree = stringAt(record, "tree");
  const mode = numberAt(record, "mode");
  if (tree === undefined || mode === undefined) return undefined;
  return {
    session,
    turn,
    recordedAtMs,
    tree,
    mode,
    files: numberAt(record, "files") ?? 0,
    leftOut: readLeftOut(record),
    end: ["turn" as const, "session" as const].find((end) => end === record["end"]),
    undone: readUndone(recordAt(record, "undone") ?? {}),
  };
}

function readUndone(record: JsonRecord): UndoneTurn | undefined {
  const session = stringAt(record, "session");
  const turn = numberAt(record, "turn");
  if (session === undefined || turn === undefined) return undefined;
  const of = numberAt(record, "of");
  return { session, turn, isRedo: record["isRedo"] === true, isEntire: record["isEntire"] === true, of };
}

function readLeftOut(record: JsonRecord): readonly LeftOut[] {
  return (arrayAt(record, "leftOut") ?? []).flatMap((item) => {
    const [path, reason] = isArray(item) ? item : [];
    return typeof path === "string" && isReason(reason) ? [{ path, reason }] : [];
  });
}

function isReason(value: unknown): value is LeftOutReason {
  return ["ignored", "large", "unreadable", "changed", "special", "outside"].some((reason) => reason === value);
}

function realPathOf(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    return path;
  }
}
