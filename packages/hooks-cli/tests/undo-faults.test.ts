import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PROGRAM, TemporaryHome, runProcess } from "./support/temporary-home.ts";

const FOLDERS = 20;
const FILES = 400;

// Dozens of processes one after the other take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let home: TemporaryHome;

beforeEach(() => {
  home = new TemporaryHome();
  home.configure("http://localhost:9");
  write("first");
});
afterEach(() => home.close());

function write(text: string): void {
  for (let at = 0; at < FILES; at += 1)
    home.write(`work/project/${at % FOLDERS}/${at}.txt`, `${text} ${at}\n`.repeat(50));
}

/** How many files have this text. */
function count(text: string): number {
  const names = Array.from({ length: FILES }, (_, at) => `work/project/${at % FOLDERS}/${at}.txt`);
  return names.filter((name) => home.read(name)?.startsWith(`${text} `) === true).length;
}

/** Runs the command and kills it after some milliseconds. */
async function runAndKill(args: readonly string[], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: home.project, env: home.env, stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  await once(child, "exit");
  clearTimeout(timer);
}

const call = (session_id: string) =>
  home.hook("PreToolUse", { session_id, tool_name: "Bash", tool_input: { command: "rm -rf *" } });

test("whoever records is killed at any moment: the next call still has everything recorded", async () => {
  for (let kill = 0; kill < 25; kill += 1) {
    write(`turn${kill}`);
    await runAndKill(["record-turn", `killed-${kill}`, "1", home.project], 40 + kill * 4);
  }
  write("last");
  expect(await call("last")).toMatchObject({ exitCode: 0, stdout: "" });
  fs.rmSync(join(home.project, "3"), { recursive: true });
  write("destroyed");
  expect((await home.run(["undo", "--session", "last", "--force"])).exitCode).toBe(0);
  expect(count("last")).toBe(FILES);
  const { stdout } = await home.run(["undo", "--list", "--json"]);
  for (const { session } of JSON.parse(stdout) as { session: string }[]) {
    expect((await home.run(["undo", "--session", session, "--force", "--turn", "1"])).exitCode).toBe(0);
  }
});

test("an undo is killed at any moment: the next one completes it", async () => {
  await call("session");
  for (let kill = 0; kill < 12; kill += 1) {
    write("destroyed");
    fs.rmSync(join(home.project, String(kill)), { recursive: true });
    await runAndKill(["undo", "--session", "session", "--turn", "1"], 60 + kill * 8);
    expect((await home.run(["undo", "--session", "session", "--turn", "1"])).exitCode).toBeLessThanOrEqual(1);
    expect(count("first")).toBe(FILES);
  }
  const names = fs.readdirSync(home.project, { recursive: true, encoding: "utf8" });
  expect(names.filter((name) => name.includes("undo"))).toEqual([]);
});

test("a disk that takes nothing more is reported, and recording goes on when it does again", async () => {
  const stdin = JSON.stringify({
    session_id: "full",
    cwd: home.project,
    tool_name: "Bash",
    tool_input: { command: "rm -rf *" },
  });
  const limited = `ulimit -f 4; exec "${process.execPath}" "${PROGRAM}" run PreToolUse`;
  const outcome = await runProcess("/bin/sh", ["-c", limited], { stdin, cwd: home.project, env: home.env });
  expect(outcome).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("EFBIG") });
  expect(await call("later")).toMatchObject({ exitCode: 0, stdout: "" });
  write("destroyed");
  await home.run(["undo"]);
  expect(count("first")).toBe(FILES);
});

test("sessions at once in one folder are all recorded", async () => {
  const sessions = Array.from({ length: 8 }, (_, at) => `session-${at}`);
  const outcomes = await Promise.all(sessions.map((session) => call(session)));
  expect(outcomes.map(({ exitCode, stdout }) => `${exitCode}${stdout}`)).toEqual(sessions.map(() => "0"));
  write("destroyed");
  const { stdout } = await home.run(["undo", "--list", "--json"]);
  const recorded = (JSON.parse(stdout) as { session: string }[]).map(({ session }) => session);
  expect(recorded.toSorted()).toEqual(sessions);
  await home.run(["undo", "--session", "session-5", "--force"]);
  expect(count("first")).toBe(FILES);
});
