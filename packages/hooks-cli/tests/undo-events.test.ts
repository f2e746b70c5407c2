import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { homeAt } from "../src/files/home.ts";
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
  return home.list(`.workspace-hooks/undo/projects/${project}/turns`);
}

test.each(["claude-code", "codex"])(
  "the end of a session of %s has what its last turn changed, though that ended only now",
  async (harness) => {
    home.configure("http://localhost:9");
    const run = (event: string, payload: object) => {
      const stdin = JSON.stringify({ session_id: "session-1", cwd: home.project, ...payload });
      return home.run(["run", event, "--for", harness], { stdin });
    };
    await run("UserPromptSubmit", { prompt: "Change it" });
    await eventually(() => records().length === 1);
    home.write("work/project/a.txt", "two\n");
    const lock = lockPathOf(homeAt(home.root), home.project);
    await eventually(() => !fs.existsSync(lock));
    // The helper cannot record the end of the turn before the hook that needs it runs, unless that takes long to start.
    fs.writeFileSync(lock, String(process.pid));
    await run("Stop", {});
    const ended = run("SessionEnd", { reason: "other" });
    await Promise.race([ended, sleep(300)]);
    fs.rmSync(lock);
    await ended;
    const end = home.spooledEvents.find(({ eventType }) => eventType === "SessionEnd");
    expect(end?.["eventData"]).toMatchObject({ turn: { number: 1, changed: { turn: 1, total: 1 } } });
  },
);

test("the events of a turn have its number, and once what the turn before it changed", async () => {
  home.configure("http://localhost:9");
  await home.hook("UserPromptSubmit", { prompt: "Change it" });
  await eventually(() => records().length === 1);
  home.write("work/project/a.txt", "two\n");
  home.write("work/project/b.txt", "b");
  await home.hook("UserPromptSubmit", { prompt: "Go on" });
  const tool = { tool_name: "Bash", tool_input: { command: "true" } };
  await home.hook("PreToolUse", tool);
  for (let times = 0; times < 2; times += 1) await home.hook("PostToolUse", tool);
  const turns = home.spooledEvents.map(({ eventType, eventData }) => [eventType, (eventData as { turn: object }).turn]);
  const files = [
    { path: "a.txt", change: "changed" },
    { path: "b.txt", change: "added" },
  ];
  expect(turns).toEqual([
    ["UserPromptSubmit", { number: 1 }],
    ["UserPromptSubmit", { number: 2 }],
    ["PreToolUse", { number: 2 }],
    ["PostToolUse", { number: 2, changed: { turn: 1, root: home.project, total: 2, files } }],
    ["PostToolUse", { number: 2 }],
  ]);
});
