import { afterEach, beforeEach, expect, test } from "vitest";
import { TemporaryHome } from "./support/temporary-home.ts";

let home: TemporaryHome;

beforeEach(() => {
  home = new TemporaryHome();
  home.configure("http://localhost:9");
});

afterEach(() => home.close());

test("a pack asks about what it protects from, in words, and not about anything else", async () => {
  home.setPolicy({ version: 1, packs: ["safe"], decisions: { "git.force-push": "deny" } });
  const asked = await home.bash("cd infra && terraform destroy -auto-approve");
  expect(JSON.parse(asked.stdout)).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining("Destroys infrastructure.") as string,
    },
  });
  expect((await home.bash("git push -f")).exitCode).toBe(2);
  expect(await home.bash("npm test && git push")).toMatchObject({ exitCode: 0, stdout: "" });
});

test("files that a pack protects are not written by tools that edit either", async () => {
  home.setPolicy({ version: 1, packs: ["safe"], use: ["delete-outside-project"] });
  const write = (file_path: string) =>
    home.hook("PreToolUse", { tool_name: "Write", tool_input: { file_path, content: "" } });
  for (const path of ["/etc/sudoers.d/x", "/dev/sda", "/proc/sysrq-trigger"])
    expect([path, (await write(path)).stdout]).toEqual([path, expect.stringContaining('"ask"')]);
  expect(await write("a.txt")).toMatchObject({ exitCode: 0, stdout: "" });
  const patch = "*** Begin Patch\n*** Delete File: /etc/hostname\n*** End Patch";
  for (const [tool_name, command] of [
    ["apply_patch", patch],
    ["Bash", `apply_patch <<'EOF'\n${patch}\nEOF`],
  ])
    expect(await home.hook("PreToolUse", { tool_name, tool_input: { command } })).toMatchObject({ exitCode: 2 });
});

test("what can be undone is allowed, and asked about where it cannot", async () => {
  home.setPolicy({ version: 1, packs: ["safe"] });
  expect(await home.bash("git reset --hard")).toMatchObject({ exitCode: 0, stdout: "" });
  expect(home.list(".workspace-hooks/undo/projects")).not.toEqual([]);
  const { stdout } = await home.bash("git clean -fd", { env: { WORKSPACE_HOOKS_UNDO: "off" } });
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringMatching(/never added to git.*could not be undone/) as string,
    },
  });
  const unseen = await home.bash("find . -type f -delete", { env: { WORKSPACE_HOOKS_UNDO: "off" } });
  expect(unseen.stdout).toMatch(/does not name.*files\.delete-unseen/);
  expect(await home.bash("rm -rf dist", { env: { WORKSPACE_HOOKS_UNDO: "off" } })).toMatchObject({ stdout: "" });
});

test("the repository and the project itself are not deleted where nothing is recorded", async () => {
  home.setPolicy({ version: 1, packs: ["safe"] });
  home.write("work/project/.git/HEAD", "ref: refs/heads/main\n");
  expect(await home.bash("rm -rf .git")).toMatchObject({ exitCode: 0, stdout: "" });
  const env = { WORKSPACE_HOOKS_UNDO: "off" };
  const commands = ["rm -rf .git", "mv .git x", "find .git -delete", "rm -rf .", 'rm -rf "$PWD"', "rm -rf ../project"];
  for (const command of [...commands, "cd .. && rm -rf project", "rm -rf ~/work", "mv ../project /tmp/x"])
    expect([command, (await home.bash(command, { env })).stdout]).toEqual([command, expect.stringContaining('"ask"')]);
});

test("a refusal explains itself to an assistant that cannot ask", async () => {
  home.setPolicy({ version: 1, packs: ["safe"] });
  const input = { session_id: "s", cwd: home.project, tool_name: "Bash", tool_input: { command: "dropdb app" } };
  const { exitCode, stderr } = await home.run(["run", "PreToolUse", "--for", "codex"], {
    stdin: JSON.stringify(input),
  });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/Deletes tables or whole databases.*cannot ask/s);
});

test("asks about a call whose judging fails, if there are rules, and says why", async () => {
  home.setPolicy({ version: 1, packs: ["safe"] });
  const call = (cwd: string): ReturnType<TemporaryHome["run"]> =>
    home.run(["run", "PreToolUse"], {
      stdin: JSON.stringify({ session_id: "s", cwd, tool_name: "Bash", tool_input: { command: "ls" } }),
    });
  expect((await call(home.project)).stdout).toBe("");
  const accepted = ".workspace-hooks/policies/accepted-local.json";
  const broken = { ...(JSON.parse(home.read(accepted) ?? "") as object), rules: [{ id: "broken" }] };
  home.write(accepted, JSON.stringify(broken));
  const { exitCode, stdout } = await call(home.project);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: "ask",
    permissionDecisionReason: expect.stringMatching(/cannot be judged by the rules.*undefined/s) as string,
  });
  expect((await call("\0")).stdout).toContain('"ask"');
  home.setPolicy({ version: 1 });
  expect(await call("\0")).toMatchObject({ exitCode: 0, stdout: "" });
});

test("asks about a call that could not be judged in time, if there are rules", async () => {
  const preload = home.write("late.cjs", "const s = setTimeout; setTimeout = (f, ms) => s(f, ms === 1500 ? 0 : ms);");
  const env = { NODE_OPTIONS: `--require=${preload}` };
  const call = { tool_name: "Bash", tool_input: { command: "ls" } };
  home.setPolicy({ version: 1, packs: ["safe"] });
  const asked = await home.hook("PreToolUse", call, { env });
  expect(JSON.parse(asked.stdout)).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining("no time for it"),
    },
  });
  home.setPolicy({ version: 1, rules: [] });
  expect(await home.hook("PreToolUse", call, { env })).toMatchObject({ exitCode: 0, stdout: "" });
});

test("asks about a call that cannot be read, if there are rules", async () => {
  home.setPolicy({ version: 1, packs: ["safe"] });
  const stdin = JSON.stringify({ tool_name: "Write", tool_input: { content: "x".repeat(20_000_000) } });
  for (const input of [stdin, "{"]) {
    const { exitCode, stdout } = await home.run(["run", "PreToolUse"], { stdin: input });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining(
        "cannot be judged by the rules: the standard input is",
      ) as string,
    });
  }
  home.setPolicy({ version: 1 });
  expect(await home.run(["run", "PreToolUse"], { stdin })).toMatchObject({ exitCode: 0, stdout: "" });
});

test("what undo would not bring back is asked about, and what is made again is not", async () => {
  home.setPolicy({ version: 1, packs: ["safe"] });
  home.write("work/project/.git/HEAD", "ref: refs/heads/main\n");
  home.write("work/project/.gitignore", "*.db\n.env\ndata/\nnode_modules/\nign/\n*.log\n");
  for (const name of ["dev.db", ".env", "debug.log", "ign/large.bin"])
    home.write(`work/project/${name}`, "x".repeat(2_000_000));
  for (let at = 0; at < 600; at += 1) home.write(`work/project/data/${at}`, "row\n");
  home.write("work/project/node_modules/a/index.js", "a\n");
  home.write("work/project/a.txt", "a\n");
  for (const [command, lost] of [
    ["rm dev.db", "dev.db"],
    ["> dev.db", "dev.db"],
    ["truncate -s 0 .env", ".env"],
    ["find ign -type f -delete", "ign/large.bin"],
    ["git ls-files -oi --exclude-standard | xargs rm", ".env"],
    ["git stash -a && git stash drop", ".env"],
    ["rm -rf dist; rm -rf data", "data/"],
    ["cp a.txt data/7", "data/"],
  ] as const) {
    const { stdout } = await home.bash(command);
    expect([command, stdout]).toEqual([command, expect.stringContaining(`/${lost}, which undo does not bring back`)]);
  }
  const { stdout } = await home.run(["undo", "--list"]);
  expect(stdout).toMatch(/Not recorded, so left as it is: \.env, data\/, dev\.db, ign\/large\.bin, 2 that are made/);
  for (const command of [
    "rm a.txt",
    "> a.txt",
    "rm -rf node_modules",
    "rm -f *.log",
    "git stash drop",
    "npm test > out",
  ])
    expect([command, (await home.bash(command)).stdout]).toEqual([command, ""]);
});
