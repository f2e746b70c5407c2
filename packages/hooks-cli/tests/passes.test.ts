import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Assistant } from "./support/assistant.ts";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import { TemporaryHome, eventually } from "./support/temporary-home.ts";

/** Which calls start the program, as the events show that it recorded. */

let home: TemporaryHome;
let server: FlakyServer;
let assistant: Assistant;

const SESSION = "5f0c7d1e-session";
const TRANSCRIPT = "session.jsonl";

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.write("work/project/a.txt", "one\n");
  home.write(TRANSCRIPT, "{}\n");
});

afterEach(async () => {
  await server.close();
  home.close();
});

async function install(): Promise<void> {
  await home.run(["install", "--server", server.url, "--key", "wk_given"]);
  // Passes do not count until a second after the rules have been changed.
  home.setPolicy({ version: 1 });
  utimesSync(join(home.root, "policy.json"), 1, 1);
  assistant = new Assistant({
    settingsFiles: [join(home.path, ".claude/settings.json")],
    cwd: home.project,
    env: home.env,
    sessionId: SESSION,
    transcriptPath: join(home.path, TRANSCRIPT),
  });
  // It fetches the server's rules; until then, passes do not hold.
  await assistant.start();
}

/** How many of the calls started the program before the tool. */
async function judged(calls: readonly (readonly [tool: string, input: object])[]): Promise<readonly boolean[]> {
  const results: boolean[] = [];
  for (const [tool, input] of calls) {
    const marks = (): string[] =>
      [...home.spooledEvents, ...server.events.values()]
        .filter(({ eventType }) => eventType === "PreToolUse")
        .map(({ id }) => String(id));
    const before = new Set(marks());
    await assistant.tool(tool, input);
    results.push(marks().some((id) => !before.has(id)));
  }
  return results;
}

const READ = ["Read", { file_path: "a.txt" }] as const;
const EDIT = ["Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }] as const;
const SHELL = ["Bash", { command: "touch b.txt" }] as const;
const OTHER = ["WebFetch", { url: "http://example.com" }] as const;

test("without rules, only the first call that may change files starts the program, in each turn", async () => {
  await install();
  await home.run(["memory", "off"]);
  await assistant.prompt("Change it");
  await judged([SHELL]);
  expect(await judged([SHELL, EDIT, READ, OTHER, SHELL])).toEqual([false, false, false, false, false]);
  await assistant.prompt("Change it again");
  expect((await judged([EDIT, SHELL])).at(-1)).toBe(false);
  expect(home.list(".workspace-hooks/undo/sessions").length).toBeGreaterThan(0);
});

test("rules are asked before every call of the kinds of tools that they may concern, as soon as there are any", async () => {
  await install();
  await home.run(["memory", "off"]);
  await assistant.prompt("Change it");
  await judged([SHELL]);
  expect(await judged([SHELL, READ])).toEqual([false, false]);
  const when = { command: { program: ["touch"] } };
  home.setPolicy({ version: 1, rules: [{ id: "no-touch", decision: "deny", reason: "No.", when }] });
  expect(await assistant.tool(...SHELL)).toMatchObject({ isBlocked: true });
  utimesSync(join(home.root, "policy.json"), 1, 1);
  expect(await assistant.tool(...SHELL)).toMatchObject({ isBlocked: true });
  expect(await judged([READ, EDIT])).toEqual([false, false]);
});

test("a pass runs out, and does not count once the clock was set back", async () => {
  await install();
  await home.run(["memory", "off"]);
  await judged([SHELL]);
  for (const seconds of [-60, 3_600]) {
    expect(await judged([SHELL])).toEqual([false]);
    const folder = join(home.root, "passes", SESSION);
    for (const name of readdirSync(folder)) {
      const time = statSync(join(folder, name)).mtimeMs / 1_000 + seconds;
      utimesSync(join(folder, name), time, time);
    }
    expect(await judged([SHELL])).toEqual([true]);
  }
  expect(await judged([SHELL])).toEqual([false]);
});

/** Names of files, with what a memory about each says. */
const MENTIONED = [
  "src/Limits.ts",
  "src/[slug].tsx",
  "docs/Übersicht.md",
  "src/it's.ts",
  "src/$HOME.ts",
  'src/"quoted".ts',
  "src/back\\slash.ts",
  "src/-e",
  `src/${"long".repeat(60)}.ts`,
];

async function startMentioning(...names: readonly string[]): Promise<void> {
  server.memories = names.map((name, index) => ({
    id: `m-${index}`,
    chunkType: "fact",
    content: `What ${name} says is law number ${index}.`,
    createdAt: "2026-11-23T10:00:00Z",
  }));
  await install();
  await eventually(() => home.list(".workspace-hooks/file-names").some((name) => !name.startsWith(".")));
  await judged([SHELL]);
}

const readOf = (name: string) => ["Read", { file_path: join(home.project, name) }] as const;

test("a file that memories mention is found among those that are read without starting the program", async () => {
  await startMentioning(...MENTIONED, "a.txt");
  for (const name of [
    "src/other.ts",
    "src/mits.ts",
    "src/Limits.tsx",
    "x/slug.tsx",
    "src/named",
    "src/*.ts",
    "src/$(touch expanded).ts",
  ])
    expect([name, ...(await judged([readOf(name)]))]).toEqual([name, name.includes("*")]);
  for (const name of [...MENTIONED, "src/LIMITS.ts", "a.txt"])
    expect([name, ...(await judged([readOf(name)]))]).toEqual([name, true]);
  expect(home.list("work/project").toSorted()).toEqual(["a.txt"]);
});

test("a memory about a file is given when the file is read or edited, whatever else the call has", async () => {
  await startMentioning("src/Limits.ts", "src/[slug].tsx", "src/part.ipynb", "src/Zone.ts");
  const path = (name: string): string => join(home.project, name);
  const odd = String.raw`"file_path":"/x.ts" $(touch expanded) \ %s é ' ` + "\n";
  const calls = [
    ["Read", { file_path: path("src/Limits.ts") }],
    ["Edit", { old_string: odd, new_string: odd.repeat(3_000), file_path: path("src/[slug].tsx") }],
    ["NotebookEdit", { notebook_path: path("src/PART.ipynb"), new_source: odd }],
    ["Write", { file_path: path("src/zonE.ts"), content: odd }],
  ] as const;
  for (const [index, [tool, input]] of calls.entries()) {
    const before = await assistant.tool(tool, input);
    expect([tool, before.context, before.shown]).toEqual([
      tool,
      expect.stringContaining(`law number ${index}`),
      expect.any(String),
    ]);
    expect(await judged([[tool, { ...input, file_path: path("src/other.ts"), notebook_path: undefined }]])).toEqual([
      false,
    ]);
  }
  expect(home.list("work/project").toSorted()).toEqual(["a.txt"]);
});
