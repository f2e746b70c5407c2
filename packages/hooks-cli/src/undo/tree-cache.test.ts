import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CachedEntry, PackedEntries, UNSETTLED } from "./packed-entries.ts";
import { type CachedDirectory, readTreeCache, writeTreeCache } from "./tree-cache.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "tree-cache-"));
  path = join(folder, "cache.bin");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const ID = "0123456789abcdef0123456789abcdef01234567";

function entry(name: string, size: number): CachedEntry {
  return { name, id: ID, mode: 0o100644, size, ino: 2 ** 40 + size, mtimeMs: 1_700_000_000_000.123, ctimeMs: 1.5 };
}

function directory(...entries: CachedEntry[]): CachedDirectory {
  const stamp = { mode: 0o40755, size: 4096, ino: 7, mtimeMs: 0.25, ctimeMs: -1.5 };
  return { stamp, entries: PackedEntries.of(entries, undefined), tree: ID, isIgnored: false, rulesKey: 5 };
}

function readBack(): readonly unknown[] {
  return Array.from(readTreeCache(path, ["one", "two"]), ([name, { entries, ...rest }]) => [name, rest, [...entries]]);
}

test("what was written is read back, also names that are not UTF-8 and empty folders", () => {
  const entries = [entry("a", 1), entry("caf\u00e9\u00ff", 2), { ...UNSETTLED, name: "b", id: ID, mode: 0o40755 }];
  const cache = new Map([
    ["", directory(...entries)],
    ["empty", directory()],
    ["caf\u00c3\u00a9", directory(entry("c", 3))],
  ]);
  writeTreeCache(path, cache, ["one"]);
  const rest = { stamp: directory().stamp, tree: ID, isIgnored: false, rulesKey: 5 };
  expect(readBack()).toEqual([
    ["", rest, entries],
    ["empty", rest, []],
    ["caf\u00c3\u00a9", rest, [entry("c", 3)]],
  ]);
});

test("a cache that needs a pack which is gone, or of which a byte is different, says nothing", () => {
  writeTreeCache(path, new Map([["", directory(entry("a", 1))]]), ["one", "gone"]);
  expect(readBack()).toEqual([]);
  writeTreeCache(path, new Map([["", directory(entry("a", 1))]]), ["one"]);
  const whole = fs.readFileSync(path);
  expect(readBack()).toHaveLength(1);
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    fs.writeFileSync(path, damaged);
    expect(readBack()).toEqual([]);
  }
  for (const length of [0, 3, 8, whole.length - 1]) {
    fs.writeFileSync(path, whole.subarray(0, length));
    expect(readBack()).toEqual([]);
  }
});

test("entries are copied from those of before by their positions", () => {
  const before = PackedEntries.of([entry("a", 1), entry("b", 2), entry("c", 3)], undefined);
  const entries = PackedEntries.of([2, entry("x", 9), 0], before);
  expect([...entries]).toEqual([entry("c", 3), entry("x", 9), entry("a", 1)]);
  expect(entries.has(1, entry("x", 9))).toBe(true);
  expect(entries.has(1, { ...entry("x", 9), id: ID.replaceAll("0", "1") })).toBe(false);
  expect(entries.isSame(0, { ...entry("c", 3), ctimeMs: 2 })).toBe(false);
});
