import { crc32 } from "node:zlib";
import { readIfExists, writeFileAtomic } from "../files/atomic-file.ts";
import { ID_BYTES, PackedEntries, STAMP_NUMBERS, type Stamp, UNSETTLED } from "./packed-entries.ts";
import type { RawPath } from "./raw-path.ts";

export interface CachedDirectory {
  readonly stamp: Stamp;
  readonly entries: PackedEntries;
  readonly tree: string;
  /** Whether the rules with this key ignore it. */
  readonly isIgnored: boolean;
  readonly rulesKey: number;
}

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

/**
 * The file: the checksum of what follows and the length of the head; the head as JSON, with the packs that are needed and a row for
 * each directory, padded to a multiple of eight; the stamps of all entries, their ids, and their names, each with a zero after it.
 */
const PRELUDE_BYTES = 8;
const ALIGNMENT = 8;
type Row = readonly [path: RawPath, tree: string, isIgnored: boolean, rulesKey: number, stamp: Stamp, entries: number];
type Head = readonly [packs: readonly string[], rows: readonly Row[]];

/** Empty if the store has lost a pack that it had when the cache was written: what was in it must be stored again. */
export function readTreeCache(path: string, packs: readonly string[]): TreeCache {
  try {
    const file = readIfExists(path);
    if (file === undefined || crc32(file.subarray(4)) !== file.readUInt32LE(0)) return new Map();
    const headEnd = PRELUDE_BYTES + file.readUInt32LE(4);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Our own file, whose checksum is right.
    const [needed, rows] = JSON.parse(file.toString("utf8", PRELUDE_BYTES, headEnd)) as Head;
    return needed.every((name) => packs.includes(name)) ? parseDirectories(file, headEnd, rows) : new Map();
  } catch {
    return new Map();
  }
}

function parseDirectories(file: Buffer, start: number, rows: readonly Row[]): TreeCache {
  const count = rows.reduce((sum, row) => sum + row[5], 0);
  // A copy, since the buffer may begin anywhere in its memory.
  const bytes = Uint8Array.prototype.slice.call(file, start, start + count * STAMP_NUMBERS * ALIGNMENT);
  const stamps = new Float64Array(bytes.buffer);
  const idsStart = start + bytes.length;
  const names = file.toString("latin1", idsStart + count * ID_BYTES).split("\0");
  const cache = new Map<RawPath, CachedDirectory>();
  let at = 0;
  for (const [path, tree, isIgnored, rulesKey, stamp, length] of rows) {
    const end = at + length;
    const entries = new PackedEntries(
      names.slice(at, end),
      stamps.subarray(at * STAMP_NUMBERS, end * STAMP_NUMBERS),
      file.subarray(idsStart + at * ID_BYTES, idsStart + end * ID_BYTES),
    );
    cache.set(path, { stamp, entries, tree, isIgnored, rulesKey });
    at = end;
  }
  return cache;
}

export function writeTreeCache(path: string, cache: TreeCache, packs: readonly string[]): void {
  const directories = Array.from(cache.values(), ({ entries }) => entries);
  const head: Head = [
    packs,
    Array.from(cache, ([name, { tree, isIgnored, rulesKey, stamp, entries }]): Row => {
      return [name, tree, isIgnored, rulesKey, stamp, entries.length];
    }),
  ];
  const json = Buffer.from(JSON.stringify(head));
  const padding = (ALIGNMENT - (json.length % ALIGNMENT)) % ALIGNMENT;
  const prelude = Buffer.alloc(PRELUDE_BYTES);
  prelude.writeUInt32LE(json.length + padding, 4);
  const names = directories.map((entries) => entries.names.map((name) => `${name}\0`).join("")).join("");
  const file = Buffer.concat([
    prelude,
    json,
    Buffer.alloc(padding, " "),
    ...directories.map(({ stamps }) => new Uint8Array(stamps.buffer, stamps.byteOffset, stamps.byteLength)),
    ...directories.map(({ ids }) => ids),
    Buffer.from(names, "latin1"),
  ]);
  file.writeUInt32LE(crc32(file.subarray(4)), 0);
  writeFileAtomic(path, file);
}
