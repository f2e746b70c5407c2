import { type Change, type Item, compareTrees, isSameItem, itemAt } from "./compare-trees.ts";
import { gitDirOf } from "./git-directory.ts";
import type { ObjectStore } from "./object-store.ts";
import { type RawPath, isAtOrBelow, joinRaw, toRaw, toText } from "./raw-path.ts";
import { type RestoreOutcome, restoreFiles, within } from "./restore-files.ts";
import { isDirectory } from "./tree.ts";
import { type TurnChange, type TurnSpan, isSameAt, turnChanges } from "./turn-changes.ts";
import type { TurnRecord, UndoStore } from "./undo-store.ts";

export interface UndoRequest {
  readonly span: TurnSpan;
  readonly now: TurnRecord;
  /** Only this file or folder, from the root. */
  readonly path: RawPath | undefined;
  /** Whether to bring back also what changed again after the turn. */
  readonly isForced: boolean;
}

export interface UndoPlan {
  readonly changes: readonly Change[];
  /** Files that are brought back with the others although they mean the same: each index that git only refreshed. */
  readonly refreshes: readonly Change[];
  /** What changed again after the turn, or cannot be brought back without losing something that is not recorded. */
  readonly skipped: readonly RawPath[];
}

/**
 * What to change so that everything that a turn changed is as it was at its start. The state of a git repository (references,
 * index, HEAD) is brought back as a whole or not at all.
 */
export function planUndo({ objects }: UndoStore, { span, now, path, isForced }: UndoRequest): UndoPlan {
  const all = turnChanges(objects, span);
  const changed = path === undefined ? all : within(all, [path]);
  const changes: Change[] = [];
  const refreshes: Change[] = [];
  const skipped: RawPath[] = [];
  /** What is no directory any more, though something is to be brought back in it. */
  const replaced: RawPath[] = [];
  const added = new Set(changed.flatMap((change) => (change.before === undefined ? change.path : [])));
  const currentOf = currentItems(objects, span, now);
  for (const change of changed) {
    const { path: at, before } = change;
    if (isNewObject(at, added)) continue;
    const current = currentOf(change);
    const after = change.isHidden ? current : change.after;
    if (change.isRefresh) {
      if (isSameItem(current, after)) refreshes.push({ path: at, before, after });
      continue;
    }
    if (isSameAt(objects, at, current, before)) continue;
    const isAgain = !isForced && (change.isMixed || !isSameAt(objects, at, current, after));
    const isUnrecorded = change.wasLeftOut || (current === undefined && holdsSomething(now, at));
    const isBelow = replaced.some((directory) => isAtOrBelow(at, directory));
    if (!isAgain && !isUnrecorded && !isBelow) changes.push({ path: at, before, after: current });
    else skipped.push(at);
    if (isAgain && current !== undefined && !isDirectory(current.mode)) replaced.push(at);
  }
  keepFolders(objects, { changes, skipped, turn: changed, now, isForced });
  const torn = new Set(skipped.flatMap((at) => gitDirOf(at) ?? []));
  const isTorn = ({ path: at }: Change): boolean => torn.has(gitDirOf(at) ?? "");
  return {
    changes: changes.filter((change) => !isTorn(change)),
    refreshes: refreshes.filter((change) => !isTorn(change)),
    skipped: [...skipped, ...changes.filter(isTorn).map((change) => change.path)],
  };
}

/** Whether something that is not recorded is at a path; a pipe, a socket or a device holds nothing. */
function holdsSomething(now: TurnRecord, path: RawPath): boolean {
  return now.leftOut.some(({ path: left, reason }) => reason !== "special" && isAtOrBelow(path, left));
}

interface Folders {
  readonly changes: Change[];
  readonly skipped: RawPath[];
  readonly turn: readonly TurnChange[];
  readonly now: TurnRecord;
  readonly isForced: boolean;
}

/**
 * A folder that took the place of a file and has something in it that is not the turn's stays. If that is forced, all of it is
 * deleted, since it is recorded by now.
 */
function keepFolders(objects: ObjectStore, { changes, skipped, turn, now, isForced }: Folders): void {
  const afterTurn = new Map(turn.map(({ path, after }) => [path, after]));
  const removed = new Set(changes.flatMap(({ path, before }) => (before === undefined ? path : [])));
  for (const change of changes.filter(({ before, after }) => isFolderItem(after) && !isFolderItem(before))) {
    const { path, before } = change;
    // The item of a folder in which only files changed is an older one.
    const folder = itemAt(objects, now.tree, path);
    if (folder === undefined || (before === undefined && isFolderItem(afterTurn.get(path)))) continue;
    const others = compareTrees(objects, undefined, folder.id)
      .map((inner) => ({ path: joinRaw(path, inner.path), before: undefined, after: inner.after }))
      .filter((inner) => !removed.has(inner.path));
    const isKept = now.leftOut.some((left) => left.reason !== "special" && isAtOrBelow(left.path, path));
    if (others.length === 0 && !isKept) continue;
    const at = changes.indexOf(change);
    if (isForced && !isKept) changes.splice(at + 1, 0, ...others);
    else skipped.push(...changes.splice(at, 1).map((kept) => kept.path));
  }
}

function isFolderItem(item: Item | undefined): boolean {
  return item !== undefined && isDirectory(item.mode);
}

/** Finds what is now at a path that a turn changed. */
function currentItems(
  objects: ObjectStore,
  { parts }: TurnSpan,
  now: TurnRecord,
): (change: TurnChange) => Item | undefined {
  const end = parts.at(-1)?.after ?? now;
  const later = new Map(compareTrees(objects, end.tree, now.tree).map((change) => [change.path, change.after]));
  return ({ path, after }) => {
    if (later.has(path)) return later.get(path);
    return parts.length === 1 ? after : itemAt(objects, now.tree, path);
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

/** Carries out a plan. */
export function carryOut(store: UndoStore, { changes, refreshes }: UndoPlan, onProgress: () => void): RestoreOutcome {
  const source = { root: toRaw(store.root), store: store.objects, kept: store.kept, onProgress };
  return restoreFiles(source, [...changes, ...refreshes]);
}

/** A change as people see it: of a file, or of the repository's state. */
export interface ShownChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "deleted";
}

/**
 * The files that differ, without directories; of a repository's own files only that they changed, if it is more than a refreshed
 * index.
 */
export function shownChanges(changes: readonly (Change & { readonly isRefresh?: boolean })[]): readonly ShownChange[] {
  const shown = new Map<RawPath, ShownChange>();
  for (const { path, before, after, isRefresh } of changes) {
    const gitDir = gitDirOf(path);
    if (isRefresh === true) continue;
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
