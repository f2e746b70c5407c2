import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Change } from "./compare-trees.ts";
import { KeptFiles } from "./kept-files.ts";
import { ObjectStore, type StoredObject, objectId } from "./object-store.ts";
import { UndoProject } from "./project.testing.ts";
import { toRaw } from "./raw-path.ts";
import { TreeRecorder } from "./record-tree.ts";
import { type RestoreOutcome, restoreFiles } from "./restore-files.ts";
import { UNFINISHED } from "./staging.ts";
import { entryOfWritten } from "./written-files.ts";

let project: UndoProject;
let store: WatchedStore;

beforeEach(() => {
  project = new UndoProject();
  store = new WatchedStore(join(project.path, "store"));
});
afterEach(() => {
  store.close();
  project.close();
});

/** Looks at the project whenever the content of a file is needed. */
class WatchedStore extends ObjectStore {
  readonly seen: (readonly string[])[] = [];

  override read(id: string): StoredObject {
    this.seen.push(fs.readdirSync(project.root).filter((name) => !name.startsWith(UNFINISHED)));
    return super.read(id);
  }
}

const directory = (path: string, mode = 0o755): Change => ({
  path,
  before: { mode: 0o040000 | mode, id: objectId("tree", Buffer.alloc(0)) },
  after: undefined,
});
const file = (path: string, content: string, mode = 0o644): Change => ({
  path,
  before: { mode: 0o100000 | mode, id: store.add("blob", Buffer.from(content)) },
  after: undefined,
});

function restore(...changes: readonly Change[]): RestoreOutcome {
  const kept = new KeptFiles(join(project.path, "kept"), 0);
  return restoreFiles({ root: toRaw(project.root), store, kept, onProgress: () => undefined }, changes);
}

test("a directory that is gone appears at once, with all that belongs in it", () => {
  const changes = [
    directory("a", 0o555),
    file("a/1", "one", 0o600),
    directory("a/b"),
    file("a/b/2", "two"),
    directory("c"),
  ];
  expect(restore(...changes).failures).toEqual([]);
  expect(store.seen).toEqual([[], []]);
  expect([project.read("a/1"), project.read("a/b/2")]).toEqual(["one", "two"]);
  const modes = ["a", "a/1", "a/b", "a/b/2"].map((path) => fs.statSync(join(project.root, path)).mode & 0o777);
  expect(modes).toEqual([0o555, 0o600, 0o755, 0o644]);
  expect(fs.readdirSync(project.root)).toEqual(["a", "c"]);
});

test("a directory of which an object is damaged is brought back without it", () => {
  const missing: Change = { ...file("a/2", ""), before: { mode: 0o100644, id: "0".repeat(40) } };
  const { failures } = restore(directory("a"), file("a/1", "one"), missing, file("a/3", "three"));
  expect(failures.map(({ path }) => path)).toEqual(["a/2"]);
  expect([project.read("a/1"), project.read("a/3")]).toEqual(["one", "three"]);
  expect(fs.readdirSync(project.root)).toEqual(["a"]);
});

test("nothing is built where a link has taken the place of a directory", () => {
  const elsewhere = join(project.path, "elsewhere");
  fs.mkdirSync(elsewhere);
  fs.symlinkSync(elsewhere, join(project.root, "a"));
  const { failures } = restore(directory("a/b"), file("a/b/1", "one"));
  expect(failures.map(({ path }) => path)).toEqual(["a/b", "a/b/1"]);
  expect(fs.readdirSync(elsewhere)).toEqual([]);
});

test("what an undo has left that was killed is recorded by nobody, and removed by the next one", () => {
  project.write("a/1", "one");
  project.write("b/1", "one");
  project.turn();
  fs.mkdirSync(join(project.root, `${UNFINISHED}1/b`), { recursive: true });
  fs.rmSync(join(project.root, "a"), { recursive: true });
  project.write(`b/${UNFINISHED}1`, "on");
  project.write("b/1", "two");
  expect(project.end()).toBe(true);
  expect(project.undo()?.undone).toEqual([
    { path: "a/1", kind: "deleted" },
    { path: "b/1", kind: "changed" },
  ]);
  expect(fs.readdirSync(project.root, { recursive: true })).toEqual(["a", "b", "a/1", "b/1"]);
});

/** Records the files of a folder after an undo; those that are taken over unread have the ids in `written`. */
function recordedIds(written: RestoreOutcome["written"], folder: string): readonly (readonly string[])[] {
  const recorder = new TreeRecorder({
    root: toRaw(project.root),
    store,
    kept: new KeptFiles(join(project.path, "kept"), 0),
    cache: new Map(),
    limits: { maxFileBytes: 1e6, maxIgnoredFileBytes: 1e6, maxEntries: 100, maxNewBytes: 1e6, endMs: Infinity },
    written,
    excluded: new Set(),
  });
  recorder.record();
  return [...(recorder.cache.get(folder)?.entries ?? [])].map(({ name, id }) => [name, id]);
}

test("files that an undo has written are recorded without being read, unless they look different by now", () => {
  for (const name of ["1", "2"]) project.write(`b/${name}`, name);
  const { before } = file("b/2", "2", 0o666);
  const after = { mode: 0o100600, id: before?.id ?? "" };
  const changes = [
    directory("a"),
    file("a/1", "one"),
    file("a/2", "two"),
    file("b/1", "three"),
    { path: "b/2", before, after },
  ];
  const { failures, written } = restore(...changes);
  expect(failures).toEqual([]);
  const unread = new Map(
    [...written].map(([path, known]) => [path, { ...known, id: objectId("tree", Buffer.from(path)) }]),
  );
  const idOf = (path: string): string => unread.get(path)?.id ?? "";
  project.write("a/2", "other");
  expect(recordedIds(unread, "a")).toEqual([
    ["1", idOf("a/1")],
    ["2", objectId("blob", Buffer.from("other"))],
  ]);
  expect(recordedIds(unread, "b")).toEqual([
    ["1", idOf("b/1")],
    ["2", idOf("b/2")],
  ]);
  fs.chmodSync(join(project.root, "b/1"), 0o600);
  expect(recordedIds(unread, "b")[0]).toEqual(["1", objectId("blob", Buffer.from("three"))]);
});

test("what an undo has just written is read again for the next record, in which others may have changed it", () => {
  const { written } = restore(directory("a"), file("a/1", "one"));
  const known = written.get("a/1");
  if (known === undefined) throw new Error("nothing was written");
  const stamp = { ...known };
  expect(entryOfWritten(known, "1", stamp)).toMatchObject({ id: known.id, size: -1 });
  const later = { ...known, hiddenUntilMs: known.ctimeMs + 60_000 };
  expect(entryOfWritten(later, "1", stamp)).toMatchObject({ id: known.id, size: 3 });
  expect(entryOfWritten(later, "1", { ...stamp, ctimeMs: stamp.ctimeMs + 1 })).toMatchObject({ size: -1 });
});
