import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ENOUGH, UndoProject, differences, snapshot } from "./project.testing.ts";
import { recordCheckpoint, recordContinuation, recordEnd } from "./recorder.ts";
import { awaitsChanges, continueTurn, currentTurn, endTurn, takeChanges } from "./turn-state.ts";

/** Whose end is recorded, so that what others change later is not theirs. */

let project: UndoProject;

beforeEach(() => {
  project = new UndoProject();
  project.write("a.txt", "a1\n");
  project.write("b.txt", "b1\n");
  project.write("deep/c.txt", "c1\n");
  project.turn();
});
afterEach(() => project.close());

/** A turn that changes one file, deletes one and adds one. */
function work(): void {
  project.write("a.txt", "by the assistant\n");
  fs.rmSync(join(project.root, "b.txt"));
  project.write("new.txt", "by the assistant\n");
}

test("what a turn changed is awaited from its end until that is recorded", () => {
  const turn = { session: "session", number: 1, root: project.root };
  const isAwaited = (): boolean => {
    const current = currentTurn(project.home, turn.session, turn.root);
    return current !== undefined && awaitsChanges(project.home, current);
  };
  work();
  expect(isAwaited()).toBe(false);
  endTurn(project.home, turn);
  expect(isAwaited()).toBe(true);
  recordEnd(project.home, turn, ENOUGH, "turn");
  expect(isAwaited()).toBe(false);
  expect(takeChanges(project.home, "session")).toMatchObject({ total: 3 });
});

describe("after a turn has ended", () => {
  let start: ReadonlyMap<string, string>;

  beforeEach(() => {
    start = snapshot(project.root);
    work();
    project.end();
  });

  test("other files are left as people changed them since", () => {
    project.write("deep/c.txt", "by hand\n");
    project.write("mine.txt", "by hand\n");
    const result = project.undo();
    expect(result).toMatchObject({ turn: { turn: 1, until: "turn" }, skipped: [], failures: [] });
    expect(result?.undone.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "new.txt"]);
    expect(["a.txt", "b.txt", "deep/c.txt", "mine.txt"].map((name) => project.read(name))).toEqual([
      "a1\n",
      "b1\n",
      "by hand\n",
      "by hand\n",
    ]);
    expect(fs.existsSync(join(project.root, "new.txt"))).toBe(false);
  });

  test.each([
    ["changed", "a.txt", () => project.write("a.txt", "by hand\n")],
    ["created again", "b.txt", () => project.write("b.txt", "by hand\n")],
    ["deleted", "a.txt", () => fs.rmSync(join(project.root, "a.txt"))],
    ["given other permissions", "new.txt", () => fs.chmodSync(join(project.root, "new.txt"), 0o755)],
  ])("a file of the turn that was %s since is left alone and named, unless that is forced", (_what, name, change) => {
    change();
    const changed = snapshot(project.root);
    expect(project.undo()).toMatchObject({ skipped: [name], failures: [] });
    expect(snapshot(project.root).get(name)).toBe(changed.get(name));
    const before = project.undo({ isForced: true });
    expect(before).toMatchObject({ skipped: [], undone: [{ path: name }] });
    expect(snapshot(project.root).get(name)).toBe(start.get(name));
  });

  test.each(["a.txt", "b.txt", "new.txt"])(
    "a folder that took the place of %s is only deleted if that is forced",
    (name) => {
      project.shell(`rm -f ${name}; mkdir -p ${name}/deep; echo by hand > ${name}/deep/x; echo by hand > ${name}/y`);
      const changed = snapshot(project.root);
      expect(project.undo({ path: name })).toMatchObject({ undone: [], skipped: [name], failures: [] });
      expect(differences(changed, snapshot(project.root))).toEqual([]);
      expect(project.undo({ path: name, isForced: true })).toMatchObject({ skipped: [], failures: [] });
      expect(snapshot(project.root).get(name)).toBe(start.get(name));
      expect(project.redo()).toMatchObject({ skipped: [], failures: [] });
      expect(differences(changed, snapshot(project.root))).toEqual([]);
    },
  );

  test("a folder that took the place of a file stays if not all of it is recorded", () => {
    project.git("init", "-q");
    project.write(".gitignore", "*.db\n");
    project.shell("rm a.txt; mkdir a.txt");
    project.write("a.txt/large.db", "x".repeat(2_000_000));
    expect(project.undo({ path: "a.txt", isForced: true })).toMatchObject({
      undone: [],
      skipped: ["a.txt"],
      failures: [],
    });
    expect(project.read("a.txt/large.db")).toHaveLength(2_000_000);
  });

  test("what cannot be brought back below a file that took the place of its folder is named as well", () => {
    project.turn();
    fs.rmSync(join(project.root, "deep"), { recursive: true });
    project.end();
    project.write("deep", "by hand\n");
    expect(project.undo()).toMatchObject({ undone: [], skipped: ["deep", "deep/c.txt"], failures: [] });
    expect(project.read("deep")).toBe("by hand\n");
  });

  test("the turn is listed without what was changed since, and so is its file", () => {
    project.write("deep/c.txt", "by hand\n");
    const [turn] = project.command.list(undefined, Infinity);
    expect(turn?.changes.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "new.txt"]);
    expect(project.command.list(undefined, Infinity)).toHaveLength(1);
    expect(project.undo({ path: "deep/c.txt" })).toBeUndefined();
    expect(project.undo({ path: "a.txt" })).toMatchObject({ undone: [{ path: "a.txt" }], skipped: [] });
  });

  test("its changes are reported at once, and not again by the next turn", () => {
    project.write("deep/c.txt", "by hand\n");
    expect(takeChanges(project.home, "session")).toMatchObject({ turn: 1, total: 3 });
    project.turn();
    expect(takeChanges(project.home, "session")).toBeUndefined();
  });

  test("the next undo takes back the turn before it, and one that was undone is not chosen again", () => {
    project.turn();
    project.write("a.txt", "second\n");
    project.end();
    expect(project.undo()?.turn.turn).toBe(2);
    expect(project.undo()?.turn.turn).toBe(1);
    expect(project.undo()).toBeUndefined();
    expect(project.read("a.txt")).toBe("a1\n");
    project.redo();
    expect(project.undo()?.turn.turn).toBe(1);
    expect(project.undo()).toBeUndefined();
    expect(project.read("a.txt")).toBe("a1\n");
  });

  test("undoing an undo takes back nothing that was changed after it", () => {
    const worked = snapshot(project.root);
    project.undo();
    project.write("deep/c.txt", "by hand\n");
    expect(project.redo()).toMatchObject({ skipped: [], failures: [] });
    expect(differences(worked, snapshot(project.root))).toEqual(["deep/c.txt"]);
    expect(project.redo()).toBeUndefined();
    // And that again.
    project.write("new.txt", "by hand\n");
    expect(project.undo()).toMatchObject({ turn: { turn: 1 }, skipped: ["new.txt"] });
    expect([project.read("a.txt"), project.read("new.txt")]).toEqual(["a1\n", "by hand\n"]);
  });

  test("each undo can be taken back, the last one first or by its turn, and turns are listed with it", () => {
    const states = (): readonly unknown[] =>
      project.command.list(undefined, Infinity).map(({ turn, takenBack }) => [turn, takenBack?.isEntire]);
    project.turn();
    project.write("deep/c.txt", "second\n");
    project.end();
    project.turn();
    project.write("late.txt", "third\n");
    project.end();
    const worked = snapshot(project.root);
    for (const turn of [3, 2, 1]) expect(project.undo()?.turn.turn).toBe(turn);
    expect(differences(start, snapshot(project.root))).toEqual([]);
    expect(states()).toEqual([
      [3, true],
      [2, true],
      [1, true],
    ]);
    expect(project.redo({ turn: 2 })).toMatchObject({ done: { turn: 2, isRedo: true }, skipped: [] });
    expect(project.read("deep/c.txt")).toBe("second\n");
    expect(project.redo({ turn: 2 })).toBeUndefined();
    expect(project.command.redoable().map(({ turn }) => turn)).toEqual([1, 3]);
    expect(states()).toEqual([
      [3, true],
      [2, undefined],
      [1, true],
    ]);
    expect(project.redo()).toMatchObject({ done: { turn: 1 } });
    expect(project.redo()).toMatchObject({ done: { turn: 3 } });
    expect(project.redo()).toBeUndefined();
    expect(differences(worked, snapshot(project.root))).toEqual([]);
    project.undo({ turn: 1, path: "a.txt" });
    expect(states().at(-1)).toEqual([1, false]);
    expect(project.redo()).toMatchObject({ done: { turn: 1 }, undone: [{ path: "a.txt" }] });
    expect(project.redo()).toBeUndefined();
  });

  test("an undo that was interrupted can be taken back", () => {
    const worked = snapshot(project.root);
    project.undo();
    const [end = ""] = fs
      .readdirSync(join(project.home.undo, "projects"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("undo.1.01.json"));
    fs.rmSync(join(project.home.undo, "projects", end));
    expect(project.redo()).toMatchObject({ skipped: [], failures: [] });
    expect(differences(worked, snapshot(project.root))).toEqual([]);
    expect(project.redo()).toBeUndefined();
  });

  test("an undo that did nothing is not the one that is undone", () => {
    project.undo();
    expect(project.undo()).toBeUndefined();
    expect(project.undo({ turn: 1 })?.undone).toEqual([]);
    expect(project.redo()?.undone).toHaveLength(3);
  });
});

test("what somebody put into a folder that the turn made in the place of a file stays, unless that is forced", () => {
  const start = snapshot(project.root);
  project.shell("rm a.txt; mkdir a.txt; echo by the assistant > a.txt/x");
  project.end();
  project.write("a.txt/mine", "by hand\n");
  expect(project.undo()).toMatchObject({ undone: [{ path: "a.txt/x" }], skipped: ["a.txt"], failures: [] });
  expect(project.read("a.txt/mine")).toBe("by hand\n");
  expect(project.undo({ isForced: true })).toMatchObject({ skipped: [], failures: [] });
  expect(differences(start, snapshot(project.root))).toEqual([]);
});

test("what is no file is replaced by the file or folder that was there", () => {
  const start = snapshot(project.root);
  project.shell("rm -r a.txt b.txt deep; mkfifo a.txt deep");
  project.shell(`node -e 'require("net").createServer().listen("b.txt", () => process.kill(process.pid, 9))' || true`);
  expect(fs.lstatSync(join(project.root, "b.txt")).isSocket()).toBe(true);
  project.end();
  expect(project.undo()).toMatchObject({ skipped: [], failures: [], undone: { length: 3 } });
  expect(differences(start, snapshot(project.root))).toEqual([]);
});

describe("a turn that goes on after its end", () => {
  beforeEach(() => {
    work();
    project.end();
    project.write("deep/c.txt", "by hand\n");
    project.goOn();
    project.write("late.txt", "by the assistant\n");
  });

  test("is undone as a whole, without what was changed in between and afterwards", () => {
    project.end();
    project.write("a.txt", "by hand\n");
    project.write("mine.txt", "by hand\n");
    const result = project.undo();
    expect(result?.skipped).toEqual(["a.txt"]);
    expect(result?.undone.map(({ path }) => path)).toEqual(["b.txt", "late.txt", "new.txt"]);
    expect(["a.txt", "deep/c.txt", "mine.txt"].map((name) => project.read(name))).toEqual(Array(3).fill("by hand\n"));
  });

  test("leaves alone what both the turn and others changed", () => {
    project.write("a.txt", "by hand\n");
    project.end();
    project.write("b.txt", "by hand\n");
    project.goOn();
    project.write("a.txt", "by the assistant\n");
    project.write("b.txt", "by the assistant\n");
    project.write("deep/c.txt", "by the assistant\n");
    project.end();
    expect(project.undo()).toMatchObject({ skipped: ["b.txt"] });
    expect(["a.txt", "b.txt", "deep/c.txt"].map((name) => project.read(name))).toEqual([
      "a1\n",
      "by the assistant\n",
      "by hand\n",
    ]);
    expect(project.undo({ isForced: true })).toMatchObject({ skipped: [], undone: [{ path: "b.txt" }] });
    expect(project.read("b.txt")).toBe("b1\n");
  });

  test("can be undone to where it went on", () => {
    project.end();
    const turns = project.command.list(undefined, Infinity).map(({ turn, changes }) => [turn, changes.length]);
    expect(turns).toEqual([
      [1.02, 1],
      [1, 4],
    ]);
    expect(project.undo({ turn: 1.02 })?.undone).toEqual([{ path: "late.txt", kind: "added" }]);
  });

  test("has not ended until it is recorded again", () => {
    expect(project.command.list(undefined, Infinity).find(({ turn }) => turn === 1)).toMatchObject({ until: "now" });
  });
});

test("a checkpoint within a turn does not divide it", () => {
  project.write("a.txt", "a2\n");
  recordCheckpoint(project.home, project.current(), ENOUGH);
  work();
  project.end();
  project.write("deep/c.txt", "by hand\n");
  expect(project.undo({ turn: 1.01 })?.undone).toHaveLength(3);
  expect(project.read("a.txt")).toBe("a2\n");
  expect(project.undo()).toMatchObject({ undone: [], skipped: ["a.txt"] });
});

test("a turn whose end is not recorded ends where the next one begins, otherwise now", () => {
  work();
  project.write("deep/c.txt", "by hand\n");
  expect(project.command.list(undefined, Infinity)).toMatchObject([{ until: "now", changes: { length: 4 } }]);
  project.turn();
  project.write("deep/c.txt", "by hand again\n");
  expect(project.undo({ turn: 1 })).toMatchObject({ turn: { until: "next-turn" }, skipped: ["deep/c.txt"] });
});

test("a turn that goes on without that being recorded counts as one, and says so", () => {
  work();
  project.end();
  project.write("deep/c.txt", "by hand\n");
  const missed = recordContinuation(project.home, project.current(), { ...ENOUGH, recordMs: 0 });
  expect(missed).toEqual({ isComplete: false, reason: "there was not enough time" });
  expect(project.current().isEnded).toBe(false);
  project.write("late.txt", "by the assistant\n");
  project.end();
  expect(project.command.list(undefined, 1)).toMatchObject([{ until: "continued", changes: { length: 5 } }]);
});

describe("the end is not recorded", () => {
  test("of a turn whose start was not", () => {
    const turn = { session: "other", root: project.root, number: 1 };
    endTurn(project.home, turn);
    expect(recordEnd(project.home, turn, ENOUGH, "turn")).toBe(false);
  });

  test("if the turn has gone on meanwhile", () => {
    work();
    endTurn(project.home, project.current());
    continueTurn(project.home, project.current());
    expect(recordEnd(project.home, project.current(), ENOUGH, "turn")).toBe(false);
    expect(project.command.list(undefined, Infinity)).toMatchObject([{ until: "now" }]);
  });

  test("if the next turn may have changed something, but is while it has not", () => {
    work();
    const first = project.current();
    endTurn(project.home, first);
    project.turn();
    expect(recordEnd(project.home, first, ENOUGH, "turn")).toBe(false);
  });
});
