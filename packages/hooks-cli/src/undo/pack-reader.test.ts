import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PackReader } from "./pack-reader.ts";

const SIZE = 1_000_003;
const content = Buffer.from(Uint32Array.from({ length: SIZE }, (_, at) => Math.imul(at, 2_654_435_761) >>> 24));
let folder: string;
let reader: PackReader;

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "pack-"));
  fs.writeFileSync(join(folder, "pack"), content);
  reader = new PackReader(join(folder, "pack"));
});
afterEach(() => {
  reader.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("parts are the same in whatever order they are read", () => {
  const parts = Array.from({ length: 500 }, (_, at) => [at * 2_000, at * 2_000 + 1 + ((at * 7_919) % 2_000)] as const);
  const backwards = parts.toReversed();
  const mixed = parts.toSorted(([one], [other]) => ((one * 197) % SIZE) - ((other * 197) % SIZE));
  for (const [start, end] of [...parts, ...backwards, ...mixed])
    expect(reader.read(start, end).equals(content.subarray(start, end))).toBe(true);
  expect(reader.read(0, SIZE).equals(content)).toBe(true);
  expect(reader.read(SIZE - 1, SIZE)).toEqual(content.subarray(-1));
});

test("what was read stays as it is while others are read", () => {
  const early = reader.read(0, 5_000);
  for (let at = 5_000; at < SIZE - 5_000; at += 5_000) reader.read(at, at + 5_000);
  expect(early.equals(content.subarray(0, 5_000))).toBe(true);
});

test("a file that ends too soon is reported", () => {
  expect(() => reader.read(SIZE - 10, SIZE + 1)).toThrow("incomplete");
  expect(() => reader.read(SIZE + 10, SIZE + 20)).toThrow("incomplete");
  fs.truncateSync(join(folder, "pack"), 500_000);
  expect(() => reader.read(500_000, 500_100)).toThrow("incomplete");
  expect(reader.read(499_000, 499_100)).toEqual(content.subarray(499_000, 499_100));
});
