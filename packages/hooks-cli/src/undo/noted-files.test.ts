import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pause } from "./file-lock.ts";
import { ENOUGH, UndoProject, differences, snapshot } from "./project.testing.ts";
import { noteBefore, recordCheckpoint, recordEnd, recordTurn } from "./recorder.ts";
import { type Turn, beginTurn, endTurn, pruneMark } from "./turn-state.ts";

let project: UndoProject;
let before: ReadonlyMap<string, string>;

beforeEach(() => {
  project = new UndoProject();
  project.git("init", "-q");
  project.write("a.txt", "one\n");
  project.write("run", "#!/bin/sh\n", 0o750);
  project.write("src/b.bin", Buffer.from([0, 255, 13, 10]));
  project.write("src/é.txt", "accent");
  project.write("kept.txt", "kept\n");
  fs.symlinkSync("src/b.bin", join(project.root, "link"));
  fs.symlinkSync("src", join(project.root, "folder"));
  before = snapshot(project.root);
});
afterEach(() => project.close());

/** Begins a turn whose start its helper has not recorded yet, and makes a call that edits files. */
function edit(turn: Turn, ...files: readonly string[]): boolean {
  return noteBefore(
    project.home,
    turn,
    files.map((path) => join(project.root, path)),
  );
}

const begin = (): Turn => beginTurn(project.home, "session", project.root);
const leftOver = (): readonly string[] => differences(before, snapshot(project.root));

describe("what a call edits while the start of its turn is being recorded is undone byte by byte", () => {
  const EDITS: Readonly<Record<string, readonly [path: string, change: () => void]>> = {
    "a file": ["a.txt", () => project.write("a.txt", "two\n")],
    "its permissions": ["run", () => fs.chmodSync(join(project.root, "run"), 0o644)],
    "a file that is replaced by another": ["a.txt", () => project.shell("rm a.txt; mkdir a.txt; echo x > a.txt/x")],
    "a file that is deleted": ["src/b.bin", () => project.shell("rm src/b.bin")],
    "a new file": ["src/new.txt", () => project.write("src/new.txt", "new")],
    "a new file in new folders": ["new/in/here.txt", () => project.write("new/in/here.txt", "new")],
    "a file whose name is not ASCII": ["src/é.txt", () => project.write("src/é.txt", "other")],
    "a file through a link": ["link", () => project.write("link", "through the link")],
    "a link that is replaced": ["link", () => project.shell("rm link; echo x > link")],
    "a file in a folder that is a link": ["folder/b.bin", () => project.write("folder/b.bin", "through the folder")],
    "a new file in a folder that is a link": ["folder/n/e/w", () => project.write("folder/n/e/w", "new")],
  };
  test.each(Object.entries(EDITS))("%s", (_name, [path, change]) => {
    const turn = begin();
    expect(edit(turn, path)).toBe(true);
    change();
    expect(leftOver()).not.toEqual([]);
    expect(recordTurn(project.home, turn, ENOUGH)).toMatchObject({ isComplete: true, leftOut: [] });
    project.end();
    expect(project.undo()).toMatchObject({ skipped: [], failures: [] });
    expect(leftOver()).toEqual([]);
    project.redo();
    expect(leftOver()).not.toEqual([]);
  });
});

test("what was there before the first of several edits counts", () => {
  const turn = begin();
  for (const content of ["two\n", "three\n"]) {
    expect(edit(turn, "a.txt")).toBe(true);
    project.write("a.txt", content);
  }
  recordTurn(project.home, turn, ENOUGH);
  project.undo();
  expect(leftOver()).toEqual([]);
});

describe("what was noted is not lost if the helper of the prompt has recorded nothing", () => {
  beforeEach(() => {
    edit(begin(), "a.txt", "new/file");
    project.write("a.txt", "two\n");
    project.write("new/file", "new");
  });

  test("the end of the turn is recorded", () => {
    endTurn(project.home, project.current());
    expect(recordEnd(project.home, project.current(), ENOUGH, "turn")).toBe(true);
    project.write("kept.txt", "by hand\n");
    expect(project.undo()?.undone).toHaveLength(2);
    expect(leftOver()).toEqual(["kept.txt"]);
  });

  test("the next turn begins", () => {
    project.turn();
    project.write("kept.txt", "of the next turn\n");
    project.undo({ turn: 1 });
    expect(leftOver()).toEqual(["kept.txt"]);
  });

  test("a person undoes the turn", () => {
    expect(project.command.list(undefined, 10).map(({ changes }) => changes.length)).toEqual([2]);
    project.undo();
    expect(leftOver()).toEqual([]);
  });

  test("a call is allowed because it can be undone, and only what it did is undone", () => {
    expect(recordCheckpoint(project.home, project.current(), ENOUGH)).toMatchObject({ isComplete: true });
    project.shell("git add -A; rm -rf a.txt new");
    project.undo({ turn: 1.01 });
    expect([project.read("a.txt"), project.read("new/file")]).toEqual(["two\n", "new"]);
  });
});

test("a file that was changed in the millisecond of the note is not taken for one that was changed after it", () => {
  const turn = begin();
  const clock = vi.spyOn(Date, "now").mockReturnValue(Math.floor(fs.statSync(join(project.root, "kept.txt")).ctimeMs));
  expect(edit(turn, "a.txt")).toBe(true);
  clock.mockRestore();
  project.write("a.txt", "two\n");
  expect(recordTurn(project.home, turn, ENOUGH)).toMatchObject({ isComplete: true, leftOut: [] });
});

test("a file that another program changes at the same time is left alone and named", () => {
  const turn = begin();
  edit(turn, "a.txt");
  project.write("a.txt", "two\n");
  // The clock of files may go in steps of some milliseconds.
  pause(20);
  project.write("kept.txt", "formatted\n");
  project.git("status");
  expect(recordTurn(project.home, turn, ENOUGH)).toEqual({
    isComplete: false,
    reason: "kept.txt was changed before it could be recorded",
  });
  const undone = project.undo();
  expect(undone?.turn.unrecorded).toEqual([{ path: "kept.txt", isMadeAgain: false }]);
  expect(leftOver()).toEqual(["kept.txt"]);
});

test("nothing is noted of what cannot be, nor when nobody is recording the start of the turn", () => {
  const turn = begin();
  project.write("large.bin", Buffer.alloc(2 * 1024 * 1024));
  fs.symlinkSync("itself", join(project.root, "itself"));
  fs.linkSync(join(project.root, "run"), join(project.root, "run-too"));
  fs.mkdirSync(Buffer.from(`${project.root}/\xff`, "latin1"));
  fs.symlinkSync(Buffer.from("\xff", "latin1"), join(project.root, "not-utf8"));
  for (const path of ["large.bin", "src", ".git/config", "itself", "run", "not-utf8/new"])
    expect(edit(turn, path)).toBe(false);
  expect(edit(turn)).toBe(false);
  const longAgo = new Date(Date.now() - 10_000);
  const session = join(project.home.undo, "sessions/session.json");
  fs.utimesSync(session, longAgo, longAgo);
  expect(edit(turn, "a.txt")).toBe(false);
  project.turn();
  fs.writeFileSync(pruneMark(project.home, project.root), "");
  // Recording so small a project takes no longer.
  expect(edit(begin(), "a.txt")).toBe(false);
});
