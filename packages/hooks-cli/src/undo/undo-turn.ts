import { type Change, type Item, compareTrees, isSameItem, itemAt } from "./compare-trees.ts";
import { type RawPath, isAtOrBelow, toRaw, toText } from "./raw-path.ts";
import { type RestoreFailure, restoreFiles, within } from "./restore-files.ts";
import { isDirectory } from "./tree.ts";
import type { TurnRecord, UndoStore } from "./undo-store.ts";

export interface UndoRequest {
  /** What the project was like at the start of the turn. */
  readonly start: TurnRecord;
  /** What it was like at the end of the turn; if it is the last, the same as `now`. */
  readonly end: TurnRecord;
  readonly now: TurnRecord;
  /** Only this file or folder, from the root. */
  readonly path: RawPath | undefined;
  /** Whether to bring back also what changed again after the turn. */
  readonly isForced: boolean;
}

export interface UndoPlan {
  readonly changes: readonly Change[];
  /** What changed again after the turn, or cannot be brought back without losing something that is not recorded. */
  readonly skipped: readonly RawPath[];
}

/**
 * What to change so that everything that a turn changed is as it was at its start. The state of a git repository (references,
 * index, HEAD) is brought back as a whole or not at all.
 */
export function planUndo({ objects }: UndoStore, request: UndoRequest): UndoPlan {
  const { start, end, now, path, isForced } = request;
  const all = compareTrees(objects, start.tree, end.tree);
  const changed = path === undefined ? all : within(all, [path]);
  const changes: Change[] = [];
  const skipped: RawPath[] = [];
  const added = new Set(changed.flatMap((change) => (change.before === undefined ? change.path : [])));
  for (const { path: at, before, after } of changed) {
    if (isNewObject(at, added)) continue;
    const current = now === end ? after : itemAt(objects, now.tree, at);
    if (isSameItem(current, before)) continue;
    const isAgain = !isForced && !isSameItem(current, after);
    if (isAgain || isUnrecorded(request, at, before, current)) skipped.push(at);
    else changes.push({ path: at, before, after: current });
  }
  const torn = new Set(skipped.flatMap((at) => gitDirOf(at) ?? []));
  const isTorn = ({ path: at }: Change): boolean => torn.has(gitDirOf(at) ?? "");
  return {
    changes: changes.filter((change) => !isTorn(change)),
    skipped: [...skipped, ...changes.filter(isTorn).map((change) => change.path)],
  };
}

/**
 * Objects that a turn added to a repository stay in it, unless the repository itself is new: they are harmless, and others may
 * refer to them.
 */
function isNewObject(path: RawPath, added: ReadonlySet<RawPath>): boolean {
  const [, repository] = /^(.*)\/objects\/(?:[0-9a-f]{2}|pack)(?:\/|$)/.exec(path) ?? [];
  return repository !== undefined && gitDirOf(path) !== undefined && added.has(path) && !added.has(repository);
}

/** Carries out a plan. Returns what could not be brought back. */
export function carryOut(store: UndoStore, { changes }: UndoPlan, onProgress: () => void): readonly RestoreFailure[] {
  return restoreFiles({ root: toRaw(store.root), store: store.objects, kept: store.kept, onProgress }, changes);
}

/** What is not known to have been there, or to be there now, is neither deleted nor overwritten. */
function isUnrecorded(
  { start, now }: UndoRequest,
  path: RawPath,
  before: Item | undefined,
  current: Item | undefined,
): boolean {
  const isIn = ({ leftOut }: TurnRecord): boolean => leftOut.some((item) => isAtOrBelow(path, item.path));
  return (before === undefined && isIn(start)) || (current === undefined && isIn(now));
}

/** The git directory that a path is in. */
function gitDirOf(path: RawPath): RawPath | undefined {
  return /^(?:.*\/)?\.git(?=\/|$)/.exec(path)?.[0];
}

/** A change as people see it: of a file, or of the repository's state. */
export interface ShownChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "deleted";
}

/** The files that differ, without directories; of a repository's own files only that they changed. */
export function shownChanges(changes: readonly Change[]): readonly ShownChange[] {
  const shown = new Map<RawPath, ShownChange>();
  for (const { path, before, after } of changes) {
    const gitDir = gitDirOf(path);
    if (gitDir !== undefined) shown.set(gitDir, { path: toText(gitDir), kind: "changed" });
    else if (!isFolder(before) || !isFolder(after))
      shown.set(path, {
        path: toText(path),
        kind: before === undefined ? "added" : after === undefined ? "deleted" : "changed",
      });
  }
  return [...shown.values()];
}

function isFolder(item: Item | undefined): boolean {
  return item === undefined || isDirectory(item.mode);
}
