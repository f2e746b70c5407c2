import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ObjectStore } from "./object-store.ts";
import { ENOUGH, UndoProject, differences, snapshot } from "./project.testing.ts";
import { recordCheckpoint, recordTurn } from "./recorder.ts";

/** A file that changed within such a time before it was read is read again the next time. */
const SETTLED_MS = 300;
const COMPLETE = { isComplete: true, leftOut: [], hasGitOutside: false };

let project: UndoProject;
let template: UndoProject;

beforeAll(() => {
  template = new UndoProject();
  fill(template);
});
afterAll(() => template.close());

beforeEach(() => {
  project = new UndoProject();
});
afterEach(() => project.close());

/** A repository with one of everything. */
function fill(project: UndoProject): void {
  project.git("init", "-q", "-b", "main");
  project.write("lib/upstream.txt", "of the submodule\n");
  project.git("init", "-q", "-b", "main", "../upstream");
  project.shell(
    "cd ../upstream && echo a > a.txt && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm a",
  );
  project.write(".gitignore", "*.log\nbuild/\n.env\nnode_modules/\n");
  project.write(".gitattributes", "*.txt text eol=crlf\n*.id ident\n");
  project.write("src/a.ts", "export const a = 1;\n");
  project.write("src/deep/er/b.ts", "b\n".repeat(5_000));
  project.write("src/crlf.txt", "one\r\ntwo\nthree\r\n");
  project.write("src/x.id", "$Id: nonsense $\n");
  project.write("bin/run", "#!/bin/sh\n", 0o755);
  project.write("secret", "s", 0o600);
  project.write("image.bin", randomBytes(200_000));
  project.write("large.bin", Buffer.alloc(5_000_000, "large"));
  project.write("empty", "");
  project.write("sp ace/ümläut 🎉.txt", "name\n");
  fs.mkdirSync(join(project.root, "nothing/in/here"), { recursive: true });
  fs.writeFileSync(Buffer.from(`${project.root}/not-utf8-\xff\xfe`, "latin1"), "bytes");
  fs.symlinkSync("a.ts", join(project.root, "src/link"));
  fs.symlinkSync("/nowhere/at/all", join(project.root, "dangling"));
  fs.symlinkSync("src", join(project.root, "folder-link"));
  project.git("submodule", "add", "-q", `${project.path}/upstream`, "sub");
  project.git("add", "-A");
  project.git("commit", "-qm", "first");
  project.git("branch", "other");
  project.write("src/a.ts", "export const a = 2;\n");
  project.git("commit", "-qam", "second");
  project.write("src/a.ts", "stashed\n");
  project.git("stash", "-q");
  project.git("tag", "v1");
  project.write("src/a.ts", "not committed\n");
  project.write("src/staged.ts", "staged\n");
  project.git("add", "src/staged.ts");
  project.write("untracked/new.ts", "untracked\n");
  project.write(".env", "TOKEN=1\n");
  project.write("debug.log", "ignored\n");
  project.write("build/out.js", "built\n");
  project.shell(
    "git init -q nested && cd nested && echo n > n && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm n",
  );
}

describe("in a repository with one of everything", () => {
  beforeEach(() => {
    execFileSync("cp", ["-a", `${template.root}/.`, project.root]);
  });

  test.each([
    "rm -rf src",
    "rm -rf -- * .[!.]*",
    "rm -rf .git",
    "git reset -q --hard HEAD~1",
    "git checkout -q -- .",
    "git clean -qfdx",
    "git clean -qffdx && git checkout -q other",
    "git stash drop -q",
    "git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now",
    "git branch -qD other; git tag -d v1; git commit -qam gone --amend; git update-ref -d refs/heads/main",
    "git checkout -q --orphan empty && git rm -rqf .",
    "git stash -qu",
    "git submodule deinit -qf sub; rm -rf .git/modules",
    "find . -type f -not -path './.git/*' -exec sh -c ': > \"$1\"' _ {} \\;",
    "find . -type f -exec sed -i s/e/E/g {} + || true",
    'find . -type f | while read -r f; do printf x > "$f"; done || true',
    "chmod -R a-x,a+r . ; chmod 777 secret bin",
    "chmod -R 700 .",
    "rm src/link && ln -s /etc/passwd src/link && ln -sfn /tmp dangling",
    "mv src other-src && ln -s /tmp src",
    "rm -rf src && echo file > src && rm empty && mkdir empty && echo x > empty/x",
    "rm not-utf8-* && mv 'sp ace' 'other name'",
    "rmdir nothing/in/here nothing/in nothing; mkdir -p new/empty/folders",
    "rm -rf nested sub",
    "cp image.bin large.bin; truncate -s 0 image.bin; dd if=/dev/zero of=secret bs=1 count=9",
    "for i in $(seq 300); do echo $i > many-$i; done; rm -rf untracked .env debug.log build",
    "rm -rf .git && git init -q && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm over",
  ])("%s is undone, and the undo as well", (script) => {
    const before = snapshot(project.root);
    expect(project.turn()).toEqual(COMPLETE);
    expect(differences(before, snapshot(project.root))).toEqual([]);
    project.shell(`${script}\ntrue`);
    const destroyed = snapshot(project.root, before);
    const result = project.undo();
    expect(result?.failures).toEqual([]);
    expect(result?.skipped).toEqual([]);
    expect(differences(before, snapshot(project.root, before))).toEqual([]);
    if (before.has(".git/HEAD")) project.git("fsck", "--strict");
    expect(project.redo()?.failures).toEqual([]);
    expect(differences(destroyed, snapshot(project.root, before)).filter((path) => !path.includes("objects"))).toEqual(
      [],
    );
  });
});

test("a file of which only the permissions changed is not written again", () => {
  project.write("a.txt", "a");
  project.write("b.txt", "b");
  const before = snapshot(project.root);
  project.turn();
  project.shell("chmod 755 a.txt; chmod 700 b.txt; chmod 000 b.txt");
  const inodeOf = (name: string): number => fs.lstatSync(join(project.root, name)).ino;
  const inodes = ["a.txt", "b.txt"].map(inodeOf);
  expect(project.undo()).toMatchObject({ undone: { length: 2 }, failures: [] });
  expect(["a.txt", "b.txt"].map(inodeOf)).toEqual(inodes);
  expect(differences(before, snapshot(project.root))).toEqual([]);
});

describe("in a folder without a repository", () => {
  beforeEach(() => {
    project.write("a.txt", "a1\n");
    project.write("b.txt", "b1\n");
    project.turn();
    project.write("a.txt", "a2\n");
    project.turn();
    project.write("a.txt", "a3\n");
    project.write("b.txt", "b2\n");
  });

  test("the last turn that changed something is undone first, then those before it", () => {
    project.turn();
    expect(project.undo()?.turn.turn).toBe(2);
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a2\n", "b1\n"]);
  });

  test("an older turn is undone without what others did later, unless that is forced", () => {
    expect(project.undo({ turn: 1 })).toMatchObject({ undone: [], skipped: ["a.txt"] });
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a3\n", "b2\n"]);
    expect(project.undo({ turn: 1, isForced: true })).toMatchObject({ undone: [{ path: "a.txt" }], skipped: [] });
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a1\n", "b2\n"]);
  });

  test("a single file is undone", () => {
    expect(project.undo({ path: "b.txt" })?.undone).toEqual([{ path: "b.txt", kind: "changed" }]);
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a3\n", "b1\n"]);
  });

  test("turns are listed with what they changed, those of other sessions too", () => {
    project.turn("other");
    project.write("c.txt", "c");
    fs.rmSync(join(project.root, "b.txt"));
    const turns = project.command.list(undefined, Infinity).map(({ session, turn, changes }) => ({
      name: `${session} ${turn}`,
      changes: changes.map(({ path, kind }) => `${kind} ${path}`),
    }));
    expect(turns).toEqual([
      { name: "other 1", changes: ["deleted b.txt", "added c.txt"] },
      { name: "session 2", changes: ["changed a.txt", "deleted b.txt", "added c.txt"] },
      { name: "session 1", changes: ["changed a.txt"] },
    ]);
  });

  test("what a file was like at the start of a turn does not depend on later calls in it", () => {
    const [turn] = project.command.list("session", Infinity);
    project.write("a.txt", "a4\n");
    recordTurn(project.home, { session: "session", number: turn?.turn ?? 0, root: project.root }, ENOUGH);
    project.undo();
    expect(project.read("a.txt")).toBe("a2\n");
  });
});

test("what is recorded right before a call brings back what was written in the turn until then", () => {
  project.write("a.txt", "start");
  project.turn();
  const turn = { session: "session", number: 1, root: project.root };
  expect(recordCheckpoint(project.home, turn, ENOUGH)).toEqual(COMPLETE);
  expect(project.command.list(undefined, Infinity)).toHaveLength(1);
  project.write("a.txt", "written by hand meanwhile");
  recordCheckpoint(project.home, turn, ENOUGH);
  project.write("a.txt", "destroyed");
  expect(project.command.list(undefined, Infinity).map((recorded) => recorded.turn)).toEqual([1.01, 1]);
  project.undo({ turn: 1.01 });
  expect(project.read("a.txt")).toBe("written by hand meanwhile");
  project.undo();
  expect(project.read("a.txt")).toBe("start");
});

test("the files of a linked worktree are recorded, but nobody relies on that for its references", () => {
  project.git("init", "-q", "../main");
  project.shell("cd ../main && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m a");
  project.shell("rmdir ../project && git -C ../main worktree add -q -b side ../project");
  project.write("a.txt", "a");
  expect(project.turn()).toEqual({ ...COMPLETE, leftOut: [".git"], hasGitOutside: true });
  const turn = { session: "session", number: 1, root: project.root };
  expect(recordCheckpoint(project.home, turn, ENOUGH)).toMatchObject({ isComplete: false });
  project.shell("rm -rf a.txt .git");
  expect(project.undo()?.failures).toEqual([]);
  expect(project.read("a.txt")).toBe("a");
  expect(project.git("status", "--short")).toBe("?? a.txt\n");
});

test("what git ignores is recorded, without dependencies and large things", () => {
  project.git("init", "-q");
  project.write(".gitignore", ".env\nnode_modules\ndata/\nout/\n*.mp4\n");
  project.write(".env", "TOKEN=1\n");
  project.write("node_modules/a/index.js", "a\n");
  project.write("out/a.js", "built\n");
  project.write("film.mp4", Buffer.alloc(2_000_000, "film"));
  project.write("committed.mp4", Buffer.alloc(2_000_000, "film"));
  for (let at = 0; at < 600; at += 1) project.write(`data/${at}`, "row\n");
  project.write("packages/x/node_modules/committed/index.js", "b\n");
  project.git("add", "-f", "packages", "committed.mp4", ".gitignore");
  const outcome = project.turn();
  expect(outcome).toEqual({ ...COMPLETE, leftOut: ["data", "film.mp4", "node_modules"] });
  project.shell("git clean -qfdx; rm -rf packages committed.mp4");
  expect(project.undo()?.failures).toEqual([]);
  expect(project.read(".env")).toBe("TOKEN=1\n");
  expect(project.read("packages/x/node_modules/committed/index.js")).toBe("b\n");
  expect(fs.readdirSync(project.root).toSorted()).toEqual(
    [".env", ".git", ".gitignore", "committed.mp4", "out", "packages"].toSorted(),
  );
});

test("what was not recorded is neither deleted nor overwritten", () => {
  project.write("a.txt", "a\n");
  project.write("node_modules/a/index.js", "a\n");
  project.turn();
  project.shell("mv node_modules modules; rm a.txt; mkdir -p node_modules/b; echo b > node_modules/b/index.js");
  project.undo();
  expect(project.read("node_modules/b/index.js")).toBe("b\n");
  expect(project.read("a.txt")).toBe("a\n");
});

test("what the turn has made too large to be recorded stays, and is named", () => {
  fs.writeFileSync(project.home.config, JSON.stringify({ undo: { maxFileMb: 1 } }));
  project.write("a.txt", "a\n");
  project.turn();
  project.shell("echo b > a.txt; truncate -s 2M large.bin");
  project.end();
  expect(project.undo()).toMatchObject({ turn: { unrecorded: [{ path: "large.bin" }] }, undone: [{ path: "a.txt" }] });
  expect(fs.existsSync(join(project.root, "large.bin"))).toBe(true);
});

test("a project that is too large for its limits is not recorded, and says so", () => {
  fs.writeFileSync(project.home.config, JSON.stringify({ undo: { maxFileMb: 1 } }));
  project.write("large.bin", Buffer.alloc(2_000_000, "x"));
  expect(project.turn()).toEqual({ isComplete: false, reason: "large.bin is too large" });
  fs.writeFileSync(project.home.config, JSON.stringify({ undo: { maxMb: 1 } }));
  project.write("other.bin", "y");
  expect(project.turn()).toEqual({ isComplete: false, reason: "the project is too large" });
});

describe("when time passes only while something is read", () => {
  let readings = 0;

  beforeEach(() => {
    readings = 0;
    const add = ObjectStore.prototype.add;
    vi.spyOn(process, "uptime").mockImplementation(() => readings / 1_000);
    vi.spyOn(ObjectStore.prototype, "add").mockImplementation(function (this: ObjectStore, type, content) {
      readings += 1;
      return add.call(this, type, content);
    });
  });
  afterEach(() => vi.restoreAllMocks());

  test("recording goes on where it stopped when time was over, and reads nothing twice", async () => {
    for (let at = 0; at < 3_000; at += 1) project.write(`${at % 30}/${at}.txt`, `text ${at}\n`);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const turn = { session: "session", number: 1, root: project.root };
    let tries = 1;
    while (!recordTurn(project.home, turn, { waitMs: 0, recordMs: 40, isFinal: false }).isComplete) tries += 1;
    // Each file, each folder, and the root.
    expect(readings).toBe(3_000 + 30 + 1);
    expect(tries).toBe(Math.ceil(readings / 41));
    project.shell("rm -rf *");
    expect(project.undo()?.failures).toEqual([]);
    expect(project.read("29/2999.txt")).toBe("text 2999\n");
  });
});

test("a turn that was not recorded before its first call never is, since it has changed", () => {
  for (let at = 0; at < 500; at += 1) project.write(`${at}.txt`, `text ${at}\n`);
  const turn = { session: "session", number: 1, root: project.root };
  const reason = "there was not enough time";
  expect(recordTurn(project.home, turn, { ...ENOUGH, recordMs: 0 })).toEqual({ isComplete: false, reason });
  expect(recordTurn(project.home, turn, ENOUGH)).toEqual({ isComplete: false, reason });
  expect(project.command.list(undefined, Infinity)).toEqual([]);
  expect(recordCheckpoint(project.home, turn, ENOUGH)).toEqual(COMPLETE);
  expect(project.command.list(undefined, Infinity).map((recorded) => recorded.turn)).toEqual([1.01]);
});

test("files that are written while the project is recorded are recorded as they were at some moment", async () => {
  project.write("log.txt", "0".repeat(100_000));
  const writer = spawn(
    "/bin/sh",
    ["-c", 'i=0; while :; do i=$((i+1)); printf "%0100000d" $i > log.tmp; mv log.tmp log.txt; echo $i > counter; done'],
    { cwd: project.root },
  );
  try {
    for (let turn = 0; turn < 20; turn += 1) {
      expect(project.turn()).toMatchObject({ isComplete: true });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    writer.kill("SIGKILL");
    await once(writer, "exit");
  }
  for (let turn = 20; turn > 0; turn -= 4) {
    expect(project.undo({ turn, isForced: true })?.failures).toEqual([]);
    expect(project.read("log.txt")).toMatch(/^0+\d*$/);
    expect(project.read("log.txt")).toHaveLength(100_000);
  }
});
