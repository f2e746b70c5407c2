import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSameIndex } from "./index-entries.ts";
import { UndoProject } from "./project.testing.ts";

let project: UndoProject;

beforeEach(() => {
  project = new UndoProject();
  project.git("init", "-q", "-b", "main");
  for (let at = 0; at < 30; at += 1) project.write(`folder-${at % 3}/${"n".repeat(at)}${at}.txt`, `text ${at}\n`);
  project.git("add", "-A");
  project.git("commit", "-qm", "first");
});
afterEach(() => project.close());

const index = (): Buffer => readFileSync(join(project.root, ".git/index"));

/** Has git look at all files again. */
function refresh(): void {
  project.shell("find . -name '*.txt' -exec touch -d '1 hour ago' {} +");
  project.git("status", "--short");
}

describe.each([2, 3, 4])("in version %i of the index", (version) => {
  beforeEach(() => {
    if (version === 4) project.git("update-index", "--index-version", "4");
    if (version === 3) {
      project.write("later.txt", "later\n");
      project.git("add", "-N", "later.txt");
    }
  });

  test("one that git has only refreshed says the same", () => {
    const before = index();
    refresh();
    expect(index().readUInt32BE(4)).toBe(version);
    expect(index().equals(before)).toBe(false);
    expect(isSameIndex(before, index())).toBe(true);
  });

  test.each([
    "git add folder-0/new.txt",
    "git rm -q --cached folder-1/n1.txt",
    "git add -u",
    "git update-index --chmod=+x folder-1/n1.txt",
    "git update-index --assume-unchanged folder-1/n1.txt",
    "git update-index --skip-worktree folder-1/n1.txt",
    "git mv folder-1/n1.txt folder-1/n2.txt",
    "git read-tree --empty",
  ])("%s changes it", (command) => {
    const before = index();
    project.write("folder-0/new.txt", "new\n");
    project.write("folder-0/0.txt", "changed\n");
    project.shell(`set -e; ${command}`);
    expect(isSameIndex(before, index())).toBe(false);
  });
});

test("a damaged or unknown one is only the same as itself", () => {
  const whole = index();
  const odd = [Buffer.alloc(0), Buffer.from("DIRC"), whole.subarray(0, whole.length / 2), Buffer.from("ref: x\n")];
  const unknown = Buffer.from(whole);
  unknown.writeUInt32BE(9, 4);
  const endless = Buffer.from(whole);
  endless.writeUInt32BE(0xffffffff, 8);
  for (const one of [...odd, unknown, endless]) {
    expect(isSameIndex(one, Buffer.from(one))).toBe(true);
    expect(isSameIndex(one, whole)).toBe(false);
    expect(isSameIndex(whole, one)).toBe(false);
  }
});

describe("a turn that looks at the state of the repository", () => {
  beforeEach(() => {
    project.turn();
  });

  test("changed nothing, and what one before it changed is undone", () => {
    project.write("a.txt", "by the assistant\n");
    project.end();
    project.turn();
    refresh();
    project.end();
    expect(project.command.list(undefined, Infinity).map(({ changes }) => changes)).toEqual([
      [],
      [{ path: "a.txt", kind: "added" }],
    ]);
    expect(project.undo()).toMatchObject({ turn: { turn: 1 }, undone: [{ path: "a.txt" }], skipped: [] });
    expect(project.undo()).toBeUndefined();
  });

  test("has its files brought back, with the index as it was", () => {
    const before = index();
    project.write("folder-0/0.txt", "by the assistant\n");
    refresh();
    project.end();
    expect(project.undo()).toMatchObject({ undone: [{ path: "folder-0/0.txt" }], skipped: [] });
    expect(index().equals(before)).toBe(true);
  });

  test("and commits, is undone although git has looked at the files since", () => {
    const head = project.git("rev-parse", "HEAD");
    project.write("folder-0/0.txt", "by the assistant\n");
    project.git("commit", "-qam", "second");
    project.end();
    utimesSync(join(project.root, "folder-1/n1.txt"), 1, 1);
    project.git("status", "--short");
    expect(project.undo()).toMatchObject({ skipped: [], failures: [] });
    expect(project.git("rev-parse", "HEAD")).toBe(head);
    expect(project.git("status", "--short")).toBe("");
  });

  test("leaves a commit alone that a person made since", () => {
    project.write("folder-0/0.txt", "by the assistant\n");
    refresh();
    project.end();
    project.write("mine.txt", "by hand\n");
    project.git("add", "mine.txt");
    project.git("commit", "-qm", "mine");
    const head = project.git("rev-parse", "HEAD");
    expect(project.undo()).toMatchObject({ undone: [{ path: "folder-0/0.txt" }], skipped: [] });
    expect(project.git("rev-parse", "HEAD")).toBe(head);
    expect(project.git("status", "--short")).toBe("");
  });
});
