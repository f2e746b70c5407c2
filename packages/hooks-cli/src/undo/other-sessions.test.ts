import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UndoProject, differences, snapshot } from "./project.testing.ts";

const DRY = { isForced: false, isDry: true };

let project: UndoProject;

beforeEach(() => {
  project = new UndoProject();
  project.write("a.txt", "a1\n");
  project.write("b.txt", "b1\n");
  project.write("deep/c.txt", "c1\n");
  project.turn();
});
afterEach(() => project.close());

describe("two sessions in one folder", () => {
  beforeEach(() => {
    project.write("a.txt", "by the assistant\n");
    fs.rmSync(join(project.root, "b.txt"));
    project.turn("other");
    project.write("deep/c.txt", "by the other\n");
    project.write("a.txt", "by the other\n");
  });

  test("what the other may have changed meanwhile is only taken back if that is forced", () => {
    project.end();
    const worked = snapshot(project.root);
    const others = [{ session: "other", turn: 1, paths: ["a.txt", "deep/c.txt"] }];
    expect(project.command.undo({ session: "session", turn: undefined, path: undefined }, DRY)).toMatchObject({
      others,
      isRefused: false,
    });
    expect(project.undo({ session: "session" })).toMatchObject({ others, isRefused: true });
    expect(differences(worked, snapshot(project.root))).toEqual([]);
    expect(project.redo()).toBeUndefined();
    expect(project.undo({ session: "session", path: "b.txt" })).toMatchObject({ others: [], isRefused: false });
    expect(project.undo({ session: "session", isForced: true })).toMatchObject({ others, isRefused: false });
    expect(["a.txt", "deep/c.txt"].map((name) => project.read(name))).toEqual(["a1\n", "c1\n"]);
  });

  test("a turn that was taken back by the undo of another is not called unknown", () => {
    project.end();
    project.end("other");
    project.undo({ session: "session", isForced: true });
    const by = { session: "session", turn: 1 };
    expect(project.undo({ session: "other" })).toMatchObject({ undone: [], turn: { takenBack: { by } } });
    const selection = { session: "other", turn: undefined, path: undefined };
    expect(project.command.takenBack(selection)?.takenBack).toMatchObject({ by });
  });

  test("one whose turn was undone is not at work any more", () => {
    project.undo({ session: "other", isForced: true });
    project.turn("third");
    project.write("third.txt", "third\n");
    expect(project.undo({ session: "third" })).toMatchObject({ others: [{ session: "session" }] });
    project.undo({ session: "session", isForced: true });
    project.turn("third");
    project.write("third.txt", "third\n");
    expect(project.undo({ session: "third" })).toMatchObject({ others: [], undone: [{ path: "third.txt" }] });
  });

  test("one after the other are told apart", () => {
    project.end();
    project.end("other");
    project.turn("third");
    project.write("third.txt", "third\n");
    project.end("third");
    expect(project.undo({ session: "third" })).toMatchObject({ others: [], undone: [{ path: "third.txt" }] });
  });
});
