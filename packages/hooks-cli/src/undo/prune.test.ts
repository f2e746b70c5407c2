import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UndoProject, differences, snapshot } from "./project.testing.ts";
import { pruneProject, pruneProjects } from "./prune.ts";
import { readTreeCache } from "./tree-cache.ts";
import { projectStore, turnPath } from "./turn-state.ts";
import { readUndoLimits } from "./undo-limits.ts";
import { UndoStore } from "./undo-store.ts";

const FOREVER = Number.POSITIVE_INFINITY;

let project: UndoProject;

beforeEach(() => {
  project = new UndoProject();
});
afterEach(() => project.close());

function open(): UndoStore {
  return new UndoStore(project.home, project.root);
}

/** Makes a turn older than it is. */
function age(number: number, days: number): void {
  const path = turnPath(project.home, { session: "session", number, root: project.root });
  const record: Record<string, unknown> = JSON.parse(fs.readFileSync(path, "utf8"));
  fs.writeFileSync(path, JSON.stringify({ ...record, recordedAtMs: Date.now() - days * 24 * 3_600_000 }));
}

test("turns that are too old are forgotten, with what only they need", () => {
  project.write("old.bin", randomBytes(500_000));
  project.turn();
  project.write("old.bin", "new");
  const before = snapshot(project.root);
  project.turn();
  project.shell("rm *");
  age(1, 15);
  const store = open();
  const { size } = store.objects;
  pruneProject(store, readUndoLimits(project.home.config), FOREVER);
  expect(open().turns.map(({ turn }) => turn)).toEqual([2]);
  expect(open().objects.size).toBeLessThan(size - 490_000);
  expect(project.undo()?.failures).toEqual([]);
  expect(differences(before, snapshot(project.root))).toEqual([]);
});

test("a project that needs too much space forgets its oldest turns, but never the last", () => {
  fs.writeFileSync(project.home.config, JSON.stringify({ undo: { maxMb: 1 } }));
  for (let turn = 1; turn <= 8; turn += 1) {
    project.write("random.bin", randomBytes(300_000));
    project.turn();
  }
  const before = snapshot(project.root);
  pruneProject(open(), readUndoLimits(project.home.config), FOREVER);
  expect(open().turns.at(-1)?.turn).toBe(8);
  expect(open().objects.size).toBeLessThan(1024 * 1024);
  project.shell("rm *");
  expect(project.undo()?.failures).toEqual([]);
  expect(differences(before, snapshot(project.root))).toEqual([]);
});

test("what is recorded after pruning is complete, though the cache is older", () => {
  project.write("a.txt", "a");
  project.turn();
  project.write("b.txt", "b");
  project.turn();
  for (const turn of [1, 2]) age(turn, 15);
  pruneProject(open(), readUndoLimits(project.home.config), FOREVER);
  const before = snapshot(project.root);
  project.turn();
  project.shell("rm *");
  expect(project.undo()?.failures).toEqual([]);
  expect(differences(before, snapshot(project.root))).toEqual([]);
});

test("pruning keeps what is known of the files, so that the next turn need not read them again", () => {
  for (let turn = 1; turn <= 30; turn += 1) {
    project.write(`file-${turn}.txt`, `${turn}`);
    project.turn();
  }
  project.write("random.bin", randomBytes(100_000));
  project.turn();
  const packs = open().objects.packNames;
  pruneProject(open(), readUndoLimits(project.home.config), FOREVER);
  const pruned = open();
  expect(pruned.objects.packNames.length).toBeLessThan(packs.length);
  const cache = readTreeCache(pruned.cachePath, pruned.objects.packNames);
  expect(cache.get("")?.entries.names).toHaveLength(31);
  for (const { id } of cache.get("")?.entries ?? []) expect(pruned.objects.has(id)).toBe(true);
  const before = snapshot(project.root);
  project.turn();
  project.shell("rm *");
  expect(project.undo()?.failures).toEqual([]);
  expect(differences(before, snapshot(project.root))).toEqual([]);
});

test("a store that lost a pack records everything again", () => {
  project.write("a.txt", "a");
  project.turn();
  const packs = join(projectStore(project.home, project.root), "objects/pack");
  for (const name of fs.readdirSync(packs)) fs.rmSync(join(packs, name));
  project.turn();
  project.shell("rm *");
  expect(project.undo({ turn: 2 })?.failures).toEqual([]);
  expect(project.read("a.txt")).toBe("a");
});

test("projects in which nobody works any more are forgotten, once in a while", () => {
  project.write("a.txt", "a");
  project.turn();
  const other = new UndoProject();
  const abandoned = projectStore(project.home, other.root);
  fs.mkdirSync(join(abandoned, "turns"), { recursive: true });
  const old = new Date(Date.now() - 30 * 24 * 3_600_000);
  fs.utimesSync(join(abandoned, "turns"), old, old);
  pruneProjects(project.home, project.root, FOREVER);
  expect(fs.existsSync(abandoned)).toBe(false);
  expect(open().turns).toHaveLength(1);
  other.close();
});
