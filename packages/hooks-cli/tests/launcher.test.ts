import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Outcome, TemporaryHome, eventually, runProcess } from "./support/temporary-home.ts";

let home: TemporaryHome;
let launcher: string;
let program: string;
let guard: string;
let code: string;

beforeEach(async () => {
  home = await new TemporaryHome().addProgram();
  [launcher = "", program = "", guard = "", code = ""] = [
    "workspace-hooks.cjs",
    "program.cjs",
    "guard.cjs",
    "program.v8",
  ].map((name) => join(home.root, "bin", name));
  await home.run(["install", "--server", "http://localhost:9", "--key", "wk_x"]);
  home.setPolicy({ version: 1, use: ["delete-outside-project"] });
});

afterEach(() => home.close());

/** Calls the installed hook, as the assistant does. */
function call(event: string, payload: Readonly<Record<string, unknown>>): Promise<Outcome> {
  return runProcess(process.execPath, [launcher, "run", event], {
    stdin: JSON.stringify({ session_id: "s", cwd: home.project, ...payload }),
    cwd: home.project,
    env: home.env,
  });
}

function remove(target: string): Promise<Outcome> {
  return call("PreToolUse", { tool_name: "Bash", tool_input: { command: `rm -rf ${target}` } });
}

test("an installed program has been compiled for this version of Node", async () => {
  for (const name of ["program.v8", "guard.v8", "seldom.v8"]) {
    const file = join(home.root, "bin", name);
    expect(statSync(file).size).toBeGreaterThan(80_000);
    expect(readFileSync(file, "latin1")).toMatch(new RegExp(`^${process.version} `));
  }
  expect((await home.run(["doctor"])).stdout).toContain("✓ it is compiled for this version of Node");
  expect((await remove("/")).exitCode).toBe(2);
  expect(await remove("node_modules")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
});

test.each([
  ["is missing", () => undefined],
  ["is empty", () => Buffer.alloc(0)],
  ["is cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["is from another version of Node", (bytes: Buffer) => Buffer.concat([Buffer.from("v1.0.0"), bytes.subarray(6)])],
  ["was not created by V8", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 128), Buffer.alloc(100_000, 7)])],
])("a rule applies even if the compiled code %s", async (_what, spoil) => {
  for (const name of ["program.v8", "guard.v8", "seldom.v8"]) {
    const file = join(home.root, "bin", name);
    const spoilt = spoil(readFileSync(file));
    if (spoilt === undefined) rmSync(file);
    else writeFileSync(file, spoilt);
  }
  expect((await remove("/")).exitCode).toBe(2);
  expect(await remove("node_modules")).toMatchObject({ exitCode: 0, stderr: "" });
});

test("code of another program of the same length is not used for this one", async () => {
  const text = readFileSync(guard, "utf8");
  writeFileSync(guard, text.replace("rm rmdir unlink", "xx rmdir unlink"));
  expect(readFileSync(guard, "utf8")).not.toBe(text);
  expect(readFileSync(guard, "utf8")).toHaveLength(text.length);
  expect((await home.run(["doctor"])).stdout).toContain("✗ it is compiled for this version of Node");
});

test("the start of a session recompiles it if needed", async () => {
  rmSync(code);
  await call("SessionStart", { source: "startup" });
  await eventually(() => existsSync(code));
  expect((await home.run(["doctor"])).stdout).toContain("✓ it is compiled for this version of Node");
});

test("another installation leaves the same program as it is, with its code, and renews another, or if told to", async () => {
  const text = readFileSync(program, "utf8");
  const identity = () => [program, code].map((file) => statSync(file).ino);
  const first = identity();
  await home.run(["install"]);
  expect(identity()).toEqual(first);
  writeFileSync(program, "another");
  await home.run(["install"]);
  expect(readFileSync(program, "utf8")).toBe(text);
  expect(identity()[1]).not.toBe(first[1]);
  const second = identity();
  await home.run(["install", "--repair"]);
  expect(identity().some((file) => second.includes(file))).toBe(false);
});

test("a helper of a hook that compiles ahead stores no code, since it may outlive the installation", async () => {
  const log = join(home.path, "processes");
  const probe = home.write(
    "probe.cjs",
    `require("node:fs").appendFileSync(${JSON.stringify(log)}, process.argv[2] + " " + process.env.WORKSPACE_HOOKS_KEEP_CODE + "\\n");`,
  );
  const processes = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").toSorted() : []);
  rmSync(code);
  await runProcess(process.execPath, [launcher, "run", "SessionStart"], {
    stdin: JSON.stringify({ session_id: "s", cwd: home.project, source: "startup" }),
    cwd: home.project,
    env: { ...home.env, NODE_OPTIONS: `--require=${probe}`, WORKSPACE_HOOKS_KEEP_CODE: "1" },
  });
  await eventually(() => ["flush", "record-turn"].every((name) => processes().some((line) => line.startsWith(name))));
  expect(new Set(processes())).toEqual(new Set(["flush undefined", "record-turn undefined", "run 1"]));
});

test("a hook does not need the file of the commands while the policy is the same", async () => {
  expect((await remove("/")).exitCode).toBe(2);
  rmSync(join(home.root, "bin", "commands.cjs"));
  expect((await remove("/")).exitCode).toBe(2);
  expect(await remove("node_modules")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
});

test.each(["is missing", "is cut off"])(
  "if what judges calls %s, what a rule may concern is asked about",
  async (what) => {
    const text = readFileSync(guard);
    if (what === "is missing") rmSync(guard);
    else writeFileSync(guard, text.subarray(0, text.length / 2));
    expect((await remove("/")).stdout).toContain(`"permissionDecision":"ask"`);
    const { exitCode, stdout } = await call("PreToolUse", { tool_name: "Read", tool_input: { file_path: "a.ts" } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
  },
);

test("a missing program does not block anything", async () => {
  rmSync(program);
  const { exitCode, stderr } = await remove("/");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("program.cjs") as string });
});
