import * as fs from "node:fs";
import { join } from "node:path";
import { sinceStartMs } from "../clock.ts";
import { tryStat } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { acquireLock } from "./file-lock.ts";
import type { RawPath } from "./raw-path.ts";
import { decodeTree, isDirectory, isKept } from "./tree.ts";
import { PRUNE_INTERVAL_MS, pruneMark } from "./turn-state.ts";
import { readTreeCache } from "./tree-cache.ts";
import { type UndoLimits, readUndoLimits } from "./undo-limits.ts";
import { type TurnRecord, UndoStore, lockPathOf } from "./undo-store.ts";

/** If it needs more space than it may, this share of its turns is forgotten at once. */
const FORGOTTEN_SHARE = 0.25;

/**
 * Forgets what is too old, and of a project that needs too much space its oldest turns, until `endMs` on the clock of
 * `sinceStartMs`; the next time goes on from there. Does nothing for a project that is in use, or
 * was pruned a short while ago and does not need too much.
 */
export function pruneProjects(home: Home, root: string, endMs: number): void {
  const limits = readUndoLimits(home.config);
  const lock = acquireLock(lockPathOf(home, root), sinceStartMs());
  if (lock === undefined) return;
  try {
    const store = new UndoStore(home, root);
    const markPath = pruneMark(home, root);
    const isRecent = Date.now() - (tryStat(markPath)?.mtimeMs ?? 0) < PRUNE_INTERVAL_MS;
    if (isRecent && store.objects.size < limits.maxStoreBytes) return;
    pruneProject(store, limits, endMs);
    removeOldFiles(join(home.undo, "sessions"), limits.maxAgeMs);
    removeAbandoned(home, limits.maxAgeMs, endMs);
    fs.writeFileSync(markPath, "", { mode: 0o600 });
  } finally {
    lock.release();
  }
}

/** Prunes one project, whose lock the caller holds. */
export function pruneProject(store: UndoStore, { maxAgeMs, maxStoreBytes }: UndoLimits, endMs: number): void {
  const isOver = (): boolean => sinceStartMs() > endMs;
  for (const attempt of store.attempts) if (Date.now() - attempt.recordedAtMs > maxAgeMs) store.remove(attempt);
  for (;;) {
    const { turns } = store;
    const needed = neededBy(store, turns);
    if (turns.length > 1 && store.objects.sizeOf(needed.objects) > maxStoreBytes) {
      for (const turn of turns.slice(0, Math.ceil(turns.length * FORGOTTEN_SHARE))) store.remove(turn);
      continue;
    }
    store.compact(needed.objects, isOver);
    for (const name of store.kept.names) if (!needed.kept.has(name)) store.kept.remove(name);
    return;
  }
}

/** The objects and kept files of the recorded turns, and those that the cache says are there. */
function neededBy(store: UndoStore, turns: readonly TurnRecord[]) {
  const objects = new Set<string>();
  const kept = new Set<string>();
  const visit = (tree: string): void => {
    if (objects.has(tree) || !store.objects.has(tree)) return;
    objects.add(tree);
    for (const { name, mode, id } of decodeTree(store.objects.read(tree).content)) {
      if (isDirectory(mode)) visit(id);
      else if (isKept(mode)) kept.add(keptName(name));
      else objects.add(id);
    }
  };
  for (const { tree } of turns) visit(tree);
  for (const { tree, entries } of readTreeCache(store.cachePath, store.objects.packNames).values()) {
    visit(tree);
    for (const { id, mode } of entries) if (!isDirectory(mode) && !isKept(mode)) objects.add(id);
  }
  return { objects, kept };
}

/** All kept files are packs. */
function keptName(name: RawPath): string {
  return `pack/${name}`;
}

/** Projects in which nobody has worked for so long that all of their turns are too old. */
function removeAbandoned(home: Home, maxAgeMs: number, endMs: number): void {
  const directory = join(home.undo, "projects");
  for (const name of fs.readdirSync(directory).filter((file) => !file.endsWith(".lock"))) {
    const path = join(directory, name);
    if (sinceStartMs() > endMs || !isOlder(join(path, "turns"), maxAgeMs)) continue;
    const lock = acquireLock(`${path}.lock`, sinceStartMs());
    if (lock === undefined) continue;
    fs.rmSync(path, { recursive: true, force: true });
    lock.release();
  }
}

function removeOldFiles(directory: string, maxAgeMs: number): void {
  const paths = fs.readdirSync(directory).map((name) => join(directory, name));
  for (const path of paths.filter((file) => isOlder(file, maxAgeMs))) fs.rmSync(path, { force: true });
}

function isOlder(path: string, maxAgeMs: number): boolean {
  const status = tryStat(path);
  return status !== undefined && Date.now() - status.mtimeMs > maxAgeMs;
}
