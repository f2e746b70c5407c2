/**
 * What recording a project costs a call that changes files, beside the simplest alternatives, in a tree of many files of which a
 * few change in each turn: `npm run bench -- undo-latency [files] [rounds] [thinking] [rounds of the alternatives]`. "Thinking" is the
 * time between the prompt and the call, in milliseconds. Hooks with and without undo take turns.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TemporaryHome, runProcess } from "../../packages/hooks-cli/tests/support/temporary-home.ts";
import { percentile } from "./model-service.ts";

const files = Number(process.argv[2] ?? 50_000);
const rounds = Number(process.argv[3] ?? 20);
const thinkingMs = Number(process.argv[4] ?? 1_000);
/** They come last, since they disturb what is measured after them. */
const alternatives = Number(process.argv[5] ?? 5);
const FILES_PER_FOLDER = 20;
const CHANGED = 20;

const home = new TemporaryHome();
await home.run(["install", "--server", "http://localhost:9", "--key", "wk_x"]);
const installed = join(home.root, "bin/workspace-hooks.cjs");

function pathOf(at: number): string {
  const folder = Math.floor(at / FILES_PER_FOLDER);
  return join(home.project, `package${folder % 50}/module${Math.floor(folder / 50)}`, `file${at}.ts`);
}

for (let at = 0; at < files; at += 1) {
  if (at % FILES_PER_FOLDER === 0) mkdirSync(join(pathOf(at), ".."), { recursive: true });
  writeFileSync(pathOf(at), `export const value${at} = compute(${at});\n`.repeat(20 + (at % 200)));
}
const git = (index: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    cwd: home.project,
    env: { ...home.env, ...(index !== "" && { GIT_INDEX_FILE: join(home.path, index) }) },
    encoding: "utf8",
  });
git("", "init", "-q");
// Otherwise it packs the objects in the background, while the folder is copied.
git("", "config", "gc.auto", "0");
git("", "add", "-A");
git("", "commit", "-qm", "first");
git("", "gc", "-q");
// Its rule allows a call because it can be undone, and has the project recorded right before it.
writeFileSync(join(home.root, "policy.json"), JSON.stringify({ version: 1, packs: ["safe"] }));

function changeSome(round: number): void {
  for (let at = 0; at < CHANGED; at += 1) appendFileSync(pathOf((round * 7_919 + at * 613) % files), `// ${round}\n`);
}

const times = new Map<string, number[]>();
function note(name: string, ms: number): void {
  times.set(name, [...(times.get(name) ?? []), ms]);
}

const MAKE = { tool_name: "Bash", tool_input: { command: "make" } };

async function hook(
  event: string,
  session_id: string,
  env: Record<string, string>,
  call: object = MAKE,
): Promise<number> {
  const input = { session_id, cwd: home.project, prompt: "Go on", ...call };
  const outcome = await runInstalled(event, JSON.stringify(input), env);
  if (outcome.stdout.includes("cannot be undone")) late += 1;
  return outcome.durationMs;
}

function runInstalled(event: string, stdin: string, env: Record<string, string>) {
  return runProcess(process.execPath, [installed, "run", event], {
    stdin,
    cwd: home.project,
    env: { ...home.env, ...env },
  });
}

function timed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

let late = 0;
const OFF = { WORKSPACE_HOOKS_UNDO: "off" };
const projects = join(home.root, "undo/projects");
const turnsOf = (): number =>
  Number(execFileSync("/bin/sh", ["-c", `ls ${projects}/*/turns | wc -l`], { encoding: "utf8" }));

const first = performance.now();
for (let tries = 0; ; tries += 1) {
  const outcome = await runInstalled(
    "PreToolUse",
    JSON.stringify({
      session_id: `first-${tries}`,
      cwd: home.project,
      tool_name: "Bash",
      tool_input: { command: "make" },
    }),
    {},
  );
  if (!outcome.stdout.includes("cannot be undone")) {
    console.log(
      `first recording of ${files} files: ${(performance.now() - first).toFixed(0)} ms in ${tries + 1} calls`,
    );
    break;
  }
}
git("index", "add", "-A");

const DISCARDS = { tool_name: "Bash", tool_input: { command: "git checkout -- ." } };
const EDITS = { tool_name: "Edit", tool_input: { file_path: pathOf(7), old_string: "a", new_string: "b" } };
let unfinished = 0;
for (let round = 0; round < rounds; round += 1) {
  changeSome(round);
  const before = turnsOf();
  note("prompt, off", await hook("UserPromptSubmit", "off", OFF));
  note("prompt", await hook("UserPromptSubmit", "session", {}));
  await sleep(thinkingMs);
  if (turnsOf() === before) unfinished += 1;
  note("call after thinking", await hook("PreToolUse", "session", {}));
  note("call, off", await hook("PreToolUse", "off", OFF));
  note("next call in the turn", await hook("PreToolUse", "session", {}));
  changeSome(round + 1_000);
  note("call allowed as undoable", await hook("PreToolUse", "session", {}, DISCARDS));
  note("the same call, off", await hook("PreToolUse", "off", OFF, DISCARDS));
  changeSome(round + 2_000);
  note("call that records by itself", await hook("PreToolUse", `alone-${round}`, {}));
  changeSome(round + 3_000);
  await hook("UserPromptSubmit", "hasty", {});
  note("call right after its prompt", await hook("PreToolUse", "hasty", {}));
  changeSome(round + 4_000);
  await hook("UserPromptSubmit", "editing", {});
  note("edit right after its prompt", await hook("PreToolUse", "editing", {}, EDITS));
  note("edit, off", await hook("PreToolUse", "off", OFF, EDITS));
}

for (let round = 0; round < alternatives; round += 1) {
  changeSome(round + 5_000);
  note(
    "git add -A && git write-tree, private index",
    timed(() => {
      git("index", "add", "-A");
      git("index", "write-tree");
    }),
  );
  changeSome(round + 6_000);
  note(
    "git stash create (tracked files only)",
    timed(() => git("", "stash", "create")),
  );
  const copy = join(home.path, "copy");
  note(
    "cp -a --reflink=auto",
    timed(() => execFileSync("cp", ["-a", "--reflink=auto", home.project, copy])),
  );
  execFileSync("rm", ["-rf", copy]);
}

const median = (name: string): number => percentile(times.get(name) ?? [], 0.5);
const baseOf = (name: string): number =>
  name.startsWith("prompt")
    ? median("prompt, off")
    : name === "call allowed as undoable"
      ? median("the same call, off")
      : name.startsWith("edit")
        ? median("edit, off")
        : name.includes("call")
          ? median("call, off")
          : 0;
for (const [name, values] of times) {
  const [p50, p95] = [percentile(values, 0.5), percentile(values, 0.95)];
  const added = p50 - baseOf(name);
  console.log(
    `${name.padEnd(46)} p50 ${p50.toFixed(1).padStart(7)}  p95 ${p95.toFixed(1).padStart(7)}  added ${added.toFixed(1).padStart(7)} ms`,
  );
}
console.log(
  `turns not recorded yet after ${thinkingMs} ms: ${unfinished} of ${rounds}; calls that ran without a record: ${late}`,
);
console.log(execFileSync("du", ["-sm", join(home.root, "undo"), home.project], { encoding: "utf8" }));
home.close();
