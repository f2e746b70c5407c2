import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ObjectStore } from "./object-store.ts";
import { encodeTree } from "./tree.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "object-store-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const CONTENTS = [
  Buffer.alloc(0),
  Buffer.from("a"),
  Buffer.from("x".repeat(15)),
  Buffer.from("x".repeat(16)),
  Buffer.from("text\r\n".repeat(40_000)),
  randomBytes(300_000),
];

test("git reads what was stored, also after the packs were written again", () => {
  const store = new ObjectStore(directory);
  store.add("blob", randomBytes(1_000_000));
  const ids = CONTENTS.map((content) => store.add("blob", content));
  const tree = store.add("tree", encodeTree(ids.map((id, at) => ({ name: `file${at}`, mode: 0o100600, id }))));
  store.flush();
  const other = store.add("blob", Buffer.from("not needed for long"));
  store.flush();
  const git = (...args: string[]): Buffer => execFileSync("git", [`--git-dir=${directory}`, ...args]);
  const check = (): void => {
    for (const [at, id] of ids.entries())
      expect(git("cat-file", "blob", id).equals(CONTENTS[at] ?? Buffer.of(1))).toBe(true);
    expect(git("ls-tree", "--name-only", tree).toString().trim().split("\n")).toHaveLength(CONTENTS.length);
    for (const name of readdirSync(join(directory, "objects/pack")).filter((file) => file.endsWith(".idx")))
      git("verify-pack", join(directory, "objects/pack", name));
  };
  check();
  store.compact(new Set([...ids, tree]), () => false);
  check();
  const again = new ObjectStore(directory);
  expect(again.has(other)).toBe(false);
  expect(ids.map((id) => again.read(id).content.equals(CONTENTS[ids.indexOf(id)] ?? Buffer.of(1)))).not.toContain(
    false,
  );
  expect(again.packNames).toHaveLength(1);
  expect(again.sizeOf(new Set([...ids, tree]))).toBeGreaterThan(again.size * 0.99);
});

test("many small packs become one", () => {
  const store = new ObjectStore(directory);
  const ids = Array.from({ length: 30 }, (_, at) => {
    const id = store.add("blob", Buffer.from(`content ${at}`));
    store.flush();
    return id;
  });
  store.compact(new Set(ids), () => true);
  expect(new ObjectStore(directory).packNames).toHaveLength(30);
  store.compact(new Set(ids), () => false);
  const again = new ObjectStore(directory);
  expect(again.packNames).toHaveLength(1);
  expect(ids.map((id) => again.read(id).content.toString())).toEqual(ids.map((_, at) => `content ${at}`));
});

test("the same content is stored once", () => {
  const store = new ObjectStore(directory);
  store.add("blob", Buffer.from("once"));
  store.flush();
  const { size } = store;
  store.add("blob", Buffer.from("once"));
  store.flush();
  expect(new ObjectStore(directory).size).toBe(size);
});

test.each([
  ["index", ".idx"],
  ["pack", ".pack"],
])("an object of a pack whose %s is cut off counts as missing, and can be stored again", (_, ending) => {
  const store = new ObjectStore(directory);
  const id = store.add("blob", Buffer.from("kept"));
  store.flush();
  const [file = ""] = readdirSync(join(directory, "objects/pack")).filter((name) => name.endsWith(ending));
  truncateSync(join(directory, "objects/pack", file), 30);
  const damaged = new ObjectStore(directory);
  expect(() => damaged.read(id)).toThrow("missing");
  damaged.add("blob", Buffer.from("kept"));
  damaged.flush();
  expect(new ObjectStore(directory).read(id).content.toString()).toBe("kept");
});
