import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { homeAt } from "../src/files/home.ts";
import { readTreeCache } from "../src/undo/tree-cache.ts";
import { projectStore } from "../src/undo/turn-state.ts";
import { lockPathOf } from "../src/undo/undo-store.ts";
import { TemporaryHome, eventually } from "./support/temporary-home.ts";

let home: TemporaryHome;

beforeEach(() => {
  home = new TemporaryHome();
  home.write("work/project/a.txt", "one\n");
});
afterEach(() => home.close());

function records(): readonly string[] {
  const [project = ""] = home.list(".workspace-hooks/undo/projects").filter((name) => !name.endsWith(".lock"));
  return home.list(`.workspace-hooks/undo/projects/${project}/turns`).toSorted();
}

function projectFiles(): readonly string[] {
  const [project = ""] = home.list(".workspace-hooks/undo/projects").filter((name) => !name.endsWith(".lock"));
  return home.list(`.workspace-hooks/undo/projects/${project}`);
}

function change(text: string): void {
  home.write("work/project/a.txt", text);
}

function read(): string | undefined {
  return home.read("work/project/a.txt");
}

test("a session that starts has a project read that was never recorded, so that the first turn need not", async () => {
  await home.hook("SessionStart", { source: "startup" });
  await eventually(() => projectFiles().includes("cache.bin"));
  expect(records()).toEqual([]);
  const [project = ""] = home.list(".workspace-hooks/undo/projects").filter((name) => !name.endsWith(".lock"));
  const packs = (): readonly string[] =>
    home.list(`.workspace-hooks/undo/projects/${project}/objects/pack`).filter((name) => name.endsWith(".pack"));
  const before = packs();
  expect(before).toHaveLength(1);
  expect(await home.bash("echo two > a.txt")).toMatchObject({ exitCode: 0, stdout: "" });
  expect(packs()).toEqual(before);
  change("two\n");
  expect(await home.run(["undo"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("~ a.txt") });
  expect(read()).toBe("one\n");
});

test("an edit right after its prompt does not wait until the project is recorded, and can be undone", async () => {
  const lock = lockPathOf(homeAt(home.root), home.project);
  fs.writeFileSync(lock, String(process.pid));
  await home.hook("UserPromptSubmit", { prompt: "Change it" });
  for (const name of ["a.txt", "new/b.txt"]) {
    const tool_input = { file_path: join(home.project, name), content: "two\n" };
    expect(await home.hook("PreToolUse", { tool_name: "Write", tool_input })).toMatchObject({
      exitCode: 0,
      stdout: "",
    });
    home.write(`work/project/${name}`, "two\n");
  }
  expect(records()).toEqual([]);
  fs.rmSync(lock);
  await home.hook("Stop");
  await eventually(() => records().length === 2);
  home.write("work/project/c.txt", "by hand\n");
  expect((await home.run(["undo"])).stdout).toMatch(/brought back 2 files/);
  expect([read(), home.list("work/project")]).toEqual(["one\n", ["a.txt", "c.txt"]]);
});

test("what an undo of many files has written is read when it is done, so that the next call need not", async () => {
  const names = Array.from({ length: 600 }, (_, at) => `many/${at}.txt`);
  for (const name of names) home.write(`work/project/${name}`, name);
  await home.bash("rm -rf many");
  fs.rmSync(join(home.project, "many"), { recursive: true });
  expect((await home.run(["undo"])).exitCode).toBe(0);
  const store = projectStore(homeAt(home.root), home.project);
  const packs = (): readonly string[] =>
    fs.readdirSync(join(store, "objects/pack")).filter((name) => name.endsWith(".pack"));
  const known = () => [...(readTreeCache(join(store, "cache.bin"), packs()).get("many")?.entries ?? [])];
  await eventually(() => known().filter(({ size }) => size !== -1).length === names.length);
});

test("a prompt has the project recorded, and the turn can be undone, and the undo as well", async () => {
  await home.hook("UserPromptSubmit", { prompt: "Change it" });
  await eventually(() => records().length === 1);
  expect(await home.bash("echo two > a.txt")).toMatchObject({ exitCode: 0, stdout: "" });
  change("two\n");
  expect((await home.run(["undo", "--list"])).stdout).toMatch(/session session-1, turn 1: 1 file\n {2}~ a.txt\n$/);
  expect((await home.run(["undo", "--diff"])).stdout).toMatch(/^-one$\n^\+two$/m);
  expect((await home.run(["undo", "--dry-run"])).stdout).toContain("would bring back 1 file");
  expect(read()).toBe("two\n");
  expect(await home.run(["undo"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("~ a.txt") });
  expect(read()).toBe("one\n");
  expect((await home.run(["undo", "--redo", "--dry-run"])).stdout).toContain("would bring back 1 file");
  expect(read()).toBe("one\n");
  expect((await home.run(["undo", "--redo"])).stdout).toMatch(
    /^Undid the undo of turn 1 of session session-1: brought/,
  );
  expect(read()).toBe("two\n");
  expect((await home.run(["undo", "--redo"])).stderr).toContain("No undo is recorded that could be taken back");
  expect((await home.run(["undo"])).stdout).toMatch(/^Undid turn 1 of session session-1: brought/);
  const undone =
    "Turn 1 of session session-1 was undone; workspace-hooks undo --redo --session session-1 --turn 1 brings";
  expect((await home.run(["undo", "--list"])).stdout).toMatch(/turn 1: nothing, undone\n/);
  expect((await home.run(["undo", "--list"])).stdout).toContain(`  ${undone}`);
  expect((await home.run(["undo", "--session", "session-1"])).stderr).toContain(undone);
  expect((await home.run(["undo", "--turn", "1"])).stdout).toContain(undone);
  expect((await home.run(["undo", "--redo", "--turn", "2"])).stderr).toContain(
    "These are: turn 1 of session session-1.",
  );
  expect(JSON.parse((await home.run(["undo", "--redo", "--json"])).stdout)).toMatchObject({
    session: "session-1",
    turn: 1,
    redo: true,
    undone: [{ path: "a.txt", change: "changed" }],
  });
  expect(await home.run(["undo", "--turn", "7"])).toMatchObject({ exitCode: 1 });
});

test("names of files stay in their line, and do nothing to the terminal", async () => {
  await home.bash("touch …");
  home.write("work/project/x\n  + innocent\u{1b}[2J\u{202e}.txt", "");
  const shown = String.raw`  + "x\n  + innocent\x1b[2J\u202e.txt"`;
  expect((await home.run(["undo", "--list"])).stdout).toContain(`: 1 file\n${shown}\n`);
  await home.hook("Stop");
  await eventually(() => records().length === 2);
  home.write("work/project/x\n  + innocent\u{1b}[2J\u{202e}.txt", "by hand");
  expect((await home.run(["undo"])).stdout).toContain(`:\n${shown.replace("+ ", "")}\n`);
  expect((await home.run(["undo", "--force"])).stdout).toContain(`${shown}\n`);
});

test("what another session may have changed at the same time is named before anything is undone", async () => {
  await home.bash("echo two > a.txt");
  await home.hook("PreToolUse", { session_id: "session-2", tool_name: "Bash", tool_input: { command: "rm b.txt" } });
  change("two\n");
  const refused = await home.run(["undo", "--session", "session-1"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("Nothing was undone.") });
  expect(refused.stdout).toContain(
    "what session session-2 may have changed, which worked here at the same time (turn 1):",
  );
  expect(JSON.parse((await home.run(["undo", "--session", "session-1", "--json"])).stdout)).toMatchObject({
    refused: true,
    otherSessions: [{ session: "session-2", turn: 1, files: ["a.txt"] }],
  });
  expect(read()).toBe("two\n");
  expect((await home.run(["undo", "--session", "session-1", "--force"])).stdout).toContain(
    "That included what session",
  );
  expect(read()).toBe("one\n");
  expect((await home.run(["undo", "--session", "session-2"])).stderr).toContain(
    "Turn 1 of session session-2 was taken back by the undo of turn 1 of session session-1",
  );
});

test.each([["--file"]])("--redo does not take %s as if it counted", async (option) => {
  await home.bash("echo two > a.txt");
  await home.run(["undo"]);
  const before = home.list("work/project");
  const { exitCode, stderr } = await home.run(["undo", "--redo", option, "1"]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(`takes no ${option}`);
  expect(home.list("work/project")).toEqual(before);
});

test.each([["--list"], ["--diff"], ["--dry-run"], ["--redo"], ["--json"]])(
  "undo %s reads nothing of a folder in which no turn is recorded, and leaves nothing there",
  async (option) => {
    const outcome = await home.run(["undo", option, "--project", "/"]);
    expect(option === "--list" ? outcome.stdout : outcome.stderr).toMatch(/no (?:such )?(?:turn|undo) is recorded/i);
    expect(home.list(".workspace-hooks/undo")).toEqual([]);
    // What an earlier version left there does not hide what is recorded elsewhere.
    home.write(".workspace-hooks/undo/projects/%2F/turns/undo.1.json", "{}");
    expect((await home.run(["undo", option, "--project", "/"])).exitCode).toBe(outcome.exitCode);
  },
);

test.each([
  ["Write", { file_path: "a.txt", content: "two\n" }],
  ["Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }],
  ["Bash", { command: "rm -rf ." }],
  ["apply_patch", { command: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch" }],
  ["mcp__files__write_file", { path: "a.txt" }],
])("a call of %s records the project itself if nobody did, once in a turn", async (tool_name, tool_input) => {
  await home.hook("PreToolUse", { tool_name, tool_input });
  expect(records()).toEqual(["session-1.1.json"]);
  change("two\n");
  await home.hook("PreToolUse", { tool_name, tool_input });
  expect(records()).toEqual(["session-1.1.json"]);
  fs.mkdirSync(join(home.project, "sub/folder"), { recursive: true });
  await home.run(["undo", "--file", "../../a.txt"], { cwd: join(home.project, "sub/folder") });
  expect(read()).toBe("one\n");
});

test.each([
  ["Read", { file_path: "a.txt" }],
  ["Grep", { pattern: "one" }],
  ["Bash", { command: "git log --oneline" }],
])("a call of %s records nothing", async (tool_name, tool_input) => {
  await home.hook("PreToolUse", { tool_name, tool_input });
  expect(records()).toEqual([]);
});

test("a call waits for nobody that is dead", async () => {
  await home.bash("echo two > a.txt");
  const [project = ""] = home.list(".workspace-hooks/undo/projects").filter((name) => !name.endsWith(".lock"));
  const { pid } = spawnSync("true");
  home.write(`.workspace-hooks/undo/projects/${project}.lock`, String(pid));
  change("two\n");
  await home.hook("PreToolUse", { session_id: "session-2", tool_name: "Bash", tool_input: { command: "rm a.txt" } });
  fs.rmSync(join(home.project, "a.txt"));
  await home.run(["undo", "--session", "session-2", "--force"]);
  expect(read()).toBe("two\n");
});

test("recording can be switched off, for a project, by it, and for a session", async () => {
  await home.run(["undo", "off", "--here"]);
  home.configure("http://localhost:9", { projects: { [home.project]: { undo: false } } });
  await home.bash("echo two > a.txt");
  home.configure("http://localhost:9");
  home.write("work/project/.workspace-hooks.json", '{"undo": false}');
  await home.bash("echo two > a.txt");
  fs.rmSync(join(home.project, ".workspace-hooks.json"));
  await home.bash("echo two > a.txt", { env: { WORKSPACE_HOOKS_UNDO: "off" } });
  expect(records()).toEqual([]);
  await home.bash("echo two > a.txt");
  expect(records()).toHaveLength(1);
});

test("a home folder is too wide to be recorded", async () => {
  await home.hook("PreToolUse", { cwd: home.path, tool_name: "Bash", tool_input: { command: "rm -rf ." } });
  expect(home.list(".workspace-hooks/undo")).toEqual([]);
});

test("a turn that cannot be recorded is reported once, and the call goes on", async () => {
  home.configure("http://localhost:9", { undo: { maxFileMb: 1 } });
  home.write("work/project/large.bin", "x".repeat(2_000_000));
  const first = await home.bash("echo two > a.txt");
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("large.bin is too large") });
  expect(await home.bash("echo two > a.txt")).toMatchObject({ exitCode: 0, stdout: "" });
});

test("a turn that a helper could not record completely is reported once as well, however long the model thinks", async () => {
  home.configure("http://localhost:9", { undo: { maxFileMb: 1 } });
  home.write("work/project/large.bin", "x".repeat(2_000_000));
  for (const prompt of ["Change it", "And again"]) {
    await home.hook("UserPromptSubmit", { prompt });
    await home.run(["record-turn", "session-1", prompt === "Change it" ? "1" : "2", home.project]);
    expect((await home.hook("PreToolUse", { tool_name: "Read", tool_input: { file_path: "a.txt" } })).stdout).toBe("");
    const first = await home.hook("PreToolUse", { tool_name: "Edit", tool_input: { file_path: "a.txt" } });
    expect(first.stdout).toContain("This turn cannot be undone completely: large.bin is too large.");
    expect((await home.bash("echo two > a.txt")).stdout).toBe("");
  }
});

describe("when the assistant has finished", () => {
  const ends = (): readonly string[] => records().filter((name) => /\.\d+\.\d+\.json$/.test(name));

  test("the end of the turn is recorded, and what a person changes later is left alone and named", async () => {
    home.write("work/project/b.txt", "b\n");
    await home.hook("UserPromptSubmit", { prompt: "Change it" });
    await home.bash("echo two > a.txt; rm b.txt");
    change("two\n");
    fs.rmSync(join(home.project, "b.txt"));
    expect(await home.hook("Stop")).toMatchObject({ exitCode: 0, stdout: "" });
    await eventually(() => ends().length === 1);
    change("by hand\n");
    home.write("work/project/mine.txt", "by hand\n");
    const { stdout } = await home.run(["undo"]);
    expect(stdout).toContain("  - b.txt\nLeft alone, since it changed again after the turn");
    expect(stdout).toMatch(/\n {2}a.txt\n/);
    expect(stdout).not.toContain("not recorded, so");
    expect([read(), home.read("work/project/b.txt"), home.read("work/project/mine.txt")]).toEqual([
      "by hand\n",
      "b\n",
      "by hand\n",
    ]);
    expect((await home.run(["undo", "--force"])).stdout).toContain("  ~ a.txt\n");
    expect(read()).toBe("one\n");
  });

  test("nothing is recorded of a turn that changed nothing", async () => {
    await home.hook("UserPromptSubmit", { prompt: "Change it" });
    await home.bash("echo two > a.txt");
    await home.hook("Stop");
    await eventually(() => ends().length === 1);
    await home.hook("UserPromptSubmit", { prompt: "What is it?" });
    await home.bash("cat a.txt");
    await home.hook("Stop");
    await home.hook("SessionEnd");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(records()).toEqual(["session-1.1.01.json", "session-1.1.json"]);
  });

  test("a call that follows nevertheless records what it finds, and the next end is recorded as well", async () => {
    await home.bash("echo two > a.txt");
    await home.hook("Stop");
    await eventually(() => ends().length === 1);
    await home.hook("Stop");
    await home.hook("PreToolUse", { tool_name: "Read", tool_input: { file_path: "a.txt" } });
    change("by hand\n");
    await home.bash("echo three > c.txt");
    await home.bash("echo four > c.txt");
    home.write("work/project/c.txt", "four\n");
    expect(ends()).toEqual(["session-1.1.01.json", "session-1.1.02.json"]);
    await home.hook("Stop");
    await eventually(() => ends().length === 3);
    await home.run(["undo"]);
    expect([read(), home.read("work/project/c.txt")]).toEqual(["by hand\n", undefined]);
  });

  test("the end of the session ends a turn that was interrupted, and an undo says what it cannot tell apart", async () => {
    await home.bash("echo two > a.txt");
    change("two\n");
    const open = await home.run(["undo", "--dry-run"]);
    expect(open.stdout).toContain("Its end is not recorded, so whatever was changed until now counts as part of it");
    await home.hook("SessionEnd", { reason: "other" });
    await eventually(() => ends().length === 1);
    change("by hand\n");
    expect((await home.run(["undo", "--dry-run"])).stdout).toMatch(/Left alone.*:\n {2}a.txt\n/);
    const forced = await home.run(["undo", "--force"]);
    expect(forced.stdout).toContain("whatever was changed until the session ended counts");
  });

  test("the next prompt records a small project as well, if the end of the turn before it is not known", async () => {
    await home.hook("UserPromptSubmit", { prompt: "Change it" });
    await home.bash("echo two > a.txt");
    await eventually(() => projectFiles().includes("pruned"));
    change("two\n");
    await home.hook("UserPromptSubmit", { prompt: "What is it?" });
    await eventually(() => records().includes("session-1.2.json"));
    change("by hand\n");
    expect((await home.run(["undo", "--turn", "1"])).stdout).toMatch(/Left alone.*:\n {2}a.txt\n/);
  });
});

test("only a large project is recorded by a helper at each prompt, a small one by the first call that changes it", async () => {
  const isPruned = (): boolean => projectFiles().includes("pruned");
  await home.hook("UserPromptSubmit", { prompt: "Change it" });
  await eventually(isPruned);
  await home.hook("Stop");
  await eventually(() => records().length === 2);
  await home.hook("UserPromptSubmit", { prompt: "Go on" });
  await home.bash("echo two > a.txt");
  expect(records()).toEqual(["session-1.1.01.json", "session-1.1.json", "session-1.2.json"]);
  for (let at = 0; at < 1_000; at += 1) home.write(`work/project/src/${at}.txt`, "");
  await home.hook("UserPromptSubmit", { prompt: "And on" });
  await home.bash("echo three > a.txt");
  await home.hook("UserPromptSubmit", { prompt: "What next?" });
  await eventually(() => records().includes("session-1.4.json"));
});
