import { tryRead, writeFileAtomic } from "../files/atomic-file.ts";
import type { RawPath } from "./raw-path.ts";

/** By what a file is recognised as unchanged: writing to it changes the last two of them at least. */
export interface Stamp {
  readonly mode: number;
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface CachedEntry extends Stamp {
  readonly name: RawPath;
  readonly id: string;
}

export interface CachedDirectory {
  readonly stamp: Stamp;
  readonly entries: readonly CachedEntry[];
  readonly tree: string;
  /** Whether the rules with this key ignore it. */
  readonly isIgnored: boolean;
  readonly rulesKey: number;
}

/** A stamp that no file has: what was recorded with it is read again. */
export const UNSETTLED: Stamp = { mode: -1, size: -1, ino: -1, mtimeMs: -1, ctimeMs: -1 };

/** File systems report times in steps of some milliseconds, or of two seconds if they have no fractions. */
const STEP_MS = 100;
const COARSE_STEP_MS = 2_000;

/** A file that changed just before it was read may change again without a different time. */
export function settledStamp(stamp: Stamp, readAtMs: number): Stamp {
  const step = stamp.ctimeMs % 1_000 === 0 ? COARSE_STEP_MS : STEP_MS;
  const { mode, size, ino, mtimeMs, ctimeMs } = stamp;
  return ctimeMs + step < readAtMs ? { mode, size, ino, mtimeMs, ctimeMs } : UNSETTLED;
}

export function isSame(one: Stamp, other: Stamp): boolean {
  return (
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.mode === other.mode
  );
}

/** What is known of a directory tree since it was last recorded, so that only what changed is read. */
export type TreeCache = ReadonlyMap<RawPath, CachedDirectory>;

type Cell = string | number;

/** Empty if the store has lost a pack that it had when the cache was written: what was in it must be stored again. */
export function readTreeCache(path: string, packs: readonly string[]): TreeCache {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Our own file, written whole or not at all.
    const [needed = [], ...rows] = JSON.parse(tryRead(path) ?? "[]") as Cell[][];
    if (needed.some((name) => !packs.includes(String(name)))) return new Map();
    return new Map(rows.map((row) => parseRow(row)));
  } catch {
    return new Map();
  }
}

export function writeTreeCache(path: string, cache: TreeCache, packs: readonly string[]): void {
  const rows = Array.from(cache, ([directory, known]): Cell[] => [
    directory,
    known.tree,
    known.isIgnored ? 1 : 0,
    known.rulesKey,
    ...cellsOf(known.stamp),
    ...known.entries.flatMap((entry) => [entry.name, entry.id, ...cellsOf(entry)]),
  ]);
  writeFileAtomic(path, JSON.stringify([packs, ...rows]));
}

const STAMP_CELLS = 5;
const HEAD_CELLS = 4 + STAMP_CELLS;
const ENTRY_CELLS = 2 + STAMP_CELLS;

function cellsOf({ mode, size, ino, mtimeMs, ctimeMs }: Stamp): Cell[] {
  return [mode, size, ino, mtimeMs, ctimeMs];
}

function parseRow(row: readonly Cell[]): [RawPath, CachedDirectory] {
  const entries: CachedEntry[] = [];
  for (let at = HEAD_CELLS; at < row.length; at += ENTRY_CELLS)
    entries.push({ name: String(row[at]), id: String(row[at + 1]), ...stampAt(row, at + 2) });
  const directory = {
    tree: String(row[1]),
    isIgnored: row[2] === 1,
    rulesKey: Number(row[3]),
    stamp: stampAt(row, HEAD_CELLS - STAMP_CELLS),
    entries,
  };
  return [String(row[0]), directory];
}

function stampAt(row: readonly Cell[], at: number): Stamp {
  return {
    mode: Number(row[at]),
    size: Number(row[at + 1]),
    ino: Number(row[at + 2]),
    mtimeMs: Number(row[at + 3]),
    ctimeMs: Number(row[at + 4]),
  };
}
